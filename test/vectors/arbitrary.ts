import { flattenType } from "../../src/ir/flatten.js";
import type { Index } from "../../src/ir/lookup.js";
import type { Property, Type } from "../../src/ir/model.js";
import type { Random } from "./random.js";

/** Optional members are omitted below this depth, so that recursive types end. */
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

/** A random value of the type. */
export function arbitraryOf(declarations: Index, type: Type, random: Random, depth = 0): unknown {
  switch (type.kind) {
    case "unknown":
      return anyValue(random, depth);
    case "never":
      throw new Error("no value is of this type");
    case "boolean":
      return random.chance(0.5);
    case "number":
      return numberOf(type, random);
    case "string":
      return random.pick(type.known.length > 0 ? [...type.known, ...strings] : strings);
    case "literal":
      return type.value;
    case "array":
      return arrayOf(declarations, type, random, depth);
    case "record":
      return objectOf(declarations, [], type.member, random, depth);
    case "object":
      return objectOf(declarations, type.properties, type.rest, random, depth);
    case "union":
      return arbitraryOf(declarations, random.pick(type.members), random, depth + 1);
    case "intersection":
    case "reference":
      return namedOf(declarations, type, random, depth);
    default:
      return type satisfies never;
  }
}

function namedOf(declarations: Index, type: Type, random: Random, depth: number): unknown {
  const flat = flattenType(declarations, type);
  if (flat !== null) return objectOf(declarations, flat.properties, flat.rest, random, depth);
  if (type.kind === "reference") {
    const declaration = declarations.get(type.name);
    if (declaration?.kind === "alias") return arbitraryOf(declarations, declaration.type, random, depth);
  }
  throw new Error(`nothing can be made for ${JSON.stringify(type)}`);
}

function numberOf(type: Extract<Type, { kind: "number" }>, random: Random): number {
  const low = type.minimum ?? -5;
  const high = type.maximum ?? 1000;
  if (type.integer) return random.pick([low, high, Math.round(low + random.next() * (high - low))]);
  const free = type.minimum === null && type.maximum === null ? [1e300, -0.5, Number.MIN_VALUE] : [];
  return random.pick([low, high, low + random.next() * (high - low), ...free]);
}

function arrayOf(
  declarations: Index,
  type: Extract<Type, { kind: "array" }>,
  random: Random,
  depth: number,
): unknown[] {
  const most = type.maxItems !== null && random.chance(0.2) ? type.maxItems : Math.min(3, type.maxItems ?? 3);
  const length = depth > DEEP ? 0 : most > 3 ? most : random.below(most + 1);
  return Array.from({ length }, () => arbitraryOf(declarations, type.element, random, depth + 1));
}

function objectOf(
  declarations: Index,
  properties: readonly Property[],
  rest: Type | null,
  random: Random,
  depth: number,
): unknown {
  const entries: [string, unknown][] = [];
  for (const { name, optional, type } of properties) {
    if (optional && (depth > DEEP || random.chance(0.5))) continue;
    entries.push([name, arbitraryOf(declarations, type, random, depth + 1)]);
  }
  if (depth <= DEEP && random.chance(rest === null ? 0.1 : 0.5)) {
    const named = new Set(properties.map(({ name }) => name));
    const free = members.filter((name) => !named.has(name));
    for (let count = 1 + random.below(2); count > 0; count -= 1)
      entries.push([
        random.pick(free),
        arbitraryOf(declarations, rest ?? { kind: "unknown" }, random, depth + 1),
      ]);
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
  if (kind === 5) return Array.from({ length }, () => anyValue(random, depth + 2));
  return Object.fromEntries(
    Array.from({ length }, () => [random.pick(members), anyValue(random, depth + 2)] as const),
  );
}
