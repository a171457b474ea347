import { describe, expect, it } from "vitest";
import type { Check } from "../../../src/generator/ir/constraint.js";
import { schemaOf } from "../../../src/generator/ir/constraint/form.js";
import { diff } from "../../../src/generator/ir/diff/index.js";
import { showSchema } from "../../../src/generator/ir/diff/show.js";
import { notes, protocolOf } from "../made.js";

const beside = `export interface Named { n: string } export interface Other { o: string }
  export const CODE = -5;`;

/** How the differences show a member that the older protocol has. */
async function shown(member: string): Promise<string | null | undefined> {
  const { differences } = diff(
    await protocolOf(notes({ sent: `id: string; ${member}`, beside })),
    await protocolOf(notes({ beside })),
  );
  return differences.find(({ subject }) => subject.name === "Sent")?.before;
}

describe("the text of a member that differs", () => {
  it.each([
    "a: string",
    "a?: string",
    "a: unknown",
    "a: null",
    "a: boolean",
    "a: object",
    "a: Named",
    "a: string | number",
    "a: string | null",
    "a: Named | Other",
    "a: Named | string",
    'a: "x"',
    'a: "x" | "y"',
    "a: 1 | 2",
    "a: string[]",
    "a: Named[]",
    "a: (string | number)[]",
    "a: (string[])[]",
    "a: { b: string }",
    "a: { b?: string; c: Named }",
    "a: ({ b: string })[]",
    "a: { [key: string]: number }",
    "a: { b: string; [key: string]: string }",
    '"a-b": string',
    '"a-b"?: { "c d": string }',
  ])("is its type in TypeScript: %s", async (member) => {
    expect(await shown(member)).toBe(member);
  });

  it.each([
    ["/** @format uri */ a: string", "a: string (uri)"],
    ["/** @minimum 1 */ a: number", "a: number >= 1"],
    ["/** @maximum 9 */ a: number", "a: number <= 9"],
    ["/** @minimum 0\n @maximum 1 */ a: number", "a: number >= 0 <= 1"],
    ["/** @maxItems 3 */ a: string[]", "a: string[] (at most 3)"],
    ["/** @TJS-type integer */ a: number", "a: integer"],
    ["a: typeof CODE", "a: -5"],
    ["a: Named & Other", "a: { n: string; o: string }"],
  ])("has what the type does not say: %j is %s", async (member, want) => {
    expect(await shown(member)).toBe(want);
  });

  const [x, y] = [
    { kind: "reference", key: "X" },
    { kind: "reference", key: "Y" },
  ] as const;
  it.each<readonly [Check[], string]>([
    [[], "unknown"],
    [[{ kind: "never" }], "never"],
    [[{ kind: "values", values: ["x", 1, null] }], '"x" | 1 | null'],
    [[{ kind: "type", types: ["string", "null"] }], "string | null"],
    [[{ kind: "all", schemas: [schemaOf([x]), schemaOf([y])] }], "X & Y"],
    [[{ kind: "one", schemas: [schemaOf([x]), schemaOf([y])] }], "X | Y"],
    [[{ kind: "type", types: ["boolean"] }, x], "boolean & X"],
    [[{ kind: "multiple", of: 2 }], "unknown"],
  ])("joins the conditions of a JSON Schema: %j is %s", (checks, want) => {
    expect(showSchema(schemaOf(checks))).toBe(want);
  });
});
