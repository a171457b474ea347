import { finished } from "../../finished.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../../src/generator/diagnostics.js";
import {
  parseJson,
  type Budget,
} from "../../../src/generator/read/json/text/parse.js";
import {
  type JsonNode,
  locationsIn,
} from "../../../src/generator/read/json/text/tree.js";

function parse(
  text: string,
  budget?: Budget,
): { node: JsonNode | null; reports: string[]; hints: (string | null)[] } {
  const diagnostics = new Diagnostics();
  const node = parseJson(
    text,
    locationsIn(text, "a.json"),
    diagnostics.root,
    budget,
  );
  const reports = finished(diagnostics.list).map(
    ({ code, location, message }) =>
      `${location?.line}:${location?.column} ${code} ${message}`,
  );
  const hints = diagnostics.list.map(({ hint }) => hint);
  return { node, reports, hints };
}

/**
 * The value of a node, with objects as lists of entries, so that a member may
 * have any name.
 */
function plain(node: JsonNode | null): unknown {
  if (node === null) return "refused";
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(plain);
  return {
    entries: [...node.members].map(([name, { value }]) => [name, plain(value)]),
  };
}

function entries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(entries);
  if (typeof value !== "object" || value === null)
    return Object.is(value, -0) ? 0 : value;
  return {
    entries: Object.entries(value).map(([name, member]) => [
      name,
      entries(member),
    ]),
  };
}

it("the JSON parser accepts the texts that JSON.parse accepts, with the same value", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6 }),
      fc.constantFrom(0, 2),
      (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { node, reports } = parse(text);
        expect(reports).toEqual([]);
        expect(plain(node)).toEqual(entries(JSON.parse(text)));
      },
    ),
  );
});

it("the JSON parser rejects the texts that JSON.parse rejects and numbers out of range, and never throws", () => {
  const isReadable = (text: string): boolean => {
    try {
      let isFinite = true;
      JSON.parse(text, (_, value: unknown) => {
        isFinite &&= typeof value !== "number" || Number.isFinite(value);
        return value;
      });
      return isFinite;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom("", ",", "}", '"', "\\", "\u0001", "x", "-"),
      (json, at, piece) => {
        const cut = at % (json.length + 1);
        const text = json.slice(0, cut) + piece + json.slice(cut + 1);
        expect(parse(text).node !== null).toBe(isReadable(text));
      },
    ),
  );
});

describe("the JSON parser", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["[1, -3e308]", "1:5 MG201 the number is too large"],
    ["", "1:1 MG201 expected a JSON value, got the end of the text"],
    ["{\n  a: 1 }", '2:3 MG201 expected the name of a member, got "a"'],
    ['{"a" 1}', '1:6 MG201 expected ":", got "1"'],
    ['{"a": 1\n"b": 2}', '2:1 MG201 expected "," or "}", got "\\""'],
    ['{"a": 1,}', '1:9 MG201 expected the name of a member, got "}"'],
    ["[1, 2", '1:6 MG201 expected "," or "]", got the end of the text'],
    ["[1,]", '1:4 MG201 expected a JSON value, got "]"'],
    ["[1] 2", '1:5 MG201 unexpected "2" after the end of the value'],
    ["[01]", '1:2 MG201 expected a JSON value, got "01"'],
    ["[NaN]", '1:2 MG201 expected a JSON value, got "NaN"'],
    ["[1e999]", "1:2 MG201 the number is too large"],
    ['"abc', "1:1 MG201 the string has no closing quote"],
    [
      '"a\nb"',
      "1:3 MG201 the string contains a control character that is not escaped",
    ],
    ['"a\\x"', '1:3 MG201 the string contains the invalid escape "\\x"'],
    [
      "x".repeat(30),
      `1:1 MG201 expected a JSON value, got "${"x".repeat(30)}"`,
    ],
    [
      "x".repeat(31),
      `1:1 MG201 expected a JSON value, got "${"x".repeat(30)}…"`,
    ],
    [
      `[] ${"x".repeat(11)}`,
      `1:4 MG201 unexpected "${"x".repeat(10)}" after the end of the value`,
    ],
  ];
  it.each(rows)("reports the location of a syntax error: %j", (given, want) => {
    const hints = ["write valid JSON"];
    expect(parse(given)).toEqual({ node: null, reports: [want], hints });
  });
});

it("the JSON parser skips a byte order mark and does not count it as a column", () => {
  expect(parse("\ufeff{}").reports).toEqual([]);
  expect(parse("\ufeff[x]").reports).toEqual([
    '1:3 MG201 expected a JSON value, got "x"',
  ]);
});

it("the JSON parser reports each duplicate member and keeps the first", () => {
  const { node, reports } = parse(
    '{\n "a": 1,\n "a": 2,\n "b": {"c": 1, "c": 2}\n}',
  );
  expect(reports).toEqual([
    '3:2 MG202 the member "a" is declared twice',
    '4:16 MG202 the member "c" is declared twice',
  ]);
  expect(plain(node)).toEqual(entries({ a: 1, b: { c: 1 } }));
});

it("the JSON parser reads __proto__ and similar names as ordinary members", () => {
  const { node } = parse('{"__proto__": 1, "constructor": 2, "toString": 3}');
  expect(plain(node)).toEqual({
    entries: [
      ["__proto__", 1],
      ["constructor", 2],
      ["toString", 3],
    ],
  });
});

it.each([
  ["lists", "[", "]"],
  ["objects", '{"a":', "}"],
])(
  "the JSON parser rejects %s nested 100,000 levels deep without a stack overflow",
  (_, open, close) => {
    const { node, reports, hints } = parse(
      open.repeat(100_000) + "1" + close.repeat(100_000),
    );
    expect(node).toBeNull();
    expect(reports).toEqual([
      `1:${200 * open.length + 1} MG201 the text is nested more than 200 levels deep`,
    ]);
    expect(hints).toEqual(["flatten it"]);
  },
);

it("the JSON parser rejects a text with more values than the budget, or with deeper ones", () => {
  const budget = { depth: 2, nodes: 5 };
  expect(parse("[1,2,3,4]", budget).reports).toEqual([]);
  expect(parse("[1,2,3,4,5]", budget)).toEqual({
    node: null,
    reports: ["1:10 MG201 the text has more than 5 values"],
    hints: ["split it into smaller schemas"],
  });
  expect(parse("[[1]]", budget).reports).toEqual([]);
  expect(parse('{"a": [[]]}', budget)).toEqual({
    node: null,
    reports: ["1:8 MG201 the text is nested more than 2 levels deep"],
    hints: ["flatten it"],
  });
});

it("the JSON parser reads a string of ten million characters", () => {
  const { node } = parse(JSON.stringify("é\\\n".repeat(3_333_334)));
  expect(node?.kind === "scalar" && String(node.value).length).toBe(10_000_002);
});
