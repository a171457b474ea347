import { tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import { type Json, modern, revisions, textOf } from "../../kit/index.js";
import { open, standard } from "./kit.js";

const closed = (properties: Json): Json => ({
  type: "object",
  properties,
  additionalProperties: false,
});

/** The result of one call of a tool that returns this value. */
async function send(
  value: unknown,
  members: Json = {},
  warnings: string[] = [],
): Promise<Json> {
  const client = await open(
    modern.protocol,
    tools([{ name: "t", handler: () => value, ...members }]),
    {
      onError: () => {},
      onWarning: (text) => warnings.push(text),
    },
  );
  return await client.callTool({ name: "t" });
}

describe("the structured content of a tool", () => {
  const time = new Date(0);

  it.each([
    [
      "a Date for a date-time",
      { at: time },
      closed({ at: { type: "string", format: "date-time" } }),
      { at: "1970-01-01T00:00:00.000Z" },
    ],
    [
      "a URL for a string",
      { page: new URL("https://a.example/") },
      closed({ page: { type: "string" } }),
      { page: "https://a.example/" },
    ],
    [
      "an undefined member of a closed object",
      { a: 1, b: undefined },
      closed({ a: {} }),
      { a: 1 },
    ],
    [
      "what toJSON returns",
      { toJSON: () => ({ a: 2 }), b: 1 },
      closed({ a: {} }),
      { a: 2 },
    ],
  ])(
    "is checked as the JSON that is sent, which accepts %s",
    async (_, value, outputSchema, sent) => {
      const result = await send(value, { outputSchema });
      expect(result["isError"]).toBeUndefined();
      expect(result["structuredContent"]).toEqual(sent);
      expect(JSON.parse(textOf(result))).toEqual(sent);
    },
  );

  it.each([
    ["NaN for a number", { n: NaN }, closed({ n: { type: "number" } })],
    [
      "Infinity for a number",
      { n: -Infinity },
      closed({ n: { type: "number" } }),
    ],
    ["a Date for an object", { at: time }, closed({ at: { type: "object" } })],
    ["a URL for an object", new URL("https://a.example/"), { type: "object" }],
  ])(
    "is checked as the JSON that is sent, which refuses %s",
    async (_, value, outputSchema) => {
      const result = await send(value, { outputSchema });
      expect(result["isError"]).toBe(true);
      expect(textOf(result)).toContain("does not match its outputSchema");
    },
  );

  it("may have values of a Standard Schema that JSON does not have, if what is sent matches the JSON Schema", async () => {
    const outputSchema = standard((value) =>
      value["at"] instanceof Date ? value : "expected a Date",
    );
    const fitting = closed({ at: { type: "string" } });
    expect(
      await send({ at: time }, { outputSchema, outputJsonSchema: fitting }),
    ).toMatchObject({
      structuredContent: { at: "1970-01-01T00:00:00.000Z" },
    });
    const other = closed({ at: { type: "integer" } });
    expect(
      await send({ at: time }, { outputSchema, outputJsonSchema: other }),
    ).toMatchObject({
      isError: true,
    });
  });

  function* count(): Generator<number> {
    yield 1;
  }

  it.each([
    ["Map", new Map([["a", 1]])],
    ["Set", new Set([1])],
    ["Generator", count()],
    ["TypeError", new TypeError("not today")],
    ["Response", new Response("text")],
    ["Uint8Array", new Uint8Array(2)],
    ["Uint8Array", Buffer.from("bytes")],
    ["function", () => 1],
    ['Map in "rows"', { list: [{ rows: new Map() }] }],
    ['Error in "reason"', { ok: false, reason: new Error("lost") }],
  ])(
    "is a failed result that names a value without JSON: %s",
    async (kind, value) => {
      for (const members of [{}, { outputSchema: { type: "object" } }]) {
        const result = await send(value, members);
        expect(result["isError"]).toBe(true);
        expect(textOf(result)).toBe(
          `The result of the tool t: expected a JSON value, got ${kind}. Return plain objects, lists, text and numbers.`,
        );
      }
    },
  );

  it.each([
    ["an empty object", {}],
    [
      "an object without a prototype",
      Object.assign(Object.create(null), { a: 1 }),
    ],
    [
      "an object of a class",
      new (class Point {
        x = 1;
      })(),
    ],
    ["null", null],
  ])("may be %s", async (_, value) => {
    const result = await send(value);
    expect(result["isError"]).toBeUndefined();
    expect(JSON.parse(textOf(result))).toEqual(
      JSON.parse(JSON.stringify(value)),
    );
  });
});

describe("a value with the member content", () => {
  const rows = { content: [{ id: 1 }], total: 1 };

  it("is structured content if it matches the outputSchema", async () => {
    const outputSchema = closed({
      content: { type: "array" },
      total: { type: "integer" },
    });
    expect(await send(rows, { outputSchema })).toMatchObject({
      structuredContent: rows,
    });
    const text = { content: [{ type: "text", text: "a line" }] };
    expect(await send(text, { outputSchema })).toMatchObject({
      structuredContent: text,
    });
    const whole = { structuredContent: { content: [] }, content: [] };
    expect(await send(whole, { outputSchema })).toMatchObject(whole);
    const nested = closed({ structuredContent: { type: "string" } });
    const value = { structuredContent: "a member of the value" };
    expect(await send(value, { outputSchema: nested })).toMatchObject({
      structuredContent: value,
    });
  });

  it.each([
    ["has another member", rows],
    [
      "has a block of an unknown type",
      { content: [{ type: "paragraph", text: "Once" }] },
    ],
    ["has text for a block", { content: ["Once", "upon"] }],
  ])(
    "is structured content without outputSchema if it %s",
    async (_, value) => {
      const result = await send(value);
      expect(result["isError"]).toBeUndefined();
      expect(result["structuredContent"]).toEqual(value);
      expect(JSON.parse(textOf(result))).toEqual(value);
    },
  );
});

describe.each<[string, Json]>([
  ["any object", { type: "object" }],
  ["any value", {}],
  [
    "any object with one known member",
    { type: "object", properties: { sum: { type: "integer" } } },
  ],
  [
    "only some members of a result",
    { type: "object", properties: { content: { type: "array" } } },
  ],
  [
    "alternatives",
    {
      type: "object",
      anyOf: [{ properties: { sum: { type: "integer" } } }, {}],
    },
  ],
])("an outputSchema that allows %s", (_, open) => {
  const outputSchema = { ...open, not: { required: ["wrong"] } };

  it.each([
    [
      "does not match",
      { structuredContent: { wrong: 1 }, content: [] },
      "does not match its outputSchema",
    ],
    [
      "does not match and is alone",
      { structuredContent: { wrong: 1 } },
      "does not match its outputSchema",
    ],
    [
      "is missing",
      { content: [{ type: "text", text: "x" }], _meta: {} },
      "has no structuredContent",
    ],
    [
      "is undefined",
      { structuredContent: undefined, content: [] },
      "has no structuredContent",
    ],
  ])(
    "does not accept a complete result whose structured content %s",
    async (_name, value, problem) => {
      const result = await send(value, { outputSchema });
      expect(result["isError"]).toBe(true);
      expect(textOf(result)).toContain(`The result of the tool t ${problem}`);
      expect(result["structuredContent"]).toBeUndefined();
    },
  );

  it("accepts a complete result whose structured content matches, and any other value", async () => {
    const whole = { structuredContent: { sum: 1 }, content: [] };
    expect(await send(whole, { outputSchema })).toMatchObject(whole);
    const value = { sum: 1, content: [{ id: 1 }] };
    expect(await send(value, { outputSchema })).toMatchObject({
      structuredContent: value,
    });
  });
});

describe("a value of a tool", () => {
  it.each([
    { content: [{ type: "text", text: "A loaf" }] },
    { content: [], isError: false },
    { structuredContent: { sum: 1 }, _meta: {} },
  ])("is a result if it has only members of one: %j", async (value) => {
    expect(await send(value)).toMatchObject(value);
    const more = { ...value, pages: 3 };
    const sent = await send(more);
    expect(JSON.parse(textOf(sent))).toEqual(more);
    expect(sent["pages"]).toBeUndefined();
  });
});

describe("an outputSchema that names the members of a result in one of its alternatives", () => {
  it.each(["anyOf", "oneOf", "allOf"])(
    "describes a value with these members in %s",
    async (keyword) => {
      const named = closed({
        structuredContent: { type: "string" },
        content: { type: "array" },
      });
      const value = { structuredContent: "a member", content: [] };
      const outputSchema = { type: "object", [keyword]: [named] };
      expect(await send(value, { outputSchema })).toMatchObject({
        structuredContent: value,
      });
    },
  );
});

describe.each(revisions)("a complete result at $revision", ({ protocol }) => {
  it("may have the blocks of every revision", async () => {
    const link = { type: "resource_link", uri: "file:///a", name: "a" };
    const content = [{ type: "text", text: "see" }, link];
    const client = await open(
      protocol,
      tools([{ name: "t", handler: () => ({ content, _meta: {} }) }]),
      {
        onWarning: () => {},
      },
    );
    const result = await client.callTool({ name: "t" });
    expect(result["content"]).toHaveLength(2);
    expect(textOf(result)).toBe("see");
  });
});

describe("a failed result", () => {
  const results: readonly (readonly [Json, object, number])[] = [
    [
      {
        isError: true,
        content: [{ type: "text", text: "No sum." }],
        structuredContent: { reason: "none" },
      },
      { isError: true, content: [{ text: "No sum." }] },
      1,
    ],
    [
      { isError: true, structuredContent: { reason: "none" } },
      { isError: true, content: [{ text: '{"reason":"none"}' }] },
      1,
    ],
    [
      { isError: true, structuredContent: { sum: 1 } },
      { structuredContent: { sum: 1 } },
      0,
    ],
  ];
  it.each(results)(
    "leaves out structured content of %j if it does not match the outputSchema: %j, with %i warning",
    async (result, expected, count) => {
      const warnings: string[] = [];
      const outputSchema = {
        ...closed({ sum: { type: "integer" } }),
        required: ["sum"],
      };
      const client = await open(
        modern.protocol,
        tools([{ name: "t", outputSchema, handler: () => result as never }]),
        { onWarning: (text) => warnings.push(text) },
      );
      const sent = await client.callTool({ name: "t" });
      expect(sent).toMatchObject(expected);
      expect(sent["structuredContent"] === undefined).toBe(count === 1);
      expect(warnings).toEqual(
        Array(count).fill(
          "The result of the tool t has isError and structured content that does not match its outputSchema, which is left out.",
        ),
      );
    },
  );
});

describe("the content of a tool", () => {
  it.each([
    [
      "a data URL",
      {
        type: "image",
        mimeType: "image/png",
        data: "data:image/png;base64,AAAA",
      },
      "content[0].data",
    ],
    [
      "URL-safe base64",
      { type: "audio", mimeType: "audio/wav", data: "_-8=" },
      "content[0].data",
    ],
    [
      "the URL of an image",
      { type: "image", mimeType: "image/png", data: "https://a.example/a.png" },
      "content[0].data",
    ],
    [
      "a blob that is text",
      { type: "resource", resource: { uri: "file:///a", blob: "not base64" } },
      "content[0].resource.blob",
    ],
  ])(
    "is a failed result that says what to write for %s",
    async (_, block, path) => {
      const result = await send({ content: [block] });
      expect(result["isError"]).toBe(true);
      expect(textOf(result)).toContain(
        `The result of the tool t: ${path}: expected base64, got "`,
      );
      expect(textOf(result)).toMatch(
        /\. Write only standard base64 \(A-Z a-z 0-9 \+ \/ =\), without a data: URL\.$/,
      );
    },
  );

  it("gets a default MIME type for a resource", async () => {
    const resource = { uri: "file:///a", text: "a" };
    expect(
      await send({ content: [{ type: "resource", resource }] }),
    ).toMatchObject({
      content: [{ resource: { ...resource, mimeType: "text/plain" } }],
    });
  });
});
