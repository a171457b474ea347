import { describe, expect, it } from "vitest";
import {
  type ArgumentTexts,
  typedArguments,
} from "../../src/cli/commands/call/arguments.js";
import { parametersOf } from "../../src/cli/commands/call/parameters.js";
import { resultText, toolsText } from "../../src/cli/commands/call/report.js";
import { makeStyle } from "../../src/cli/terminal.js";
import { parseSnapshot } from "../../src/generator/inputs/snapshots.js";
import { Diagnostics, SchemaError } from "../../src/generator/diagnostics.js";

const snapshotOf = async (tools: readonly object[]) =>
  await parseSnapshot(
    {
      text: JSON.stringify({
        server: { name: "s", version: "1" },
        revision: "2025-11-25",
        tools,
      }),
      file: "s.mcp.json",
      name: "s",
    },
    new Diagnostics(),
  );

/** The arguments of a call as JSON, or what is wrong with them. */
async function typed(
  inputSchema: object,
  texts: Partial<ArgumentTexts>,
): Promise<string> {
  const snapshot = await snapshotOf([{ name: "t", inputSchema }]);
  const input = snapshot.tools[0]?.input ?? "";
  const none = { pairs: [], flags: [], whole: {}, known: ["json", "timeout"] };
  try {
    return JSON.stringify(
      typedArguments("t", { ...none, ...texts }, parametersOf(input, snapshot)),
    );
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return error.diagnostics
      .map(({ message, hint }) => `${message}; ${hint}`)
      .join(" | ");
  }
}

const object = (properties: object, more: object = {}): object => ({
  type: "object",
  properties,
  ...more,
});
const a = (schema: object): object => object({ a: schema });

