import { describe, expect, it } from "vitest";
import { spellingsFor } from "../../src/commands/convert/names.js";
import { converterFor } from "../../src/commands/convert/tools.js";
import { convertSchema } from "../../src/commands/convert/schema.js";
import { fromModel, takeBack } from "../../src/generator/copied/from-model.js";
import type { JsonRecord } from "../../src/generator/ir/json.js";
import { providers, type Provider } from "../../src/commands/lint/providers.js";
import { rowsOf } from "../../src/commands/lint/schemas.js";
import config from "../../src/cli/config/schema.json" with { type: "json" };
import { load } from "../view/generated.js";
import { project, snapshotOf } from "../stubs/project.js";

const named = (id: string): Provider => {
  const provider = providers.find((one) => one.id === id);
  if (provider === undefined) throw new Error(id);
  return provider;
};
const convert = (schema: object, id: string) =>
  convertSchema(schema as JsonRecord, named(id));

const text = { type: "string" };
const tagged = (kind: string, name: string): object => ({
  type: "object",
  properties: { kind: { const: kind }, [name]: text },
  required: ["kind", name],
});

describe("a schema of a tool", () => {
  it.each(["anthropic", "openai", "openai-strict"])(
    "is one object in place of alternatives for %s, and the description says what belongs together",
    (id) => {
      const { schema, words, lost } = convert(
        { oneOf: [tagged("book", "title"), tagged("song", "artist")] },
        id,
      );
      expect(schema).toMatchObject({
        type: "object",
        properties: { kind: { enum: ["book", "song"] }, title: {}, artist: {} },
      });
      expect(schema).not.toHaveProperty("oneOf");
      expect(words).toEqual([
        'Give one of these: (kind = "book", title) or (kind = "song", artist).',
      ]);
      expect(lost).toEqual([
        "the alternatives of inputSchema: one object has the members of all",
      ]);
    },
  );

  it.each(["anthropic-strict", "openai-strict"])(
    "has one closed object in place of a conjunction, in a member, too, for %s",
    (id) => {
      const part = (name: string) => ({
        type: "object",
        properties: { [name]: text },
        required: [name],
      });
      const both = { allOf: [part("a"), part("b")] };
      const word = { allOf: [text, { enum: ["x"] }] };
      const { schema } = convert(
        {
          type: "object",
          properties: { both, word, list: { type: "array", items: both } },
          required: ["both", "word", "list"],
        },
        id,
      );
      const closed = {
        type: "object",
        properties: { a: text, b: text },
        required: ["a", "b"],
        additionalProperties: false,
      };
      expect(schema["properties"]).toEqual({
        both: closed,
        word: { type: "string", enum: ["x"] },
        list: { type: "array", items: closed },
      });
    },
  );

  it("requires only what all alternatives require, and what the object itself requires", () => {
    const { schema } = convert(
      {
        type: "object",
        properties: { id: text },
        required: ["id"],
        anyOf: [
          tagged("a", "x"),
          { properties: { kind: { const: "b" } }, required: ["kind"] },
        ],
        allOf: [{ properties: { note: text }, required: ["note"] }],
      },
      "anthropic",
    );
    expect(schema["required"]).toEqual(["id", "note", "kind"]);
  });

  it.each([
    ["#/$defs/a%20b", "a b"],
    ["#/$defs/a~1b", "a/b"],
    ["#/$defs/a~0b", "a~b"],
    ["#/$defs/50%25", "50%"],
    ["#/$defs/%C3%BC", "ü"],
  ])(
    "has what the reference %s leads to where references are replaced",
    (ref, key) => {
      const { schema, lost } = convert(
        {
          type: "object",
          properties: { at: { $ref: ref } },
          required: ["at"],
          $defs: {
            [key]: { type: "object", properties: { x: text }, required: ["x"] },
          },
        },
        "openai-strict",
      );
      expect(lost).toEqual([]);
      expect(schema).toMatchObject({
        properties: { at: { type: "object", properties: { x: text } } },
      });
    },
  );

  it.each([
    "#/$defs/none",
    "#/$defs/%",
    "#/$defs/a~2b",
    "#none",
    "other.json#/a",
  ])(
    "says that it does not have what the reference %s would lead to",
    (ref) => {
      const { lost } = convert(
        { type: "object", properties: { at: { $ref: ref } } },
        "openai-strict",
      );
      expect(lost).toEqual([
        "the schema of inputSchema.properties.at: the value is a JSON text",
      ]);
    },
  );

  it.each(["anthropic", "openai", "gemini"])(
    "stays as it is where %s refuses nothing in it",
    (id) => {
      const schema = {
        type: "object",
        properties: { a: { oneOf: [text, { type: "null" }] } },
        $defs: { a: text },
      };
      expect(convert(schema, id)).toEqual({
        schema,
        wayBack: null,
        words: [],
        lost: [],
      });
    },
  );

  it("quotes a short keyword that is refused in the description, and leaves out a long one", () => {
    const long = { enum: Array.from({ length: 100 }, (_, i) => i) };
    const { schema, words, lost } = convert(
      { properties: { a: { ...text, not: long } }, not: { required: ["b"] } },
      "openai-strict",
    );
    expect(words).toEqual(['(not: {"required":["b"]})']);
    expect(schema["properties"]).toEqual({ a: { type: ["string", "null"] } });
    expect(lost).toEqual([
      "not of inputSchema",
      "not of inputSchema.properties.a",
    ]);
  });

  it.each([
    [4999, []],
    [
      5000,
      [
        "the whole inputSchema: it is too large, or has a form that the provider refuses",
      ],
    ],
  ])(
    "is converted up to 5000 parts with its own: %i members",
    (count, lost) => {
      const properties = Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`m${i}`, text]),
      );
      expect(convert({ type: "object", properties }, "anthropic").lost).toEqual(
        lost,
      );
    },
  );

  it.each([
    [200, true],
    [201, false],
  ])("quotes a keyword of up to 200 characters: %i, %s", (length, isQuoted) => {
    const pattern = "x".repeat(length - 'not: {"pattern":""}'.length);
    const quoted = `(not: {"pattern":"${pattern}"})`;
    const { words, lost } = convert({ not: { pattern } }, "openai-strict");
    expect(words).toEqual(isQuoted ? [quoted] : []);
    expect(lost).toEqual(["not of inputSchema"]);
  });

  it.each([
    [{}, "JSON text"],
    [{ title: "T" }, 'JSON text of a value of this schema: {"title":"T"}'],
    [{ description: "Any." }, "Any. JSON text"],
    [{ title: "x".repeat(200) }, "JSON text"],
  ])(
    "says of a JSON text of which schema it is, if that is short: %j",
    (member, description) => {
      const { schema } = convert(
        { type: "object", properties: { a: member }, required: ["a"] },
        "openai-strict",
      );
      expect(schema).toMatchObject({
        properties: { a: { type: "string", description } },
      });
    },
  );

  const where = "inputSchema.properties";
  const strict = [
    `null of ${where}.first: it means that the member is left out`,
    `the schema of ${where}.second: the value is a JSON text`,
    `the schema of ${where}.third: the value is a JSON text`,
    `the alternatives of ${where}.fourth: one object has the members of all`,
    `the schema of ${where}.last.items: the value is a JSON text`,
  ];
  const [pattern, third] = [
    `patternProperties of ${where}.second`,
    `the schema of ${where}.third`,
  ];
  it.each<[id: string, lost: readonly string[]]>([
    ["openai-strict", [...strict, pattern]],
    ["anthropic-strict", strict],
    ["openai", [pattern, third]],
  ])(
    "says what it lost from the outside to the inside, in the order of its members, for %s",
    (id, own) => {
      const all = convert(
        {
          type: "object",
          not: { required: ["z"] },
          oneOf: [tagged("book", "title"), tagged("song", "artist")],
          properties: {
            first: { type: ["string", "null"], not: { const: "a" } },
            second: {
              type: "object",
              patternProperties: { "^x": text },
              anyOf: [tagged("one", "a"), tagged("two", "b")],
            },
            third: { $ref: "#/none" },
            fourth: {
              type: "object",
              properties: { id: text },
              anyOf: [tagged("one", "a"), tagged("two", "b")],
            },
            last: { type: "array", items: { not: text }, contains: text },
          },
        },
        id,
      );
      expect(all.words).toEqual([
        'Give one of these: (kind = "book", title) or (kind = "song", artist).',
        '(not: {"required":["z"]})',
      ]);
      const [first, second, outer, fourth, inner] = strict;
      const places = [
        "the alternatives of inputSchema: one object has the members of all",
        "not of inputSchema",
        `not of ${where}.first`,
        first,
        pattern,
        second,
        outer,
        third,
        fourth,
        `contains of ${where}.last`,
        `not of ${where}.last.items`,
        inner,
      ];
      const others = new Set(
        [...strict, pattern, third].filter((one) => !own.includes(one)),
      );
      expect(all.lost).toEqual(
        places.filter((one) => one !== undefined && !others.has(one)),
      );
    },
  );

  it("has legal names of members for anthropic, which are taken back, also in what refers to itself", () => {
    const node = {
      type: "object",
      properties: {
        "first name": text,
        first_name: text,
        next: { $ref: "#/$defs/node" },
      },
    };
    const { schema, wayBack } = convert(
      {
        type: "object",
        properties: { "a node": { $ref: "#/$defs/node" } },
        $defs: { node },
      },
      "anthropic",
    );
    expect(schema["properties"]).toEqual({
      a_node: {
        type: "object",
        properties: { first_name_2: text, first_name: text, next: {} },
      },
    });
    const value = {
      a_node: {
        first_name_2: "A",
        first_name: "B",
        next: { "first name": "C" },
      },
    };
    expect(takeBack(value, wayBack ?? {})).toEqual({
      "a node": {
        "first name": "A",
        first_name: "B",
        next: { "first name": "C" },
      },
    });
  });

  it.each([
    ["deep", (inner: object) => ({ type: "object", properties: { a: inner } })],
    [
      "full of references",
      (inner: object) => ({
        ...inner,
        allOf: [{ $ref: "#" }, { $ref: "#/allOf/0" }],
      }),
    ],
  ])(
    "that is hostile because it is %s ends in a schema that accepts anything",
    (_, around) => {
      let schema: object = { ...text, minLength: 1 };
      for (let i = 0; i < 3000; i++) schema = around(schema);
      for (const { id } of providers) {
        const { schema: converted } = convert(schema, id);
        expect(JSON.stringify(converted).length).toBeLessThan(300_000);
      }
    },
  );
});

