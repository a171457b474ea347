import { describe, expect, it } from "vitest";
import {
  type LiveClient,
  pull,
  PullError,
  pullTools,
} from "../../src/generator/read/live/pull.js";

type Params = { cursor?: string };
type Page = { readonly [member: string]: unknown };
type Pages = (params: Params) => Page;

interface Served {
  readonly tools?: Pages;
  readonly prompts?: Pages;
  readonly resources?: Pages;
  readonly resourceTemplates?: Pages;
}

const everything = { tools: {}, prompts: {}, resources: {} };

/** A connection to a server with these pages, which counts requests. */
function clientOf(
  served: Served,
  server: Partial<LiveClient["server"]> = {},
): { client: LiveClient; asked: unknown[] } {
  const asked: unknown[] = [];
  const listing =
    (what: keyof Served) =>
    async (params: Params, options: object): Promise<Page> => {
      asked.push([what, params, options]);
      await Promise.resolve();
      return served[what]?.(params) ?? {};
    };
  const client = {
    revision: "2025-11-25",
    server: { info: { name: "s" }, capabilities: everything, ...server },
    listTools: listing("tools"),
    listPrompts: listing("prompts"),
    listResources: listing("resources"),
    listResourceTemplates: listing("resourceTemplates"),
  };
  return { client, asked };
}

/** What is pulled, with what is said meanwhile. */
async function pulled(
  served: Served,
  server: Partial<LiveClient["server"]> = {},
) {
  const said: unknown[] = [];
  const { client, asked } = clientOf(served, server);
  const text = await pull(client, {
    onPage: (what, count) => said.push([what, count]),
    onWarning: (warning) => said.push(warning),
  });
  const snapshot = JSON.parse(text) as Record<string, unknown>;
  return { snapshot, said, asked };
}

const error = (code: unknown): Error =>
  Object.assign(new Error("no such method"), { code });
const fails = (reason: unknown) => (): Page => {
  throw reason;
};
const tool = (name: string): object => ({ name, inputSchema: {} });

describe("a snapshot of a server", () => {
  it("has the lists that the server declares, in pages", async () => {
    const { snapshot, said, asked } = await pulled(
      {
        tools: ({ cursor }) =>
          cursor === "2"
            ? { tools: [tool("a"), 3, null, []] }
            : { tools: [tool("b")], nextCursor: "2" },
        prompts: () => ({ prompts: [{ name: "p" }], nextCursor: 3 }),
        resources: () => ({ resources: {} }),
        resourceTemplates: () => ({
          resourceTemplates: [{ name: "t", uriTemplate: "t:{a}" }],
        }),
      },
      { instructions: "Be kind." },
    );
    expect(snapshot).toEqual({
      format: 1,
      revision: "2025-11-25",
      server: { name: "s" },
      capabilities: everything,
      instructions: "Be kind.",
      tools: [tool("a"), tool("b")],
      prompts: [{ name: "p" }],
      resources: [],
      resourceTemplates: [{ name: "t", uriTemplate: "t:{a}" }],
    });
    expect(said).toEqual([
      ["tools", 1],
      ["tools", 2],
      ["prompts", 1],
      ["resources", 0],
      ["resourceTemplates", 1],
    ]);
    expect(asked).toEqual([
      ["tools", {}, {}],
      ["tools", { cursor: "2" }, {}],
      ["prompts", {}, {}],
      ["resources", {}, {}],
      ["resourceTemplates", {}, {}],
    ]);
  });

  it.each([[{ tools: {} }], [{ tools: {}, toString: {} }]])(
    "has no list that the server does not declare: %j",
    async (capabilities) => {
      const served = { prompts: () => ({ prompts: [{ name: "p" }] }) };
      const { snapshot, asked } = await pulled(served, { capabilities });
      expect(snapshot["prompts"]).toEqual([]);
      expect(asked).toEqual([["tools", {}, {}]]);
    },
  );

  it.each([[null], [[]], ["tools"], [undefined]])(
    "has no lists and no name if the server describes itself as %j",
    async (value) => {
      const server = { info: value, capabilities: value };
      const { snapshot, asked } = await pulled({}, server);
      expect(snapshot).toEqual({
        format: 1,
        revision: "2025-11-25",
        server: {},
        capabilities: {},
        tools: [],
        prompts: [],
        resources: [],
        resourceTemplates: [],
      });
      expect(asked).toEqual([]);
      expect(await pullTools(clientOf({}, server).client, {})).toEqual([]);
    },
  );

  it("has only the tools where only they are asked for", async () => {
    const { client, asked } = clientOf({
      tools: () => ({ tools: [tool("b"), tool("a")] }),
    });
    const { signal } = new AbortController();
    expect(await pullTools(client, { signal })).toEqual([tool("b"), tool("a")]);
    expect(asked).toEqual([["tools", {}, { signal }]]);
    const { client: without } = clientOf({}, { capabilities: { prompts: {} } });
    expect(await pullTools(without, {})).toEqual([]);
  });

  it("leaves out a list without a method, with a warning but for templates", async () => {
    const absent = fails(error(-32601));
    const { snapshot, said } = await pulled({
      tools: absent,
      prompts: absent,
      resources: absent,
      resourceTemplates: absent,
    });
    expect(snapshot["tools"]).toEqual([]);
    expect(said.filter((one) => typeof one === "string")).toEqual([
      "The server declares tools, but does not implement tools/list.",
      "The server declares prompts, but does not implement prompts/list.",
      "The server declares resources, but does not implement resources/list.",
    ]);
  });

  it.each([
    error(-32600),
    error("-32601"),
    new Error("gone"),
    { code: -32601 },
  ])("fails with any other error of the server: %o", async (reason) => {
    await expect(pulled({ prompts: fails(reason) })).rejects.toBe(reason);
  });

  it("ends a list whose cursors repeat, and has a page that repeats once", async () => {
    const same = await pulled({
      tools: () => ({ tools: [tool("a")], nextCursor: "1" }),
    });
    expect(same.snapshot["tools"]).toEqual([tool("a")]);
    expect(same.said.slice(0, 3)).toEqual([
      ["tools", 1],
      ["tools", 1],
      "The server returned the same cursor twice for its tools, so the list ends there. It may be incomplete.",
    ]);
  });

  it("works without listeners for pages and warnings", async () => {
    const { client } = clientOf({
      tools: () => ({ tools: [tool("a")], nextCursor: "1" }),
      prompts: fails(error(-32601)),
    });
    expect(JSON.parse(await pull(client, {}))).toMatchObject({
      tools: [tool("a")],
      prompts: [],
    });
  });

  it("has the page behind an empty one", async () => {
    const { snapshot } = await pulled({
      tools: ({ cursor }) =>
        cursor === "1" ? { tools: [tool("a")] } : { nextCursor: "1" },
    });
    expect(snapshot["tools"]).toEqual([tool("a")]);
  });
});

