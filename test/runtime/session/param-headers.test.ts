import fc from "fast-check";
import { tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  decodeHeader,
  encodeHeader,
  paramHeadersOf,
  paramValues,
} from "../../../src/runtime/core/transport/param-headers.js";

const on = (name: unknown, type: unknown = "string"): object => ({
  type,
  "x-mcp-header": name,
});
const object = (properties: object, more: object = {}): object => ({
  type: "object",
  properties,
  ...more,
});

describe("the headers that a tool requires", () => {
  it("HDR-06 are found at any depth of properties", () => {
    const schema = object({
      a: on("A"),
      b: object({
        c: on("C", "integer"),
        d: object({ e: on("E", "boolean") }),
      }),
    });
    const headers = paramHeadersOf(schema).headers.map(
      ({ header, path, type }) => `${header} ${path.join(".")} ${type}`,
    );
    expect(headers).toEqual(["A a string", "C b.c integer", "E b.d.e boolean"]);
  });

  it.each([
    ["an empty name", object({ a: on("") })],
    ["a name with a space", object({ a: on("a b") })],
    ["a name with a colon", object({ a: on("a:b") })],
    ["a name beyond ASCII", object({ a: on("ä") })],
    ["a name with a control character", object({ a: on("a\n") })],
    ["a name that is not a string", object({ a: on(1) })],
    [
      "two names that differ by case",
      object({ a: on("X"), b: object({ c: on("x") }) }),
    ],
    ["an object", object({ a: on("A", "object") })],
    ["an array", object({ a: on("A", "array") })],
    ["null", object({ a: on("A", "null") })],
    ["a number", object({ a: on("A", "number") })],
    ["several types", object({ a: on("A", ["string", "null"]) })],
    ["no type", object({ a: { "x-mcp-header": "A" } })],
    ["the arguments themselves", on("A")],
    ["items", object({ a: { type: "array", items: on("A") } })],
    ["items by index", object({ a: { prefixItems: [on("A")] } })],
    ["a property of an item", object({ a: { items: object({ b: on("A") }) } })],
    ["a choice", object({}, { oneOf: [object({ a: on("A") })] })],
    ["all of several", object({}, { allOf: [object({ a: on("A") })] })],
    ["any of several", object({ a: { anyOf: [on("A")] } })],
    ["a condition", object({}, { if: object({ a: on("A") }) })],
    ["its consequence", object({}, { else: object({ a: on("A") }) })],
    ["a negation", object({ a: { not: on("A") } })],
    [
      "a definition",
      object({ a: { $ref: "#/$defs/a" } }, { $defs: { a: on("A") } }),
    ],
    [
      "beside a reference",
      object({ a: { $ref: "#/$defs/a", properties: { b: on("B") } } }),
    ],
    ["other members", object({}, { additionalProperties: on("A") })],
    ["members by pattern", object({}, { patternProperties: { a: on("A") } })],
  ])(
    "HDR-11 HDR-18 are rejected by a client and when the tool is declared: on %s",
    (_, schema) => {
      const { headers, error } = paramHeadersOf(schema);
      expect(headers).toEqual([]);
      expect(error).toMatch(/^x-mcp-header .+\.$/);
      const inputSchema = { type: "object", ...schema };
      expect(() =>
        tools([{ name: "t", inputSchema, handler: () => "" }]),
      ).toThrow(TypeError);
    },
  );

  const nested = (depth: number): object =>
    depth === 1 ? object({ a: on("A") }) : object({ a: nested(depth - 1) });
  const many = (count: number): object =>
    object(
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`p${i}`, on(`H${i}`)]),
      ),
    );
  it.each([
    ["a path of 100 names", nested(100), 1, undefined],
    [
      "a path of 101 names",
      nested(101),
      0,
      'x-mcp-header "A" is not on a property that only "properties" leads to.',
    ],
    ["100 headers", many(100), 100, undefined],
    [
      "101 headers",
      many(101),
      0,
      'x-mcp-header "H100" on p100 is one of more than 100.',
    ],
    [
      "a name with 101 characters",
      object({ a: object({ b: on(` ${"x".repeat(100)}`) }) }),
      0,
      `x-mcp-header " ${"x".repeat(99)}" on a.b is not a header name.`,
    ],
    [
      "names that are not text",
      object({ a: on([]), b: on(1) }),
      0,
      "x-mcp-header a list on a is not a header name.",
    ],
    [
      "a type with 101 characters",
      object({ a: on("A", "x".repeat(101)) }),
      0,
      `x-mcp-header "A" on a needs the type "string", "integer" or "boolean", not "${"x".repeat(100)}".`,
    ],
    [
      "the same name twice",
      object({ a: on("A"), b: on("a") }),
      0,
      'x-mcp-header "a" on b is on another property too.',
    ],
  ])(
    "HDR-11 are read from %s, or the first problem is named",
    (_, schema, count, error) => {
      const read = paramHeadersOf(schema);
      expect([read.headers.length, read.error]).toEqual([count, error]);
    },
  );

  it.each([
    ["a b", "string", "is not a header name"],
    ["x", "string", "is on another property too"],
    [
      "A",
      "null",
      'needs the type "string", "integer" or "boolean", not "null"',
    ],
  ])("HDR-11 say what is wrong with %j of the type %j", (name, type, why) => {
    expect(
      paramHeadersOf(
        object({ a: object({ b: on(name, type) }), last: on("X") }),
      ).error,
    ).toBe(`x-mcp-header ${JSON.stringify(name)} on a.b ${why}.`);
  });

  it.each([
    ["a property of that name", object({ "x-mcp-header": { type: "string" } })],
    [
      "a default, an example or a constant",
      object({
        a: {
          default: on("A"),
          examples: [on("A")],
          const: on("A"),
          enum: [on("")],
        },
      }),
    ],
    ["a value that is not a schema", true],
    ["nothing", undefined],
  ])("HDR-11 are not read from %s", (_, schema) => {
    expect(paramHeadersOf(schema)).toEqual({ headers: [] });
  });

  it("HDR-11 are determined in bounded time for any schema", () => {
    let deep: object = on("A");
    for (let i = 0; i < 100_000; i++) deep = object({ a: deep });
    expect(paramHeadersOf(deep).error).toBeDefined();
    let name: unknown = [];
    for (let i = 0; i < 100_000; i++) name = [name];
    expect(paramHeadersOf(object({ a: on(name, name) })).error).toBeDefined();
    const wide = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [`p${i}`, on(`H${i}`)]),
    );
    expect(paramHeadersOf(object(wide)).error).toContain("more than 100");
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(paramHeadersOf(value).headers).toEqual([]);
      }),
    );
  });

  it.each([
    undefined,
    null,
    {},
    { a: null },
    { a: {} },
    { b: "c" },
    { b: { c: null } },
    [[]],
  ])(
    "HDR-07 omit values of %j, which are missing, null or of another type",
    (args) => {
      const { headers } = paramHeadersOf(
        object({ a: on("A"), b: object({ c: on("C") }) }),
      );
      expect(paramValues(headers, args)).toEqual({});
    },
  );

  it("HDR-07 omit values that are only inherited", () => {
    const inherited = paramHeadersOf(
      object({ constructor: on("A"), __proto__: on("B") }),
    ).headers;
    expect(paramValues(inherited, {})).toEqual({});
  });
});

