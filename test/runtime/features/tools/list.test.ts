import {
  type Features,
  prompts,
  resources,
  tools,
} from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  failure,
  join,
  type Json,
  makeServer,
  modern,
  revisions,
  textOf,
} from "../../kit/index.js";
import { conditional, echo, open, standard } from "./kit.js";

describe.each(revisions)("tools() at $revision", (one) => {
  const { protocol, revision } = one;
  const lacks = new Set([
    ...(revision < "2025-03-26" ? ["annotations"] : []),
    ...(revision < "2025-06-18" ? ["title", "_meta"] : []),
  ]);
  const known = (tool: object): object =>
    Object.fromEntries(
      Object.entries(tool).filter(([member]) => !lacks.has(member)),
    );

  it("TOOL-01 TOOL-14 SCHEMA-05 VERS-11 lists tools unchanged, except for members that the revision does not have", async () => {
    const strange = {
      name: "strange",
      inputSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: {
          place: {
            $anchor: "place",
            type: "object",
            "x-unknown": [1, { a: null }],
          },
        },
        allOf: [{ anyOf: [{ required: ["a"] }, { required: ["b"] }] }],
        ...(JSON.parse(conditional) as Json),
        unevaluatedProperties: false,
      },
      _meta: { "example.com/x": 1 },
      "x-unknown": ["kept"],
      handler: () => "done",
    };
    const client = await open(
      protocol,
      tools([echo, strange, { name: "bare", handler: () => "done" }]),
    );
    expect(client.server.capabilities).toEqual({ tools: {} });
    const listed = await client.listTools();
    const { handler: _echo, ...first } = echo;
    const { handler: _strange, ...second } = strange;
    expect(listed["tools"]).toEqual([
      known(first),
      known(second),
      // TOOL-10: the schema reaches the client unchanged.
      {
        name: "bare",
        inputSchema: { type: "object", additionalProperties: false },
      },
    ]);
    expect((await client.listTools())["tools"]).toEqual(listed["tools"]);
  });

  it("TOOL-01 answers with an empty list when there is no tool", async () => {
    const client = await open(protocol, tools([]));
    expect((await client.listTools())["tools"]).toEqual([]);
  });

  it("PAGE-02 PAGE-06 TOOL-14 lists many tools page by page", async () => {
    const many = Array.from({ length: 25 }, (_, i) => ({
      name: `tool${i}`,
      handler: () => "done",
    }));
    const client = await open(protocol, tools(many, { pageSize: 10 }));
    const sizes: number[] = [];
    let cursor: unknown;
    do {
      const page = await client.listTools(
        cursor === undefined ? {} : { cursor },
      );
      sizes.push((page["tools"] as unknown[]).length);
      cursor = page["nextCursor"];
    } while (cursor !== undefined);
    expect(sizes).toEqual([10, 10, 5]);
    const names: unknown[] = [];
    for await (const { name } of client.tools()) names.push(name);
    expect(names).toEqual(many.map(({ name }) => name));
  });

  it("PAGE-02 fills pages with what a caller may see, and asks only for what is on them", async () => {
    const asked: string[] = [];
    const many = Array.from({ length: 12 }, (_, i) => ({
      name: `${i % 3 === 1 ? "hidden" : "tool"}${i}`,
      visible: () => asked.push(`${i}`) > 0 && i % 3 !== 1,
      handler: () => "done",
    }));
    const client = await open(protocol, tools(many, { pageSize: 3 }));
    const pages: unknown[] = [];
    const cursors: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools({ cursor });
      const listed = page["tools"] as readonly Json[];
      pages.push([listed.map(({ name }) => name), asked.splice(0)]);
      cursor = page["nextCursor"] as string | undefined;
      if (cursor !== undefined) cursors.push(cursor);
    } while (cursor !== undefined);
    // With each page, it is known whether another one follows.
    expect(pages).toEqual([
      [
        ["tool0", "tool2", "tool3"],
        ["0", "1", "2", "3", "4", "5"],
      ],
      [
        ["tool5", "tool6", "tool8"],
        ["4", "5", "6", "7", "8", "9"],
      ],
      [
        ["tool9", "tool11"],
        ["9", "10", "11"],
      ],
    ]);
    // The number is that of the listed tools, not their place.
    expect(cursors.map((text) => JSON.parse(text) as unknown)).toEqual([
      [3, "tool3", "tool5", "tools/1"],
      [6, "tool8", "tool9", "tools/1"],
    ]);
  });

  it("lists boolean schemas of properties, as objects with the same meaning if the revision has only these", async () => {
    const properties = { any: true, none: false };
    const schema = { type: "object", properties };
    const tool = {
      name: "open",
      inputSchema: schema,
      outputSchema: schema,
      handler: () => ({ any: 1 }),
    };
    const client = await open(protocol, tools([echo, tool]));
    const [first, listed] = (await client.listTools())[
      "tools"
    ] as readonly Json[];
    expect(first).toMatchObject({ name: "echo" });
    const sent = one === modern ? properties : { any: {}, none: { not: {} } };
    expect(listed).toMatchObject({
      name: "open",
      inputSchema: { ...schema, properties: sent },
    });
    expect(
      await client.callTool({ name: "open", arguments: { any: [1] } }),
    ).not.toHaveProperty("isError");
    expect(
      await client.callTool({ name: "open", arguments: { none: 1 } }),
    ).toMatchObject({ isError: true });
  });

  it("PAGE-04 rejects the cursor of another list", async () => {
    const names = ["a", "b"];
    const [pageSize, handler] = [{ pageSize: 1 }, (): string => "done"];
    const client = await open(protocol, {
      ...tools(
        names.map((name) => ({ name, handler })),
        pageSize,
      ),
      ...prompts(
        names.map((name) => ({ name, get: handler })),
        pageSize,
      ),
      ...resources(
        names.map((name) => ({ name, uri: `file:///${name}`, read: handler })),
        pageSize,
      ),
    });
    const methods = client as unknown as Record<
      string,
      (params?: object) => Promise<Json>
    >;
    const lists = ["listTools", "listPrompts", "listResources"].map(
      (name) => async (params?: object) =>
        (await methods[name]?.(params)) ?? {},
    );
    for (const list of lists) {
      const cursor = (await list())["nextCursor"];
      expect(typeof cursor).toBe("string");
      for (const other of lists) {
        const page = other({ cursor });
        if (other === list) await page;
        else expect(await failure(page)).toMatchObject({ code: -32602 });
      }
    }
  });

  it.each(["nonsense", "", "7", "null", "[]", '["a","b",1]', '[1.5,"a","b"]'])(
    "PAGE-04 rejects the unknown cursor %j",
    async (cursor) => {
      const client = await open(protocol, tools([echo]));
      expect(await failure(client.listTools({ cursor }))).toMatchObject({
        code: -32602,
      });
    },
  );

  const changing = async () => {
    let current = [echo];
    const features = tools(() => current);
    const both = await join(protocol, {
      server: { handlers: { ...features } },
    });
    return {
      ...both,
      become: (names: readonly string[]) =>
        (current = names.map((name) => ({ ...echo, name }))),
    };
  };

  it("TOOL-13 declares listChanged if a function returns the tools", async () => {
    const { client, server } = await changing();
    expect(client.server.capabilities).toEqual({
      tools: { listChanged: true },
    });
    expect(() => server.notify["toolsListChanged"]?.()).not.toThrow();
  });

  it("TOOL-13 lists and calls the tools that a function returns for each request", async () => {
    const { client, become } = await changing();
    expect((await client.listTools())["tools"]).toHaveLength(1);
    become(["echo", "again"]);
    expect((await client.listTools())["tools"]).toHaveLength(2);
    expect(
      textOf(
        await client.callTool({ name: "again", arguments: { value: "x" } }),
      ),
    ).toBe("x");
    become([]);
    expect(await failure(client.callTool({ name: "again" }))).toMatchObject({
      code: -32602,
    });
  });

  it.each([
    [
      "entries are added and removed before the cursor",
      ["0", "1", "b", "c", "d"],
      ["c", "d"],
    ],
    ["the last entry of the page is removed", ["a", "c", "d"], ["c", "d"]],
    ["all entries of the page are removed", ["c", "d"], ["c", "d"]],
    ["the first entry after the page is removed", ["0", "a", "b", "d"], ["d"]],
    ["both entries beside the cursor are removed", ["a", "d"], ["d"]],
    ["entries are added at the cursor", ["a", "b", "x", "c"], ["x", "c"]],
    ["all entries are removed", [], []],
  ])(
    "continues at the right entry of the next page if %s (PAGE-07)",
    async (_, later, expected) => {
      const named = (
        names: readonly string[],
      ): { name: string; handler(): string }[] =>
        names.map((name) => ({ name, handler: () => name }));
      let current = named(["a", "b", "c", "d"]);
      const source = tools(() => current, { pageSize: 2 });
      const client = await open(protocol, source);
      const { nextCursor: cursor } = await client.listTools();
      current = named(later);
      const page = await client.listTools({ cursor });
      expect(
        (page["tools"] as readonly Json[]).map(({ name }) => name),
      ).toEqual(expected);
    },
  );

  it.each([
    ["nothing is removed", [], "efgh"],
    ["entries of earlier pages are removed", ["a", "b", "c"], "efgh"],
    ["both entries beside the cursor are removed", ["d", "e"], "fgh"],
  ])(
    "continues at the right entry of the third page if %s (PAGE-07)",
    async (_, removed, expected) => {
      const names = [..."abcdefgh"];
      let current = names;
      const source = tools(
        () => current.map((name) => ({ name, handler: () => name })),
        { pageSize: 2 },
      );
      const client = await open(protocol, source);
      let listed = "";
      let cursor: unknown;
      for (let count = 1; count === 1 || cursor !== undefined; count++) {
        const page = await client.listTools(
          cursor === undefined ? {} : { cursor },
        );
        for (const { name } of page["tools"] as readonly Json[])
          listed += String(name);
        cursor = page["nextCursor"];
        if (count === 2)
          current = names.filter((name) => !removed.includes(name));
      }
      expect(listed).toBe(`abcd${expected}`);
    },
  );

  const joined = {
    ...tools([echo]),
    ...tools([{ name: "bare", handler: () => "done" }]),
  };
  it("joins two lists of tools", async () => {
    const { client } = await join(protocol, { server: { handlers: joined } });
    expect((await client.listTools())["tools"]).toMatchObject([
      { name: "echo" },
      { name: "bare" },
    ]);
    expect(textOf(await client.callTool({ name: "bare" }))).toBe("done");
  });

  it("prefers a handler of the user to two lists of tools", async () => {
    const byHand = { ...joined, "tools/list": () => ({ tools: [] }) };
    const { client: other } = await join(protocol, {
      server: { handlers: byHand },
    });
    expect((await other.listTools())["tools"]).toEqual([]);
    expect(textOf(await other.callTool({ name: "bare" }))).toBe("done");
  });

  it("refuses two lists that declare the same tool", () => {
    const twice = { ...joined, ...tools([echo]) };
    expect(() => makeServer(protocol, { handlers: twice })).toThrow(
      '"echo" is declared twice',
    );
  });
});