describe("the text of an argument", () => {
  const integers = { type: "array", items: { type: "integer" } };
  const must = (expected: string, found: string): string =>
    `the argument "a" must be ${expected}; found ${found}; null`;

  it.each([
    [1, '{"a":"1"}'],
    [10, '{"a":"1"}'],
    [19, '{"a":"1"}'],
    [20, '{"a":1}'],
    [30, '{"a":1}'],
  ])(
    "is one of the values in alternatives that are %i deep, or anything below twenty: %s",
    async (deep, value) => {
      const level = (i: number): object => ({
        anyOf: [
          { const: String(i) },
          ...(i < deep ? [{ $ref: `#/$defs/l${i + 1}` }] : []),
        ],
      });
      const $defs = Object.fromEntries(
        Array.from({ length: deep + 1 }, (_, i) => [`l${i}`, level(i)]),
      );
      expect(
        await typed(object({ a: { $ref: "#/$defs/l0" } }, { $defs }), {
          pairs: [["a", "1"]],
        }),
      ).toBe(value);
    },
  );

  describe.each(["anyOf", "oneOf"])("whose schema is in its own %s", (key) => {
    const self = { $ref: "#/$defs/a" };
    const list = { type: "array", items: self };
    it.each<[alternative: object, texts: readonly string[], value: string]>([
      [{ type: "integer" }, ["1"], '{"a":1}'],
      [{ type: "integer" }, ["x"], '{"a":"x"}'],
      [{ const: 1 }, ["1"], '{"a":1}'],
      [{ const: 1 }, ["2"], '{"a":2}'],
      [{ type: "array" }, ["1", "x"], '{"a":[1,"x"]}'],
      [integers, ["1", "2"], '{"a":[1,2]}'],
      [list, ["1", "2"], '{"a":[1,2]}'],
      [list, ["[[1]]"], '{"a":[[1]]}'],
    ])("is a value by the other one %j: %j", async (other, texts, value) => {
      for (const alternatives of [
        [self, other],
        [other, self],
      ])
        expect(
          await typed(
            object({ a: self }, { $defs: { a: { [key]: alternatives } } }),
            { pairs: texts.map((text) => ["a", text]) },
          ),
        ).toBe(value);
    });
  });

  it.each<[schema: object, texts: readonly (string | null)[], value: string]>([
    [{ type: "string" }, ["1"], '{"a":"1"}'],
    [{}, ["1"], '{"a":1}'],
    [{}, ["x"], '{"a":"x"}'],
    [{}, ["{"], '{"a":"{"}'],
    [{ type: "integer" }, ["1"], '{"a":1}'],
    [{ type: "integer" }, ["1.0"], '{"a":1}'],
    [{ type: "integer" }, ["1.5"], must("integer", '"1.5"')],
    [{ type: "number" }, ["1"], '{"a":1}'],
    [
      { type: "number" },
      ["1e400"],
      'the argument "a" is a number that JavaScript cannot represent exactly: 1e400; null',
    ],
    [{ type: "integer" }, ["9007199254740991"], '{"a":9007199254740991}'],
    [
      { type: "integer" },
      ["9007199254740992"],
      'the argument "a" is a number that JavaScript cannot represent exactly: 9007199254740992; null',
    ],
    [
      { type: "integer" },
      ["-9007199254740992"],
      'the argument "a" is a number that JavaScript cannot represent exactly: -9007199254740992; null',
    ],
    [{ type: "number" }, ["9007199254740992.5"], '{"a":9007199254740992}'],
    [
      { type: ["integer", "string"] },
      ["9007199254740992"],
      '{"a":"9007199254740992"}',
    ],
    [{ type: ["integer", "string"] }, ["5"], '{"a":5}'],
    [{ type: "boolean" }, ["true"], '{"a":true}'],
    [{ type: "boolean" }, ["yes"], must("boolean", '"yes"')],
    [{ type: "null" }, ["null"], '{"a":null}'],
    [{ type: "object" }, ['{"b":1}'], '{"a":{"b":1}}'],
    [{ type: "object" }, ["[]"], must("object", '"[]"')],
    [{ enum: ["1", 2] }, ["1"], '{"a":"1"}'],
    [{ enum: ["1", 2] }, ["2"], '{"a":2}'],
    [{ enum: ["1", 2] }, ["3"], must('one of "1", 2', "number 3")],
    [{ const: "x" }, ["y"], must('"x"', 'string "y"')],
    [
      { enum: Array.from({ length: 13 }, (_, i) => i) },
      ["99"],
      must(
        "one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, and 1 more",
        "number 99",
      ),
    ],
    [
      { enum: ["y".repeat(59), "z"] },
      ["x"],
      must(`one of "${"y".repeat(59)}, "z"`, 'string "x"'),
    ],
    [
      { type: "integer" },
      ["x".repeat(60)],
      must("integer", `"${"x".repeat(59)}…`),
    ],
    [
      { type: "integer" },
      ["x".repeat(58)],
      must("integer", `"${"x".repeat(58)}"`),
    ],
    [
      { type: "integer" },
      ["1", "2"],
      'the argument "a" was given 2 times, but it must be integer; null',
    ],
    [integers, ["1"], '{"a":[1]}'],
    [integers, ["1", "2"], '{"a":[1,2]}'],
    [integers, ["[1,2]"], '{"a":[1,2]}'],
    [
      integers,
      ["x"],
      'the argument "a" must have items that are integer; found "x"; null',
    ],
    [
      { type: ["array", "integer"], items: { type: "string" } },
      ["1"],
      '{"a":1}',
    ],
    [
      { type: ["array", "integer"], items: { type: "string" } },
      ["x"],
      '{"a":["x"]}',
    ],
    [{ type: "array" }, ["x", "1"], '{"a":["x",1]}'],
    [
      { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] },
      ["1", "2"],
      '{"a":["1",2]}',
    ],
    [{ anyOf: [integers, { type: "null" }] }, ["1", "2"], '{"a":[1,2]}'],
    [
      { anyOf: [integers, { type: "array", items: { type: "boolean" } }] },
      ["1", "true"],
      '{"a":[1,true]}',
    ],
    [
      { oneOf: [{ const: "x" }, { enum: ["y"] }] },
      ["z"],
      must('one of "x", "y"', 'string "z"'),
    ],
    [{ type: "boolean" }, [null], '{"a":true}'],
    [{ type: ["boolean", "string"] }, [null], '{"a":true}'],
    [
      { type: "boolean" },
      [null, null],
      'the argument "a" needs a value: boolean; null',
    ],
    [
      { type: "string" },
      [null],
      'the argument "a" needs a value: string; null',
    ],
    [
      { type: "array", items: { type: "boolean" } },
      ["true", null],
      'the argument "a" needs a value: array of boolean; null',
    ],
    [
      { type: ["number", "integer", "null"] },
      ["x"],
      must("number or null", '"x"'),
    ],
    [
      {
        type: "array",
        items: {
          type: "array",
          items: {
            type: "array",
            items: { type: "array", items: { type: "null" } },
          },
        },
      },
      [null],
      'the argument "a" needs a value: array of array of array of array; null',
    ],
  ])("is a value by its schema %j: %j", async (schema, texts, value) => {
    const flags = texts.map((text) => ["a", text] as const);
    expect(await typed(a(schema), { flags })).toBe(value);
    if (!texts.includes(null))
      expect(
        await typed(a(schema), {
          pairs: flags as readonly (readonly [string, string])[],
        }),
      ).toBe(value);
  });

  it("is one of the pairs before those of the flags, and replaces a member of the whole", async () => {
    const schema = object({ a: { type: "array" }, b: { type: "string" } });
    const texts = {
      pairs: [["a", "1"]],
      flags: [["a", "2"]],
      whole: { a: [9], b: "x" },
    } as const;
    expect(await typed(schema, texts)).toBe('{"a":[1,2],"b":"x"}');
  });

  it("is checked in the whole, too", async () => {
    expect(await typed(a({ type: "integer" }), { whole: { a: "x" } })).toBe(
      must("integer", 'string "x"'),
    );
    expect(await typed(a({ type: "integer" }), { whole: { a: 1.5 } })).toBe(
      must("integer", "number 1.5"),
    );
    expect(
      await typed(a({ enum: [{ b: 1, c: 2 }] }), {
        whole: { a: { c: 2, b: 1 } },
      }),
    ).toMatch(/^\{"a"/);
  });
});

