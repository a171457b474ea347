import { describe, expect, it } from "vitest";
import { between } from "./between.js";

/**
 * A change of a type, and the sides that break if the client sends it, if the
 * server sends it, and if both do. "-" means no side.
 */
interface Row {
  readonly name: string;
  readonly was: string;
  readonly is: string;
  readonly path: string;
  readonly change: string;
  readonly client: string;
  readonly server: string;
  readonly both: string;
}

const narrower = {
  client: "client sends",
  server: "server sends",
  both: "client sends, server sends",
};
const wider = {
  client: "server receives",
  server: "client receives",
  both: "client receives, server receives",
};
const other = {
  client: "client sends, server receives",
  server: "client receives, server sends",
  both: "client sends, client receives, server sends, server receives",
};
const harmless = { client: "-", server: "-", both: "-" };

const rows: readonly Row[] = [
  {
    name: "an optional member is added",
    was: "a: string",
    is: "a: string; b?: string",
    path: "b",
    change: "optional-member-added",
    ...harmless,
  },
  {
    name: "an optional member is removed",
    was: "a: string; b?: string",
    is: "a: string",
    path: "b",
    change: "optional-member-removed",
    ...harmless,
  },
  {
    name: "a required member is added",
    was: "a: string",
    is: "a: string; b: string",
    path: "b",
    change: "required-member-added",
    ...narrower,
  },
  {
    name: "a required member is removed",
    was: "a: string; b: string",
    is: "a: string",
    path: "b",
    change: "required-member-removed",
    ...wider,
  },
  {
    name: "a member becomes required",
    was: "a?: string",
    is: "a: string",
    path: "a",
    change: "member-made-required",
    ...narrower,
  },
  {
    name: "a member becomes optional",
    was: "a: string",
    is: "a?: string",
    path: "a",
    change: "member-made-optional",
    ...wider,
  },
  {
    name: "an enumeration gains a value",
    was: 'a: "x"',
    is: 'a: "x" | "y"',
    path: "a",
    change: "value-added",
    ...wider,
  },
  {
    name: "an enumeration loses a value",
    was: 'a: "x" | "y"',
    is: 'a: "x"',
    path: "a",
    change: "value-removed",
    ...narrower,
  },
  {
    name: "a literal changes",
    was: 'a: "x"',
    is: 'a: "y"',
    path: "a",
    change: "type-replaced",
    ...other,
  },
  {
    name: "an enumeration becomes any string",
    was: 'a: "x" | "y"',
    is: "a: string",
    path: "a",
    change: "alternative-added",
    ...wider,
  },
  {
    name: "any string becomes an enumeration",
    was: "a: string",
    is: 'a: "x" | "y"',
    path: "a",
    change: "alternative-removed",
    ...narrower,
  },
  {
    name: "an open enumeration gains a known value",
    was: 'a: "x" | string',
    is: 'a: "x" | "y" | string',
    path: "a",
    change: "known-value-added",
    ...harmless,
  },
  {
    name: "a union gains a member",
    was: "a: string",
    is: "a: string | number",
    path: "a",
    change: "alternative-added",
    ...wider,
  },
  {
    name: "a union loses a member",
    was: "a: string | null",
    is: "a: string",
    path: "a",
    change: "value-removed",
    ...narrower,
  },
  {
    name: "a type changes",
    was: "a: string",
    is: "a: number",
    path: "a",
    change: "type-replaced",
    ...other,
  },
  {
    name: "a type becomes anything",
    was: "a: string",
    is: "a: unknown",
    path: "a",
    change: "type-widened",
    ...wider,
  },
  {
    name: "anything becomes a type",
    was: "a: unknown",
    is: "a: string",
    path: "a",
    change: "type-narrowed",
    ...narrower,
  },
  {
    name: "a number gains a limit",
    was: "a: number",
    is: "/** @minimum 0 */ a: number",
    path: "a",
    change: "bound-tightened",
    ...narrower,
  },
  {
    name: "a number gains two limits",
    was: "a: number",
    is: "/**\n * @minimum 0\n * @maximum 1\n */ a: number",
    path: "a",
    change: "bound-tightened",
    ...narrower,
  },
  {
    name: "an upper limit rises",
    was: "/** @maximum 1 */ a: number",
    is: "/** @maximum 2 */ a: number",
    path: "a",
    change: "bound-loosened",
    ...wider,
  },
  {
    name: "a number becomes an integer",
    was: "a: number",
    is: "/** @TJS-type integer */ a: number",
    path: "a",
    change: "type-narrowed",
    ...narrower,
  },
  {
    name: "an array gains a limit",
    was: "a: string[]",
    is: "/** @maxItems 3 */ a: string[]",
    path: "a",
    change: "bound-tightened",
    ...narrower,
  },
  {
    name: "the items of an array gain an alternative",
    was: "a: string[]",
    is: "a: (string | number)[]",
    path: "a[]",
    change: "alternative-added",
    ...wider,
  },
  {
    name: "the values of a map lose an alternative",
    was: "a: { [key: string]: string | boolean }",
    is: "a: { [key: string]: string }",
    path: "a{}",
    change: "alternative-removed",
    ...narrower,
  },
  {
    name: "a nested member is added",
    was: "a: { b: { c?: string }[] }",
    is: "a: { b: { c?: string; d: string }[] }",
    path: "a.b[].d",
    change: "required-member-added",
    ...narrower,
  },
  {
    name: "any object becomes a map of strings",
    was: "a: object",
    is: "a: { [key: string]: string }",
    path: "a{}",
    change: "type-narrowed",
    ...narrower,
  },
  {
    name: "a member with a name that needs quotes is added",
    was: "a: string",
    is: 'a: string; "x/y"?: string',
    path: '["x/y"]',
    change: "optional-member-added",
    ...harmless,
  },
];

describe("the sender of a message decides who breaks", () => {
  const want = (row: Row, type: string, who: string): string =>
    `${type} ${row.path} ${row.change}: ${who === "-" ? "compatible" : `breaking: ${who}`}`;
  it.each(rows)("if $name", async (row) => {
    const { was, is } = row;
    expect(await between({ sent: was }, { sent: is })).toContain(
      want(row, "Sent", row.client),
    );
    expect(await between({ answered: was }, { answered: is })).toContain(
      want(row, "GetNoteResult", row.server),
    );
    expect(await between({ shared: was }, { shared: is })).toContain(
      want(row, "Shared", row.both),
    );
  });

  it.each(rows)(
    "and the opposite side breaks in the reverse comparison, if $name",
    async ({ was, is }) => {
      const forth = await between({ sent: was }, { sent: is });
      const back = await between({ sent: is }, { sent: was });
      const mirrored = (line: string): string =>
        line.replace(/client sends|server receives/g, (who) =>
          who === "client sends" ? "server receives" : "client sends",
        );
      const whoBreaks = (line: string): string[] =>
        (line.split(": ")[2] ?? "").split(", ").sort();
      expect(back.flatMap(whoBreaks).sort()).toEqual(
        forth.map(mirrored).flatMap(whoBreaks).sort(),
      );
    },
  );
});
