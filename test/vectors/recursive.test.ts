import { beforeAll, describe, expect, it } from "vitest";
import { preamble, protocolOf } from "../ir/made.js";
import { type Validator, validator, validators } from "../view/generated.js";
import { depth, nest } from "./nest.js";
import { sampled } from "../whole.js";

/**
 * Types that contain themselves in every way: through a member, a list, a map,
 * an alias, an intersection, and through unions without a tag.
 */
const schema = `${preamble}
export interface Linked { label: string; next?: Linked }
export interface Listed { children: Listed[] }
export interface Mapped { [key: string]: Mapped }
export interface Filed { byName?: { [key: string]: Filed } }
export type Nested = string | Nested[] | { [key: string]: Nested };
export type Merged = { left?: Merged } & { right?: Merged };
export interface Outer { inner?: Inner }
export interface Inner { list?: Outer[] }

export interface Alpha { next?: Either; a: string }
export interface Beta { next?: Either; b: number }
export type Either = Alpha | Beta;

export interface Leaf { value: string }
export interface Pair { left: Tree; right: Tree }
export type Tree = Leaf | Pair;

export interface Inline { next?: { inner: Inline; x: string } | { inner: Inline; y: string } }
export type Lists = (string | Lists)[] | (number | Lists)[];
export type ClientRequest = InitializeRequest;
`;

let ours: ReadonlyMap<string, Validator>;

beforeAll(async () => {
  ours = await validators(await protocolOf(schema));
});

/**
 * Expects the same verdict from all validators, and returns it. The deepest
 * values are validated by one.
 */
function ask(type: string, value: unknown, levels: number): boolean {
  const { guard, schema: described } = validator(ours, type);
  if (levels === depth) return described.safeParse(value).success;
  const answers = [
    guard(value),
    described.is(value),
    described.safeParse(value).success,
    "value" in described["~standard"].validate(value),
  ];
  expect(new Set(answers).size).toBe(1);
  return answers[0] === true;
}

interface Case {
  readonly type: string;
  readonly innermost: unknown;
  readonly around: (inner: unknown) => unknown;
  /** An invalid innermost value. */
  readonly wrong: unknown;
}

const cases: readonly Case[] = [
  {
    type: "Linked",
    innermost: { label: "" },
    around: (next) => ({ label: "", next }),
    wrong: { label: 1 },
  },
  {
    type: "Listed",
    innermost: { children: [] },
    around: (inner) => ({ children: [inner] }),
    wrong: {},
  },
  {
    type: "Mapped",
    innermost: {},
    around: (inner) => ({ key: inner }),
    wrong: [],
  },
  {
    type: "Filed",
    innermost: {},
    around: (inner) => ({ byName: { key: inner } }),
    wrong: { byName: [] },
  },
  { type: "Nested", innermost: "", around: (inner) => [inner], wrong: null },
  { type: "Nested", innermost: "", around: (inner) => ({ inner }), wrong: 5 },
  {
    type: "Nested",
    innermost: "",
    around: (inner) => [{ inner }, ""],
    wrong: [false],
  },
  {
    type: "Merged",
    innermost: {},
    around: (left) => ({ left, right: {} }),
    wrong: { right: 1 },
  },
  {
    type: "Outer",
    innermost: {},
    around: (inner) => ({ inner: { list: [{}, inner] } }),
    wrong: { inner: 0 },
  },
  {
    type: "Either",
    innermost: { a: "" },
    around: (next) => ({ next, b: 1 }),
    wrong: { a: 1 },
  },
  {
    type: "Either",
    innermost: { b: 0 },
    around: (next) => ({ next, b: 1 }),
    wrong: {},
  },
  {
    type: "Alpha",
    innermost: { a: "" },
    around: (next) => ({ next: { next, b: 1 }, a: "" }),
    wrong: { b: "" },
  },
  {
    type: "Tree",
    innermost: { value: "" },
    around: (left) => ({ left, right: { value: "" } }),
    wrong: { value: 0 },
  },
  {
    type: "Tree",
    innermost: { value: "" },
    around: (right) => ({ left: { value: "" }, right }),
    wrong: { left: 0 },
  },
  {
    type: "Inline",
    innermost: {},
    around: (inner) => ({ next: { inner, y: "" } }),
    wrong: { next: 1 },
  },
  {
    type: "Lists",
    innermost: [1],
    around: (inner) => [inner, 1],
    wrong: [true],
  },
];

describe("a type that contains itself", () => {
  const kinds = new Set(["Linked", "Nested", "Either", "Tree"]);
  it.each(sampled(cases, ({ type }) => kinds.has(type)))(
    "is validated at any depth: $type around $innermost",
    ({ type, innermost, around, wrong }) => {
      for (const levels of [0, 1, 30, 399, 400, 401, 2001, depth]) {
        const good = nest(innermost, levels, around);
        const bad = nest(wrong, levels, around);
        expect([
          levels,
          ask(type, good, levels),
          ask(type, bad, levels),
        ]).toEqual([levels, true, false]);
      }
    },
  );

  it("is validated without state from one value to the next", () => {
    const { schema: either } = validator(ours, "Either");
    const value = nest({ a: "" }, 500, (next) => ({ next, b: 1 })) as {
      b: unknown;
    };
    expect(either.is(value)).toBe(true);
    value.b = "";
    expect(either.is(value)).toBe(false);
    value.b = 2;
    expect(either.is(value)).toBe(true);
  });

  it("has an issue with the path of the fault, which is shortened if it is too long", () => {
    const { schema: linked } = validator(ours, "Linked");
    const shallow = linked.safeParse(
      nest({ label: 1 }, 3, (next) => ({ label: "", next })),
    );
    expect(shallow).toMatchObject({
      error: { message: "next.next.next.label: expected a string, got 1" },
    });
    const far = linked.safeParse(
      nest({ label: 1 }, depth, (next) => ({ label: "", next })),
    );
    expect(far).toMatchObject({
      error: {
        message: expect.stringMatching(
          /^next(\.next){19,25}…: expected a string at a deeper level, got an object$/,
        ),
      },
    });
  });
});