describe("several wrong arguments", () => {
  it("are told in their order, first those that are not a value", async () => {
    const integer = { type: "integer" };
    expect(
      await typed(object({ a: integer, b: integer, c: integer }), {
        pairs: [["c", "x"]],
        whole: { b: "x", a: true },
      }),
    ).toBe(
      'the argument "c" must be integer; found "x"; null | the argument "b" must be integer; found string "x"; null | the argument "a" must be integer; found boolean true; null',
    );
    expect(
      await typed(object({ a: integer }), {
        pairs: [["a", " 9007199254740992 "]],
      }),
    ).toContain("cannot represent exactly");
  });
});

it("reports several texts that are not values in their order", async () => {
  const integer = { type: "integer" };
  expect(
    await typed(object({ a: integer, b: integer }), {
      pairs: [
        ["b", "x"],
        ["a", "y"],
      ],
    }),
  ).toBe(
    'the argument "b" must be integer; found "x"; null | the argument "a" must be integer; found "y"; null',
  );
});

describe("the name of an argument", () => {
  const none = 'the tool "t" has no argument';
  const open = object({ city: {}, days: {} });
  const closed = object({ city: {} }, { additionalProperties: false });

  it.each<
    [what: string, schema: object, texts: Partial<ArgumentTexts>, told: string]
  >([
    ["declared", open, { pairs: [["city", "x"]] }, '{"city":"x"}'],
    [
      "unknown in the whole of an open schema",
      open,
      { whole: { other: 1 } },
      '{"other":1}',
    ],
    [
      "unknown in a pair",
      open,
      { pairs: [["other", "1"]] },
      `${none} "other"; its arguments are city, days`,
    ],
    [
      "like another one",
      open,
      { pairs: [["citi", "1"]] },
      `${none} "citi"; did you mean city?`,
    ],
    [
      "unknown in the whole of a closed schema",
      closed,
      { whole: { other: 1 } },
      `${none} "other"; its arguments are city`,
    ],
    [
      "of a flag like one of the command",
      open,
      { flags: [["timeot", "1"]] },
      `${none} "timeot"; did you mean --timeout?`,
    ],
    [
      "of a pair like a flag of the command",
      open,
      { pairs: [["timeot", "1"]] },
      `${none} "timeot"; its arguments are city, days`,
    ],
    [
      "of a pair for a tool that takes any",
      object({ city: {} }, { additionalProperties: true }),
      { pairs: [["other", "1"]] },
      '{"other":1}',
    ],
    ...[
      { anyOf: [{ properties: { other: {} } }, { required: ["city"] }] },
      { oneOf: [{ properties: { other: {} } }, { required: ["city"] }] },
      { if: { required: ["days"] }, then: { properties: { other: {} } } },
    ].map(
      (more) =>
        [
          `of a pair for a tool with alternatives: ${Object.keys(more)[0]}`,
          object({ city: {} }, more),
          { pairs: [["other", "1"]] },
          '{"other":1}',
        ] as [string, object, Partial<ArgumentTexts>, string],
    ),
    [
      "known by one of two parts, of which the other takes no more",
      { allOf: [open, object({ more: {} }, { additionalProperties: false })] },
      { whole: { days: 1, other: 1 } },
      `${none} "other"; its arguments are city, days, more`,
    ],
    [
      "of a pair for two parts, of which one takes any",
      {
        allOf: [
          object({ city: {} }, { additionalProperties: true }),
          object({ days: {} }, { additionalProperties: false }),
        ],
      },
      { pairs: [["other", "1"]] },
      '{"other":1}',
    ],
    [
      "of a pair for a tool with patterns",
      object({ city: {} }, { patternProperties: { "^x": {} } }),
      { pairs: [["xa", "1"]] },
      '{"xa":1}',
    ],
    [
      "of a pair for a tool without members",
      object({}),
      { pairs: [["other", "1"]] },
      '{"other":1}',
    ],
    [
      "of a flag for a tool that takes any",
      object({}),
      { flags: [["other", "1"]] },
      `${none} "other"; write --arg other=<value> if the tool accepts it anyway`,
    ],
    [
      "for a tool that takes none",
      object({}, { additionalProperties: false }),
      { pairs: [["other", "1"]] },
      `${none} "other"; it takes no arguments`,
    ],
    [
      "among the first twenty",
      object(
        Object.fromEntries(
          Array.from({ length: 21 }, (_, i) => [`p${100 + i}`, {}]),
        ),
      ),
      { pairs: [["zzzzzz", "1"]] },
      `${none} "zzzzzz"; its arguments are ${Array.from({ length: 20 }, (_, i) => `p${100 + i}`).join(", ")}`,
    ],
    [
      "long",
      open,
      { pairs: [["x".repeat(90), "1"]] },
      `${none} "${"x".repeat(80)}"; its arguments are city, days`,
    ],
    [
      "missing",
      object({ a: { type: "integer" } }, { required: ["a"] }),
      {},
      'the tool "t" needs the argument "a" (integer); add a=<value> or --a <value> or --arg a=<value>',
    ],
    [
      "missing, and may have none of its values",
      object({ a: { enum: [] } }, { required: ["a"] }),
      {},
      'the tool "t" needs the argument "a" (any value); add a=<value> or --a <value> or --arg a=<value>',
    ],
    [
      "missing, and a flag of the command",
      object({ json: {} }, { required: ["json"] }),
      {},
      'the tool "t" needs the argument "json" (any value); add json=<value> or --arg json=<value>',
    ],
    [
      "missing, and no word",
      object({ "a b": {} }, { required: ["a b"] }),
      {},
      'the tool "t" needs the argument "a b" (any value); add --arg "a b=<value>"',
    ],
    [
      "missing, and not declared",
      object({}, { required: ["b"] }),
      {},
      'the tool "t" needs the argument "b" (any value); add b=<value> or --b <value> or --arg b=<value>',
    ],
    [
      "given in the whole",
      object({ a: {} }, { required: ["a"] }),
      { whole: { a: null } },
      '{"a":null}',
    ],
    [
      "given with a wrong value, which is not missing",
      object({ a: { type: "integer" } }, { required: ["a"] }),
      { pairs: [["a", "x"]] },
      'the argument "a" must be integer; found "x"; null',
    ],
    [
      "wrong in several ways",
      object({ a: { type: "integer" }, b: {} }, { required: ["b"] }),
      {
        pairs: [
          ["a", "x"],
          ["zzzzzz", "1"],
        ],
      },
      `the argument "a" must be integer; found "x"; null | ${none} "zzzzzz"; its arguments are a, b | the tool "t" needs the argument "b" (any value); add b=<value> or --b <value> or --arg b=<value>`,
    ],
  ])("is %s", async (_, schema, texts, told) => {
    expect(await typed(schema, texts)).toBe(told);
  });
});

