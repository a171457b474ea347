import { afterEach, describe, expect, it, vi } from "vitest";
import { convertSchema } from "../../src/commands/convert/schema.js";
import { spellingsFor } from "../../src/commands/convert/names.js";
import { providers } from "../../src/commands/lint/providers.js";
import { rowsOf } from "../../src/commands/lint/schemas.js";
import type { JsonRecord } from "../../src/generator/ir/json.js";

/** A list that counts how often its elements are read. */
function counting<T extends object>(value: T, count: () => void): T {
  return new Proxy(value, {
    get: (target, name, receiver): unknown => {
      count();
      return Reflect.get(target, name, receiver);
    },
  });
}

/** The calls and reads that a run makes: what a quadratic one multiplies. */
function stepsOf(work: (count: () => void) => void): number {
  let steps = 0;
  const count = (): void => {
    steps += 1;
  };
  type Method = (this: unknown, ...all: unknown[]) => unknown;
  const counted = [
    [Map.prototype, "get"],
    [Map.prototype, "set"],
    [Map.prototype, "has"],
    [Set.prototype, "has"],
    [RegExp.prototype, "test"],
  ] as unknown as readonly (readonly [Record<string, Method>, string])[];
  for (const [owner, name] of counted) {
    const original = owner[name];
    vi.spyOn(owner, name).mockImplementation(function (this: unknown, ...all) {
      count();
      return original?.apply(this, all);
    });
  }
  work(count);
  vi.restoreAllMocks();
  return steps;
}

afterEach(() => {
  vi.restoreAllMocks();
});

const text = { type: "string" };
const names = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `n${i}`);

const byName = (
  count: number,
  make: (name: string, i: number) => object,
): Record<string, object> =>
  Object.fromEntries(names(count).map((name, i) => [name, make(name, i)]));

/** Schemas by a size. */
const shapes: readonly (readonly [
  what: string,
  make: (size: number, count: () => void) => object,
])[] = [
  [
    "alternatives with a member each",
    (size) => ({
      type: "object",
      anyOf: names(size).map((name) => ({
        type: "object",
        properties: { [name]: text },
        required: [name],
      })),
    }),
  ],
  [
    "alternatives with the same members",
    (size) => ({
      type: "object",
      anyOf: names(size).map((name) => ({
        type: "object",
        properties: { kind: { const: name }, a: text },
        required: ["kind"],
      })),
    }),
  ],
  [
    "members that are all required",
    (size, count) => ({
      type: "object",
      properties: Object.fromEntries(names(size).map((name) => [name, text])),
      required: counting(names(size), count),
    }),
  ],
  [
    "required names without members",
    (size, count) => ({
      type: "object",
      properties: { a: text },
      required: counting(names(size), count),
    }),
  ],
  [
    "members whose names need a spelling",
    (size) => ({
      type: "object",
      properties: Object.fromEntries(
        names(size).map((name) => [`${name} é`.replace(/\d/g, "ü"), text]),
      ),
    }),
  ],
  [
    "references to a definition each",
    (size, count) => ({
      type: "object",
      properties: byName(size, (name) => ({ $ref: `#/$defs/${name}` })),
      $defs: counting(
        byName(size, () => text),
        count,
      ),
    }),
  ],
  ...(["allOf", "anyOf", "oneOf", null] as const).map(
    (keyword) =>
      [
        `references in a row${keyword === null ? "" : `, each in ${keyword}`}`,
        (size: number, count: () => void): object => {
          const next = (name: string): object => {
            const one = { $ref: `#/$defs/${name}` };
            return keyword === null ? one : { [keyword]: [one, one] };
          };
          return {
            type: "object",
            properties: { a: next("n0") },
            ...next("n0"),
            $defs: counting(
              byName(size, (_, i) => next(`n${i + 1}`)),
              count,
            ),
          };
        },
      ] as const,
  ),
];

describe("the work of a conversion", () => {
  it.each(
    shapes.flatMap(([what, make]) =>
      providers.map((provider) => [what, provider.id, make, provider] as const),
    ),
  )("doubles with %s, for %s", (_, __, make, provider) => {
    const steps = (size: number): number =>
      stepsOf((count) => {
        const schema = make(size, count) as JsonRecord;
        convertSchema(schema, provider);
        rowsOf(schema, provider);
      });
    steps(10);
    const [once, twice] = [steps(400), steps(800)];
    expect(once).toBeGreaterThan(0);
    expect(twice / once).toBeLessThan(2.5);
  });

  it("doubles with the names that become the same spelling", () => {
    const steps = (size: number): number =>
      stepsOf(() => {
        const all = Array.from({ length: size }, (_, i) =>
          String.fromCodePoint(0x4e00 + i),
        );
        expect(spellingsFor(all, "^[a-z_0-9]{1,64}$").size).toBe(size);
      });
    expect(steps(2000) / steps(1000)).toBeLessThan(2.5);
  });
});
