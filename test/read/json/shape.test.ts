import { describe, expect, it } from "vitest";
import {
  Diagnostics,
  formatDiagnostic,
} from "../../../src/generator/diagnostics.js";
import { checkShape } from "../../../src/generator/read/json/shape.js";

const schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    text: { type: "string", minLength: 1 },
    name: { type: "string", pattern: "^[a-z]+$", title: "a name" },
    word: { type: "string", pattern: "^[a-z]+$" },
    list: { type: "array", minItems: 1, items: { $ref: "#/$defs/row" } },
    both: { type: ["string", "array"] },
    kind: { enum: ["client", "server", 3] },
    format: { const: 1 },
    count: { type: "integer", minimum: 1 },
  },
  $defs: {
    row: {
      type: "object",
      additionalProperties: false,
      required: ["out"],
      properties: { out: { type: "string" } },
    },
  },
};

/** What is said of a value, with the path and the kind of each place. */
function saidOf(value: unknown): string {
  const diagnostics = new Diagnostics();
  const isValid = checkShape(
    schema,
    value,
    diagnostics.root,
    (path, isKey) => ({
      file: `/${path.join("/")}`,
      line: isKey ? 2 : 1,
      column: 1,
    }),
    { unknown: "MG742", invalid: "MG743", hint: "read the manual" },
  );
  expect(isValid).toBe(diagnostics.list.length === 0);
  return diagnostics.list.map(formatDiagnostic).join("\n");
}

const manual = "\n    hint: read the manual";

describe("a value that is checked with a schema", () => {
  it.each<[value: unknown, said: string]>([
    [{ text: "a", list: [{ out: "b" }], both: [], format: 1, count: 1 }, ""],
    [[], `/:1:1 MG743 found [], expected object${manual}`],
    [
      { text: "" },
      `/text:1:1 MG743 the text is empty; expected at least one character\n    in text${manual}`,
    ],
    [
      { list: [] },
      `/list:1:1 MG743 the list is empty; expected at least one entry\n    in list${manual}`,
    ],
    [
      { both: 3 },
      `/both:1:1 MG743 found 3, expected string or array\n    in both${manual}`,
    ],
    [
      { name: "A" },
      `/name:1:1 MG743 found "A", expected a name\n    in name${manual}`,
    ],
    [
      { word: "A" },
      `/word:1:1 MG743 found "A", expected ^[a-z]+$\n    in word${manual}`,
    ],
    [
      { format: 2 },
      `/format:1:1 MG743 found 2, expected 1\n    in format${manual}`,
    ],
    [
      { count: 0 },
      `/count:1:1 MG743 found 0, which does not match the schema (minimum)\n    in count${manual}`,
    ],
    [
      { kind: "clint" },
      '/kind:1:1 MG743 found "clint", expected client, server, 3\n    in kind\n    hint: did you mean client?',
    ],
    [
      { kind: "other" },
      `/kind:1:1 MG743 found "other", expected client, server, 3\n    in kind${manual}`,
    ],
    [
      { kind: null },
      `/kind:1:1 MG743 found null, expected client, server, 3\n    in kind${manual}`,
    ],
    [
      { list: [{ out: "a" }, {}] },
      '/list/1:1:1 MG743 the key "out" is missing\n    in list[1]\n    hint: every entry here needs this key',
    ],
    [
      { list: [{ out: "a", oout: 1 }] },
      '/list/0/oout:2:1 MG742 unknown key "oout"\n    in list[0]\n    hint: did you mean out?',
    ],
    [
      { list: [{ out: 1 }] },
      `/list/0/out:1:1 MG743 found 1, expected string\n    in list[0].out${manual}`,
    ],
    [
      { zzzzzzzz: 1 },
      '/zzzzzzzz:2:1 MG742 unknown key "zzzzzzzz"\n    hint: the keys here are text, name, word, list, both, kind, format, count',
    ],
    [
      { ["z".repeat(81)]: 1 },
      `/${"z".repeat(81)}:2:1 MG742 unknown key "${"z".repeat(80)}"\n    hint: the keys here are text, name, word, list, both, kind, format, count`,
    ],
  ])("is reported completely: %j", (value, said) => {
    expect(saidOf(value)).toBe(said);
  });

  it("is reported with all its problems", () => {
    expect(saidOf({ text: 1, list: [{ out: 1 }, {}], kinds: 1 })).toBe(
      [
        '/kinds:2:1 MG742 unknown key "kinds"\n    hint: did you mean kind?',
        `/text:1:1 MG743 found 1, expected string\n    in text${manual}`,
        `/list/0/out:1:1 MG743 found 1, expected string\n    in list[0].out${manual}`,
        '/list/1:1:1 MG743 the key "out" is missing\n    in list[1]\n    hint: every entry here needs this key',
      ].join("\n"),
    );
  });

  it.each<[value: unknown, shown: string]>([
    [() => 1, "a function"],
    [10n, "10"],
    [Number.NaN, "NaN"],
    [Symbol("a"), "Symbol(a)"],
    [true, "true"],
    [null, "null"],
    [{ a: [1] }, '{"a":[1]}'],
    [["x".repeat(56)], `["${"x".repeat(56)}"]`],
    [["x".repeat(57)], `["${"x".repeat(57)}"…`],
  ])("is shown as a person reads it, shortened: %s", (value, shown) => {
    expect(saidOf({ text: value })).toBe(
      `/text:1:1 MG743 found ${shown}, expected string\n    in text${manual}`,
    );
  });
});