describe("a value in a header", () => {
  it.each([
    ["us-west1", "us-west1"],
    ["", ""],
    ["a b", "a b"],
    [" us", "=?base64?IHVz?="],
    ["us ", "=?base64?dXMg?="],
    ["é", "=?base64?w6k=?="],
    ["a\nb", "=?base64?YQpi?="],
    ["=?base64?IHVz?=", "=?base64?PT9iYXNlNjQ/SUhWej89?="],
    ["=?base64?half", "=?base64?half"],
    ["=?BASE64?IHVz?=", "=?BASE64?IHVz?="],
  ])("HDR-08 is written for %j as %s", (value, header) => {
    expect(encodeHeader(value)).toBe(header);
    expect(decodeHeader(header)).toBe(value);
  });

  it.each([
    "=?base64?IHV?=",
    "=?base64?IH-z?=",
    "=?base64?IHVz=?=",
    "=?base64?gA==?=",
    "=?base64?I?=",
  ])(
    "HDR-09 is undefined if its text is marked as base64 but is invalid: %s",
    (header) => {
      expect(decodeHeader(header)).toBeUndefined();
    },
  );

  it("HDR-08 HDR-09 is decoded to the original value, and is plain ASCII without spaces around it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const header = encodeHeader(value);
        expect(header).toMatch(/^([!-~]([ -~]*[!-~])?)?$/);
        expect(decodeHeader(header)).toBe(value);
      }),
    );
  });
});