const unconvertible = standard((value) => value, {
  input: {},
  get output(): object {
    throw new Error("no dates");
  },
});

describe("tools()", () => {
  it.each<readonly [string, object, string]>([
    ["a duplicate name", { name: "echo" }, '"echo" is declared twice'],
    [
      "TOOL-10 a schema that is null",
      { inputSchema: null },
      "expected a Standard Schema or a JSON Schema",
    ],
    [
      "TOOL-10 a schema of another type than object",
      { inputSchema: { type: "string" } },
      'The tool "other": inputSchema.type: expected "object", got "string". Add type: "object".',
    ],
    [
      "TOOL-10 a schema without a type",
      { inputSchema: {} },
      'The tool "other": inputSchema.type: expected "object", got none. Add type: "object".',
    ],
    [
      "a Standard Schema of a union, and says what to write",
      {
        inputSchema: standard((value) => value, {
          input: { anyOf: [{ type: "object" }] },
          output: {},
        }),
      },
      'The tool "other": inputSchema.type: expected "object", got anyOf. Set inputJsonSchema beside it, with type "object".',
    ],
    [
      "a Standard Schema without a JSON Schema",
      { inputSchema: standard((value) => value) },
      'The tool "other": inputSchema: this schema of test cannot be converted to JSON Schema. Set inputJsonSchema as well.',
    ],
    [
      "a Standard Schema that fails to convert, with its reason",
      { outputSchema: unconvertible },
      'The tool "other": outputSchema: this schema of test cannot be converted to JSON Schema (no dates). Set outputJsonSchema as well.',
    ],
    [
      "an object of schemas, and says what to write",
      { inputSchema: { city: standard((value) => value) } },
      'The tool "other": inputSchema: expected a schema, got an object of schemas. Write z.object({ city: … })',
    ],
    [
      "an object of schemas without Standard Schema",
      { inputSchema: { city: { _def: {}, parse: () => "" } } },
      "Write z.object({ city: … })",
    ],
    [
      "a schema of an old library, and says what to do",
      { inputSchema: { _def: {}, parse: () => "" } },
      "got a schema of a library that has none, as zod before 3.24. Update the library.",
    ],
    [
      "a handler with another name, and says what to write",
      { handler: undefined, execute: () => "" },
      'The tool "other": handler: expected a function, got undefined. Rename execute to handler.',
    ],
    [
      "HDR-11 a header that clients would reject",
      {
        inputSchema: {
          type: "object",
          properties: { a: { type: "number", "x-mcp-header": "A" } },
        },
      },
      "x-mcp-header",
    ],
  ])("refuses %s when it is defined", (_, members, message) => {
    const make = (): Features =>
      tools([echo, { name: "other", handler: () => "", ...members }]);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  it("TOOL-11 warns of a name that some clients reject", () => {
    const warnings: string[] = [];
    const handlers = {
      ...tools([{ name: "two words", handler: () => "" }, echo]),
    };
    makeServer(modern.protocol, {
      handlers,
      onWarning: (text) => warnings.push(text),
    });
    expect(warnings).toEqual([
      "Some clients reject the name of the tool two words.",
    ]);
  });
});