describe("the result of a call", () => {
  const resource = { uri: "a://b", mimeType: "text/plain" };
  it.each<[result: object, text: string]>([
    [{}, ""],
    [{ content: [] }, ""],
    [
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b\n" },
        ],
      },
      "a\nb\n",
    ],
    [
      { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] },
      "[image: image/png, 3 B]\n",
    ],
    [{ content: [{ type: "audio", data: "AAAA" }] }, "[audio: 3 B]\n"],
    [
      { content: [{ type: "video", data: "AAAA" }] },
      '{\n  "type": "video",\n  "data": "AAAA"\n}\n',
    ],
    [
      { content: [{ type: "image", text: "a" }] },
      '{\n  "type": "image",\n  "text": "a"\n}\n',
    ],
    [{ content: [{ type: "text" }] }, '{\n  "type": "text"\n}\n'],
    [
      { content: [{ type: "resource_link", uri: "a://b", name: "c\nd" }] },
      "[resource link: a://b, c d]\n",
    ],
    [
      { content: [{ type: "resource", resource: { ...resource, text: "t" } }] },
      "[resource: a://b, text/plain]\nt\n",
    ],
    [
      {
        content: [
          { type: "resource", resource: { ...resource, blob: "AAAA" } },
        ],
      },
      "[resource: a://b, text/plain, 3 B]\n",
    ],
    [{ content: ["x", null] }, '"x"\nnull\n'],
    [
      { content: [{ type: "text", text: "a" }], structuredContent: { b: 1 } },
      'a\n{\n  "b": 1\n}\n',
    ],
    [
      {
        content: [{ type: "text", text: '{ "c": 2, "b": 1 }' }],
        structuredContent: { b: 1, c: 2 },
      },
      '{\n  "b": 1,\n  "c": 2\n}\n',
    ],
    [
      {
        content: [{ type: "other", text: "1" }, { type: "text", text: 1 }, "1"],
        structuredContent: 1,
      },
      '{\n  "type": "other",\n  "text": "1"\n}\n{\n  "type": "text",\n  "text": 1\n}\n"1"\n1\n',
    ],
    [
      {
        messages: [
          { role: "user", content: { type: "text", text: "a" } },
          { role: "x\ny" },
          1,
        ],
      },
      "user: a\nx y: null\n1\n",
    ],
    [
      {
        contents: [
          { ...resource, text: "t" },
          { ...resource, blob: "AAAA" },
          1,
        ],
      },
      "t\n[resource: a://b, text/plain, 3 B]\n1\n",
    ],
  ])("is shown for a reader: %j", (result, text) => {
    expect(resultText(result as never)).toBe(text);
  });

  it("is a list of tools with their arguments, the required ones first", async () => {
    const style = makeStyle(false);
    expect(toolsText(await snapshotOf([]), style)).toBe(
      "the server offers no tools\n",
    );
    const snapshot = await snapshotOf([
      {
        name: "a",
        description: " First.\nSecond.",
        inputSchema: object(
          { x: { type: "integer" }, y: { enum: ["p", "q"] }, z: {} },
          { required: ["z"] },
        ),
      },
      { name: "b", title: "Titled", inputSchema: object({}) },
      { name: "c", inputSchema: object({ ["n".repeat(500)]: {} }) },
    ]);
    expect(toolsText(snapshot, style)).toBe(
      `a(z: any value, x?: integer, y?: one of "p", "q")  First.\nb()  Titled\nc(${"n".repeat(399)}\n`,
    );
  });
});