const nested = (levels: number): unknown =>
  JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown;
const many = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ name: `${i}` }));
const pages =
  (count: number) =>
  ({ cursor = "1" }: Params): Page => ({
    tools: [tool(cursor)],
    ...(Number(cursor) < count && { nextCursor: `${Number(cursor) + 1}` }),
  });

describe("the limits of what a server may list", () => {
  it.each<
    [what: string, served: Served, server: object, message: string | null]
  >([
    ["pages", { tools: pages(1000) }, {}, null],
    [
      "pages",
      { tools: pages(1001) },
      {},
      "The server has more than 1000 pages of tools.",
    ],
    ["entries", { prompts: () => ({ prompts: many(20_000) }) }, {}, null],
    [
      "entries",
      { prompts: () => ({ prompts: many(20_001) }) },
      {},
      "The server lists more than 20000 prompts.",
    ],
    [
      "levels of a resource",
      {
        resources: () => ({
          resources: [{ uri: "a:b", name: "n", x: nested(399) }],
        }),
      },
      {},
      null,
    ],
    [
      "levels of a resource",
      {
        resources: () => ({
          resources: [{ uri: "a:b", name: "n", x: nested(400) }],
        }),
      },
      {},
      'The resource "a:b" is nested more than 400 levels deep.',
    ],
    [
      "levels of a template with a long name",
      {
        resourceTemplates: () => ({
          resourceTemplates: [
            { name: "n", uriTemplate: "a".repeat(81), x: nested(400) },
          ],
        }),
      },
      {},
      `The resource template "${"a".repeat(80)}" is nested more than 400 levels deep.`,
    ],
    [
      "levels of a prompt",
      { prompts: () => ({ prompts: [{ name: "p", x: nested(400) }] }) },
      {},
      'The prompt "p" is nested more than 400 levels deep.',
    ],
    [
      "levels of a tool without a name",
      { tools: () => ({ tools: [{ x: nested(400) }] }) },
      {},
      'The tool "undefined" is nested more than 400 levels deep.',
    ],
    [
      "levels of the description",
      {},
      { info: { a: nested(400) } },
      "The description of the server is nested more than 400 levels deep.",
    ],
    [
      "characters",
      {},
      { capabilities: {}, info: {}, instructions: "x".repeat(2 ** 24 - 6) },
      null,
    ],
    [
      "characters",
      {},
      { capabilities: {}, info: {}, instructions: "x".repeat(2 ** 24 - 5) },
      "The lists of the server are larger than 16777216 characters.",
    ],
  ])("are of %s", async (_, served, server, message) => {
    if (message === null) {
      await pulled(served, server);
      return;
    }
    const failure: unknown = await pulled(served, server).catch(
      (reason: unknown) => reason,
    );
    expect(failure).toBeInstanceOf(PullError);
    expect(failure).toMatchObject({ name: "PullError", message });
  });

  it("leave out only the schema of a tool that is nested too deep", async () => {
    const schemas = (levels: number): object => ({
      inputSchema: { x: nested(levels) },
      outputSchema: { y: 1, x: nested(levels) },
    });
    const listed = [
      { name: "a", ...schemas(398) },
      { name: "b", ...schemas(399) },
      { name: "c", inputSchema: {}, outputSchema: { x: nested(400) } },
    ];
    const { snapshot } = await pulled({ tools: () => ({ tools: listed }) });
    const deep = {
      $comment:
        "The schema is nested more than 400 levels deep and was left out.",
      type: "object",
    };
    expect(snapshot["tools"]).toEqual([
      listed[0],
      { name: "b", inputSchema: deep, outputSchema: deep },
      { name: "c", inputSchema: {}, outputSchema: deep },
    ]);
  });
});