describe("a list of types for Gemini", () => {
  it("is alternatives, each with the keywords of its type and those of all types", () => {
    const { schema } = convert(
      {
        type: "object",
        properties: {
          at: {
            type: ["integer", "string", "array", "null"],
            description: "Where.",
            minimum: 1,
            maxLength: 5,
            items: text,
            default: 2,
          },
        },
      },
      "gemini",
    );
    const all = { default: 2, nullable: true };
    expect(schema["properties"]).toEqual({
      at: {
        description: "Where.",
        anyOf: [
          { ...all, type: "integer", minimum: 1 },
          { ...all, type: "string", maxLength: 5 },
          { ...all, type: "array", items: text },
        ],
      },
    });
  });
});

describe("a schema whose references form a long row", () => {
  it.each(["allOf", "anyOf", "oneOf", "properties"])(
    "is one that each provider takes: in %s",
    (keyword) => {
      const count = 4900;
      const to = (i: number): object => ({ $ref: `#/$defs/n${i}` });
      const next = (i: number): object => ({
        type: "object",
        [keyword]: keyword === "properties" ? { a: to(i) } : [to(i)],
      });
      const $defs = Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`n${i}`, next(i + 1)]),
      );
      for (const provider of providers) {
        const { schema } = convert({ ...next(0), $defs }, provider.id);
        expect(rowsOf(schema, provider)).toEqual([]);
      }
    },
  );
});

