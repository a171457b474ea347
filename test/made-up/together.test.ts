import { join } from "node:path";
import {
  memoryPair,
  serve,
  type ServerDefinition,
  type Transport,
} from "@mcpgen/runtime";
import { beforeAll, describe, expect, it } from "vitest";
import { generate, readSchema } from "../../src/index.js";
import { root } from "../repository.js";
import { failure, type Json } from "../runtime/kit/messages.js";
import {
  type AnyClient,
  type AnyServer,
  type Generated,
  type Handlers,
  info,
  outFolder,
  read,
  schemas,
  write,
  writeAt,
} from "./made-up.js";

/** The generated index of several revisions. */
interface Page {
  readonly clientQuestions: unknown;
  readonly protocols: Readonly<Record<string, Generated>>;
  readonly serverQuestions: unknown;
  createServers(options: {
    info: Json;
    questions?: unknown;
    handlers: Handlers;
    capabilities?: Json;
  }): readonly AnyServer[] & {
    readonly notify: AnyServer["notify"];
  };
  connect(
    transport: Transport,
    options: {
      info: Json;
      questions?: unknown;
      handlers?: Handlers;
      revisions?: readonly string[];
      mode?: string;
    },
  ): Promise<AnyClient>;
}

let page: Page;
beforeAll(async () => {
  const bundled = ["2024-11-05", "2026-07-28"].map((revision) =>
    join(root, "schema", revision),
  );
  // Modern revisions for one peer must have the same reserved keys.
  const lantern = read(schemas.lantern).replaceAll(
    "dev.lantern/",
    "io.modelcontextprotocol/",
  );
  const paths = [
    schemas.aurora,
    write("lantern-2/schema.ts", lantern),
    schemas.alike,
    ...bundled,
  ];
  const protocols = await Promise.all(paths.map((path) => readSchema(path)));
  const { files } = await generate({ protocols });
  const out = outFolder();
  for (const { path, text } of files) writeAt(join(out, path), text);
  page = (await import(join(out, "index.ts"))) as Page;
});

const notifications: unknown[] = [];
const handlers: Handlers = {
  "tools/list": () => ({
    tools: [{ name: "echo", inputSchema: { type: "object" } }],
    ttlMs: 5,
  }),
  "tools/call": (params, { revision }) => ({
    content: [
      { type: "text", text: `${String(params["name"])} in ${revision}` },
    ],
    toolResult: revision,
  }),
  "weather/forecast": () => ({ days: [] }),
  "garden/harvest": async (_, { request }) => {
    const { clouds } = await request("sky/look", { towards: "north" });
    return { baskets: [{ of: "rain", weight: clouds }] };
  },
};
const client: Handlers = {
  "sky/look": () => ({ clouds: 2 }),
  "notifications/tools/list_changed": (params) =>
    notifications.push(params ?? "no params"),
};

/** Serves all revisions, or some, and connects to them. */
async function reach(
  options: { revisions?: readonly string[]; mode?: string },
  only: readonly string[] = Object.keys(page.protocols),
): Promise<AnyClient> {
  const [clientTransport, serverTransport] = memoryPair();
  const all = page.createServers({
    info,
    questions: page.serverQuestions,
    handlers,
    capabilities: { tools: { listChanged: true } },
  });
  const servers: ServerDefinition[] = all.filter(({ revision }) =>
    only.includes(revision),
  );
  await serve(serverTransport, servers);
  return page.connect(clientTransport, {
    info,
    questions: page.clientQuestions,
    handlers: client,
    ...options,
  });
}

describe("made-up revisions beside released ones", () => {
  it("are listed by name, the modern ones before the legacy ones", () => {
    expect(Object.keys(page.protocols)).toEqual([
      "lantern-2",
      "aurora-7",
      "2026-07-28",
      "2024-11-05",
      "2024-10-07",
    ]);
  });

  it.each(["lantern-2", "aurora-7", "2026-07-28", "2024-11-05", "2024-10-07"])(
    "answer with one set of handlers in the revision that the client requires: %s",
    async (revision) => {
      const connected = await reach({ mode: revision });
      expect(connected.revision).toBe(revision);
      expect(await connected["listTools"]?.()).toMatchObject({
        tools: [{ name: "echo", inputSchema: { type: "object" } }],
      });
      const result = (await connected["callTool"]?.({ name: "echo" })) as Json;
      if (revision === "2024-10-07")
        expect(result).toEqual({ toolResult: revision });
      else
        expect(result["content"]).toEqual([
          { type: "text", text: `echo in ${revision}` },
        ]);
      await connected.close();
    },
  );

  it("omit members that only other revisions have", async () => {
    const aurora = await reach({ mode: "aurora-7" });
    expect(await aurora["listTools"]?.()).toEqual({
      tools: [{ name: "echo", inputSchema: { type: "object" } }],
    });
    expect(await aurora["callTool"]?.({ name: "echo" })).toEqual({
      content: [{ type: "text", text: "echo in aurora-7" }],
    });
    const newest = await reach({ mode: "lantern-2" });
    expect(await newest["listTools"]?.()).toMatchObject({
      ttlMs: 5,
      cacheScope: "private",
    });
  });

  it("are negotiated: the newest one that both sides have", async () => {
    expect((await reach({})).revision).toBe("lantern-2");
    expect((await reach({}, ["aurora-7", "2024-11-05"])).revision).toBe(
      "aurora-7",
    );
    expect((await reach({}, ["2026-07-28", "2024-10-07"])).revision).toBe(
      "2026-07-28",
    );
    expect(
      (await reach({ revisions: ["aurora-7", "2024-10-07"] }, ["2024-10-07"]))
        .revision,
    ).toBe("2024-10-07");
  });

  it.each([
    ["lantern-2", "2026-07-28"],
    ["aurora-7", "2024-10-07"],
  ] as const)(
    "fail to connect with %s to a server with %s, with the revisions of both sides",
    async (wanted, served) => {
      const error = await failure(reach({ revisions: [wanted] }, [served]));
      expect(error.message).toContain(wanted);
      expect(error.message).toContain(served);
    },
  );

  it("have their own methods", async () => {
    const lantern = await reach({ mode: "lantern-2" });
    expect(await lantern["gardenHarvest"]?.({ bed: "mint" })).toMatchObject({
      baskets: [{ of: "rain", weight: 2 }],
    });
    const aurora = await reach({ mode: "aurora-7" });
    expect(
      await aurora["weatherForecast"]?.({ place: "Here", days: 1 }),
    ).toEqual({ days: [] });
    expect(aurora).not.toHaveProperty("gardenHarvest");
  });

  it("receive a notification that all of them have", async () => {
    const [clientTransport, serverTransport] = memoryPair();
    const servers = page.createServers({
      info,
      questions: page.serverQuestions,
      handlers,
      capabilities: { tools: { listChanged: true } },
    });
    await serve(serverTransport, servers);
    const connected = await page.connect(clientTransport, {
      info,
      questions: page.clientQuestions,
      handlers: client,
      mode: "aurora-7",
    });
    notifications.length = 0;
    servers.notify["toolsListChanged"]?.();
    await connected["ping"]?.();
    expect(notifications).toEqual(["no params"]);
  });
});
