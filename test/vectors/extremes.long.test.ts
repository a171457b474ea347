import type { ValidateFunction } from "ajv";
import { beforeAll, describe, expect, it } from "vitest";
import { reference } from "../../src/generator/ir/constraint/form.js";
import { type Index, index } from "../../src/generator/ir/lookup.js";
import { revisions } from "../oracle/index.js";
import { revision } from "../read/typescript/reading.js";
import { type Validator, validator, validators } from "../view/generated.js";
import { arbitraryOf } from "./arbitrary.js";
import { depth, nest } from "./nest.js";
import { oracleOf } from "./oracle.js";
import { placesOf, replaceAt } from "./places.js";
import { Random } from "./random.js";

/**
 * Values that are too large for Ajv, each with a small one of the same kind. No
 * type of the protocol limits depth or length, except one list of at most a
 * hundred items, so both must have the same result.
 */
interface Extreme {
  readonly what: string;
  readonly large: unknown;
  readonly small: unknown;
}

/**
 * A million at full size (`npm run test:vectors`): far more than the maximum
 * number of arguments of a call.
 */
const many = process.env["MCPGEN_VECTORS"] === undefined ? 200_000 : 1_000_000;
const mixed = (inner: unknown): unknown => ({ a: [inner, 0], b: null });

const extremes: readonly Extreme[] = [
  alike("lists in lists", (levels) => nest([], levels, (inner) => [inner])),
  alike("objects in objects", (levels) =>
    nest({}, levels, (inner) => ({ a: inner })),
  ),
  alike("lists and objects in each other", (levels) => nest("", levels, mixed)),
  alike("a deeply nested number that is not JSON", (levels) =>
    nest(Infinity, levels, mixed),
  ),
  { what: "10 MB of text", large: "x".repeat(10_000_000), small: "xxxxxxxxxx" },
  {
    what: `${many} numbers`,
    large: Array.from({ length: many }, () => 0),
    small: Array(101).fill(0),
  },
  {
    what: `${many} objects, the last one of another kind`,
    large: [...Array.from({ length: many }, () => ({})), Infinity],
    small: [...Array.from({ length: 101 }, () => ({})), Infinity],
  },
  {
    what: "an object of 20,000 members",
    large: manyMembers(20_000),
    small: manyMembers(3),
  },
  {
    what: "a member's name of 10 MB",
    large: { ["k".repeat(10_000_000)]: [] },
    small: { kkkkkkkkkk: [] },
  },
  same(
    "members that every object inherits",
    '{"__proto__":{"type":"text"},"constructor":1,"toString":null,"x":1}',
  ),
  same(
    "members that lists have",
    '{"length":3,"0":"a","1":"b","2":"c","hasOwnProperty":true,"valueOf":{}}',
  ),
];

function alike(what: string, make: (levels: number) => unknown): Extreme {
  return { what, large: make(depth), small: make(3) };
}

function same(what: string, json: string): Extreme {
  return { what, large: JSON.parse(json), small: JSON.parse(json) };
}

function manyMembers(count: number): unknown {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `member${i}`,
      i % 2 === 0 ? i : [{}],
    ]),
  );
}

describe.each(revisions)(
  "a very large, deep or unusual value in %s",
  (name) => {
    let declarations: Index;
    let ours: ReadonlyMap<string, Validator>;
    let oracle: ReadonlyMap<string, ValidateFunction>;

    beforeAll(async () => {
      const protocol = await revision(name);
      declarations = index(protocol);
      ours = await validators(protocol);
      oracle = oracleOf(protocol);
    });

    const types = (): string[] =>
      [...declarations.values()].flatMap((entry) =>
        entry.kind === "constant" ? [] : [entry.name],
      );
    const valid = (type: string, random: Random): unknown =>
      arbitraryOf(declarations, reference(type), random);

    it.each(extremes)(
      "has the same result as a small value of its kind, in any position: $what",
      ({ large, small }) => {
        const random = new Random(11);
        const verdicts = { true: 0, false: 0 };
        for (const type of types()) {
          const { guard, schema } = validator(ours, type);
          const message = valid(type, random);
          for (const place of placesOf(message).slice(0, 12)) {
            const expected = judge(
              oracle,
              type,
              replaceAt(message, place, () => small),
            );
            const value = replaceAt(message, place, () => large);
            const verdict = guard(value);
            if (verdict !== expected)
              throw new Error(
                `${type} at ${JSON.stringify(place)}: ${verdict}, not ${expected}`,
              );
            verdicts[`${expected}`] += 1;
            if (verdict) continue;
            const parsed = schema.safeParse(value);
            if (parsed.success)
              throw new Error(
                `${type} at ${JSON.stringify(place)}: safeParse disagrees`,
              );
            expect(parsed.error.message.length).toBeLessThan(2500);
          }
        }
        expect(verdicts.false).toBeGreaterThan(50);
      },
    );

    it("is valid if its objects have no prototype, for every type", () => {
      const random = new Random(12);
      for (const type of types()) {
        for (let i = 0; i < 10; i++) {
          const message = bare(valid(type, random));
          expect([type, validator(ours, type).guard(message), message]).toEqual(
            [type, true, message],
          );
        }
      }
    });
  },
);

function judge(
  oracle: ReadonlyMap<string, ValidateFunction>,
  type: string,
  value: unknown,
): boolean {
  const validate = oracle.get(type);
  if (validate === undefined) throw new Error(`no oracle for ${type}`);
  return Boolean(validate(value));
}

/** A copy of the value whose objects have no prototype. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(value)) copy[key] = bare(member);
  return copy;
}
