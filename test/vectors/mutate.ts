import { eachSchema } from "../../src/generator/ir/constraint/walk.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { anyValue, strings } from "./arbitrary.js";
import { nest } from "./nest.js";
import { isObject, placesOf, replaceAt } from "./places.js";
import type { Random } from "./random.js";

/** Values that replace any value. */
const replacements: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  101,
  1e21,
  Infinity,
  "",
  "x",
  [],
  {},
  [null],
  [[]],
  { type: "text" },
  { "": {} },
];

/**
 * One change of one place. Each gives a value that JSON can hold (or an
 * infinite number, which `JSON.parse("1e999")` gives); the value it is given is
 * left as it was.
 */
type Mutation = (
  value: unknown,
  random: Random,
  words: readonly string[],
) => unknown;

const mutations: readonly Mutation[] = [
  (_, random) => structuredClone(random.pick(replacements)),
  (_, random) => structuredClone(random.pick(replacements)),
  (_, random) => anyValue(random),
  // A word that some type of the revision demands in some place: the wrong
  // discriminator, the wrong literal.
  (_, random, words) => random.pick(words),
  (value, random, words) =>
    typeof value === "string"
      ? random.pick(words)
      : (JSON.stringify(value) ?? ""),
  (value) => (typeof value === "string" ? `${value} ` : value),
  (value) => (typeof value === "string" ? value.toUpperCase() : value),
  (value) =>
    typeof value === "string"
      ? value.repeat(10_000 / Math.max(1, value.length))
      : value,
  (value) => (typeof value === "number" ? -value - 0.5 : value),
  (value) => (typeof value === "number" ? value * 1e6 : value),
  (value) => (typeof value === "number" ? String(value) : value),
  (value) => [value],
  (value) => ({ value }),
  (value) => (isObject(value) ? Object.entries(value) : value),
  (value) =>
    Array.isArray(value) ? { ...value, length: value.length } : value,
  (value) => (Array.isArray(value) && value.length > 0 ? value[0] : value),
  (value) =>
    Array.isArray(value) && value.length > 0
      ? Array.from({ length: 101 }, () => value[0])
      : value,
  (value, random) =>
    Array.isArray(value) ? [...value, anyValue(random)] : value,
  without,
  without,
  without,
  (value, random) => withMember(value, random.pick(strings), anyValue(random)),
  (value, random, words) =>
    withMember(value, random.pick(words), random.pick(replacements)),
  (value) => nest(value, 60, (inner) => [inner]),
  (value) => nest(value, 60, (inner) => ({ value: inner })),
  (value, random) => renamed(value, random),
];

/**
 * A value with a few changes. `words` are names and literals of the revision's
 * types.
 */
export function mutant(
  value: unknown,
  random: Random,
  words: readonly string[],
): unknown {
  let changed = value;
  const count = random.chance(0.75) ? 1 : 2 + random.below(2);
  for (let i = 0; i < count; i++) {
    const steps = random.pick(placesOf(changed));
    const mutation = random.pick(mutations);
    changed = replaceAt(changed, steps, (original) =>
      mutation(original, random, words),
    );
  }
  return changed;
}

function without(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.slice(1);
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  if (entries.length === 0) return value;
  const index = random.below(entries.length);
  return Object.fromEntries(entries.filter((_, i) => i !== index));
}

function withMember(value: unknown, key: string, member: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries([...Object.entries(value), [key, member]]);
}

function renamed(value: unknown, random: Random): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const chosen = random.below(Math.max(1, entries.length));
  return Object.fromEntries(
    entries.map(([key, member], i) => [
      i === chosen
        ? random.pick([`${key}s`, "__proto__", key.toUpperCase()])
        : key,
      member,
    ]),
  );
}

/**
 * The string literals and member names of revisions, which mutations put into
 * wrong places.
 */
export function wordsOf(protocols: readonly Protocol[]): string[] {
  const words = new Set<string>();
  for (const { schema } of protocols.flatMap(
    ({ declarations }) => declarations,
  ))
    eachSchema(schema, ({ checks }) => {
      for (const check of checks) {
        if (check.kind === "members")
          for (const { name } of check.properties) words.add(name);
        if (check.kind !== "values") continue;
        for (const value of check.values)
          if (typeof value === "string") words.add(value);
      }
    });
  return [...words];
}