describe("strict mode", () => {
  const schema = {
    type: "object",
    properties: {
      to: text,
      limit: { type: "integer", default: 5 },
      kind: { enum: ["a", "b"] },
      only: { const: "x" },
      extra: { anyOf: [text, { type: "number" }] },
      labels: { type: "object", additionalProperties: text },
      rows: {
        type: "array",
        items: { type: "object", properties: { since: text } },
      },
    },
    required: ["to"],
  };

  it("requires all members, and takes back nulls and JSON texts", () => {
    const { schema: strict, wayBack } = convert(schema, "openai-strict");
    expect(strict).toMatchObject({
      required: ["to", "limit", "kind", "only", "extra", "labels", "rows"],
      additionalProperties: false,
      properties: {
        to: text,
        limit: { type: ["integer", "null"], description: "(default: 5)" },
        kind: { type: ["string", "null"], enum: ["a", "b", null] },
        only: { type: ["string", "null"], enum: ["x", null] },
        extra: { anyOf: [text, { type: "number" }, { type: "null" }] },
        labels: { type: ["string", "null"] },
      },
    });
    const nothing = {
      limit: null,
      kind: null,
      only: null,
      extra: null,
      labels: null,
      rows: null,
    };
    expect(takeBack({ to: "a", ...nothing }, wayBack ?? {})).toEqual({
      to: "a",
    });
    const some = {
      to: "a",
      labels: '{"x":"y"}',
      rows: [{ since: null }, { since: "b" }],
    };
    expect(takeBack(some, wayBack ?? {})).toEqual({
      to: "a",
      labels: { x: "y" },
      rows: [{}, { since: "b" }],
    });
  });

  it.each(providers.filter(({ closed }) => closed === true))(
    "leaves a schema as it is that $title takes",
    ({ id }) => {
      const closed = (properties: object): object => ({
        type: "object",
        properties,
        required: Object.keys(properties),
        additionalProperties: false,
      });
      const schema = closed({
        a: closed({ b: { type: ["string", "null"] } }),
        c: { type: "array", items: closed({ d: text }) },
        e: { anyOf: [closed({ f: text }), closed({ g: text })] },
      });
      expect(convert(schema, id)).toEqual({
        schema,
        wayBack: null,
        words: [],
        lost: [],
      });
    },
  );

  it("keeps a null that a required member may have, and a text that is not JSON", () => {
    const members = { a: { type: ["string", "null"] }, b: { type: "object" } };
    const { wayBack } = convert(
      { type: "object", properties: members, required: ["a", "b"] },
      "openai-strict",
    );
    expect(takeBack({ a: null, b: "none" }, wayBack ?? {})).toEqual({
      a: null,
      b: "none",
    });
  });

  it("reads alternatives as a JSON text if one value would have two meanings", () => {
    const map = { type: "object", additionalProperties: text };
    const { schema: strict, wayBack } = convert(
      { properties: { a: { anyOf: [text, map] } }, required: ["a"] },
      "openai-strict",
    );
    expect(strict["properties"]).toMatchObject({ a: { type: "string" } });
    expect(takeBack({ a: '"x"' }, wayBack ?? {})).toEqual({ a: "x" });
  });

  it("takes all arguments as one text where no member has a name", () => {
    const { schema: strict, wayBack } = convert(
      { type: "object", additionalProperties: text },
      "openai-strict",
    );
    expect(strict).toMatchObject({
      required: ["json"],
      additionalProperties: false,
    });
    expect(takeBack({ json: '{"a":"b"}' }, wayBack ?? {})).toEqual({ a: "b" });
  });

  it("keeps members of the names that objects inherit", () => {
    const value = JSON.parse(
      '{"a":{"__proto__":{"x":1},"constructor":null}}',
    ) as object;
    const way = JSON.parse(
      '{"members":{"a":{"members":{"__proto__":{"isJson":true}}}}}',
    ) as object;
    expect(JSON.stringify(takeBack(value, way))).toBe(JSON.stringify(value));
  });
});

