import {
  anything,
  ofKind,
  type Schema,
} from "../../src/generator/ir/constraint.js";
import {
  alternativesIn,
  constantIn,
  itemsIn,
  propertiesIn,
  referenceIn,
  restIn,
  typeIn,
} from "../../src/generator/ir/constraint/form.js";
import { definitionsOf, merged } from "../../src/generator/ir/definitions.js";
import type { Index } from "../../src/generator/ir/lookup.js";
import type { Random } from "./random.js";

/**
 * Optional members are omitted below this depth, so that recursive types end.
 */
const DEEP = 6;

/** Ordinary strings, and strings that resemble other values. */
export const strings: readonly string[] = [
  "",
  "a",
  "hello",
  "file:///notes/1",
  "text/plain",
  "aGVsbG8=",
  "0",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "toString",
  "length",
  "hasOwnProperty",
  "then",
  "\u0000",
  "\u2028",
  "\ud800",
  "é",
  "😀",
  "a\nb",
];

const members: readonly string[] = [
  "extra",
  "x-y",
  "0",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "length",
  "then",
  "valueOf",
  "",
];

/** A random value that the schema accepts. */
export function arbitraryOf(
  declarations: Index,
  schema: Schema,
  random: Random,
  depth = 0,
): unknown {
  const make = (inner: Schema): unknown =>
    arbitraryOf(declarations, inner, random, depth + 1);
  const whole = merged(declarations, schema);
  const key = referenceIn(whole);
  const target =
    key === null ? undefined : definitionsOf(declarations).get(key);
  if (target !== undefined)
    return arbitraryOf(declarations, target.schema, random, depth);
  if (whole.checks.length === 0) return anyValue(random, depth);
  const alternatives = alternativesIn(whole);
  if (alternatives.length > 1) return make(random.pick(alternatives));
  const value = constantIn(whole);
  if (value !== undefined) return value;
  const type = typeIn(whole);
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return random.chance(0.5);
    case "integer":
    case "number":
      return numberOf(whole, random);
    case "string":
      return random.pick(strings);
    case "array":
      return arrayOf(whole, make, random, depth);
    case "object":
      return objectOf(whole, make, random, depth);
    case null:
      throw new Error(`nothing can be made for ${JSON.stringify(schema)}`);
    default:
      return type satisfies never;
  }
}

function numberOf(schema: Schema, random: Random): number {
  const bounds = ofKind(schema.checks, "bound");
  const low = bounds.find(({ side }) => side === "low")?.value ?? -5;
  const high = bounds.find(({ side }) => side === "high")?.value ?? 1000;
  if (typeIn(schema) === "integer")
    return random.pick([
      low,
      high,
      Math.round(low + random.next() * (high - low)),
    ]);
  const free = bounds.length === 0 ? [1e300, -0.5, Number.MIN_VALUE] : [];
  return random.pick([low, high, low + random.next() * (high - low), ...free]);
}

function arrayOf(
  schema: Schema,
  make: (inner: Schema) => unknown,
  random: Random,
  depth: number,
): unknown[] {
  const max = ofKind(schema.checks, "size")[0]?.max ?? null;
  const most = max !== null && random.chance(0.2) ? max : Math.min(3, max ?? 3);
  const length = depth > DEEP ? 0 : most > 3 ? most : random.below(most + 1);
  return Array.from({ length }, () => make(itemsIn(schema)));
}

function objectOf(
  schema: Schema,
  make: (inner: Schema) => unknown,
  random: Random,
  depth: number,
): unknown {
  const properties = propertiesIn(schema);
  const rest = restIn(schema);
  const entries: [string, unknown][] = [];
  for (const { name, optional, schema: member } of properties) {
    if (optional && (depth > DEEP || random.chance(0.5))) continue;
    entries.push([name, make(member)]);
  }
  if (depth <= DEEP && random.chance(rest === null ? 0.1 : 0.5)) {
    const named = new Set(properties.map(({ name }) => name));
    const free = members.filter((name) => !named.has(name));
    for (let count = 1 + random.below(2); count > 0; count -= 1)
      entries.push([random.pick(free), make(rest ?? anything)]);
  }
  // As `JSON.parse` does it: `__proto__` is a member like any other.
  return Object.fromEntries(entries);
}

/** Any JSON value. */
export function anyValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > DEEP ? 5 : 7);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.pick([0, 1, -1, 1.5, 1e21, -0]);
  if (kind < 5) return random.pick(strings);
  const length = random.below(3);
  if (kind === 5)
    return Array.from({ length }, () => anyValue(random, depth + 2));
  return Object.fromEntries(
    Array.from(
      { length },
      () => [random.pick(members), anyValue(random, depth + 2)] as const,
    ),
  );
}