describe("the name of a tool", () => {
  const names = [
    "ok",
    "with space",
    "with.dot",
    "with_dot",
    "9lives",
    "",
    "x".repeat(200),
    `${"x".repeat(200)}y`,
    "ключ",
  ];
  it.each(providers)(
    "is one that $title takes, and is kept if it is valid",
    ({ name }) => {
      const spellings = spellingsFor(names, name);
      const all = names.map((one) => spellings.get(one) ?? one);
      for (const one of all) expect(one).toMatch(new RegExp(name));
      expect(all[0]).toBe("ok");
    },
  );

  it.each(providers)("is another one for each name with $title", ({ name }) => {
    const spellings = spellingsFor(names, name);
    expect(new Set(names.map((one) => spellings.get(one) ?? one)).size).toBe(
      names.length,
    );
  });
});

describe("tools.ts for a provider", () => {
  const tools = [
    {
      name: "find.books",
      description: "Finds books.",
      inputSchema: {
        type: "object",
        properties: { words: text, limit: { type: "integer" } },
        required: ["words"],
      },
    },
    {
      name: "any",
      inputSchema: {
        type: "object",
        oneOf: [tagged("book", "title"), tagged("song", "artist")],
      },
    },
  ];

  it("calls the tool by its own name with its own arguments, and refuses what the server would refuse", async () => {
    const { files, reports } = await project(snapshotOf({ tools }), {
      convert: converterFor("openai-strict"),
      emit: ["tools"],
    });
    const { createModelTools } = (await load(files, "tools.ts")) as {
      createModelTools: (client: object) => never;
    };
    const { createMadeClient } = (await load(files, "client.ts")) as {
      createMadeClient: (caller: object) => object;
    };
    const calls: object[] = [];
    const callTool = (params: object): Promise<object> =>
      Promise.resolve(calls.push(params)).then(() => ({ content: [] }));
    const made: Record<
      string,
      {
        name: string;
        description: string;
        execute: (args: object) => Promise<unknown>;
      }
    > = createModelTools(createMadeClient({ callTool }));
    expect(Object.values(made).map(({ name }) => name)).toEqual([
      "any",
      "find_books",
    ]);
    expect(made["any"]?.description).toBe(
      'Give one of these: (kind = "book", title) or (kind = "song", artist).',
    );
    await made["findBooks"]?.execute({ words: "a", limit: null });
    await made["any"]?.execute({ kind: "song", artist: "b", title: null });
    expect(calls).toEqual([
      { name: "find.books", arguments: { words: "a" } },
      { name: "any", arguments: { kind: "song", artist: "b" } },
    ]);
    await expect(
      made["any"]?.execute({ kind: "song", artist: null, title: "c" }),
    ).rejects.toThrow("artist");
    expect(calls.length).toBe(2);
    expect(reports.filter(({ code }) => code === "MG319")).toEqual([
      expect.objectContaining({ severity: "note", within: ['tool "any"'] }),
    ]);
  });

  it("is for the providers that the configuration takes", () => {
    expect(config.$defs.ServerJob.properties.for.enum).toEqual(
      providers.map(({ id }) => id),
    );
    expect(fromModel((args: never) => args)({ a: null })).toEqual({ a: null });
  });
});
