import {
  appTools,
  getUiCapability,
  modelTools,
  readView,
  uiResource,
  uiTool,
  uiUriOf,
} from "@mcpgen/runtime/apps";
import {
  type FeatureContext,
  resources,
  tools,
} from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  type AnyHandlers,
  type Json,
  metaFor,
  resultOf,
  serveWire,
  textOf,
} from "../kit/index.js";
import {
  carriers,
  connect,
  createServers,
  declared,
  id,
  newest,
  oldest,
  withApps,
} from "./kit.js";

const uri = "ui://weather/view.html";
const html = "<!doctype html><title>Weather</title>";
const csp = {
  connectDomains: ["https://api.example.com"],
  resourceDomains: ["https://*.example.com"],
};

const capabilityOf = (_args: unknown, context: FeatureContext): string =>
  JSON.stringify(getUiCapability(context)) ?? "none";
const handlers = {
  ...tools([
    uiTool(
      { name: "weather", _meta: { note: 1 }, handler: () => "Rain" },
      { resourceUri: uri },
    ),
    uiTool(
      { name: "refresh", handler: () => "Sun" },
      { resourceUri: uri, visibility: ["app"] },
    ),
    uiTool(
      { name: "report", handler: () => "Wind" },
      { resourceUri: uri, visibility: ["model"] },
    ),
    { name: "plain", handler: capabilityOf },
  ]),
  ...resources([
    uiResource(
      { uri, name: "view", read: () => html },
      { csp, prefersBorder: false },
    ),
    { uri: "file:///a", name: "a", _meta: { note: 2 }, read: () => "a" },
    { uriTemplate: "ui://weather/{city}", name: "views", read: () => html },
    { uriTemplate: "file:///{b}", name: "b", read: () => "b" },
  ]),
};

const namesOf = (list: readonly Json[]): unknown[] =>
  list.map(({ name }) => name);
const listOf = async (
  listing: Promise<Json>,
  member: string,
): Promise<readonly Json[]> => (await listing)[member] as readonly Json[];

const rows = withApps.flatMap((revision) =>
  carriers.map((carrier) => [revision.revision, carrier, revision] as const),
);

describe.each(rows)(
  "a server with views in %s over %s",
  (_, carrier, revision) => {
    const isUnknown =
      carrier === "Streamable HTTP without sessions" && !revision.isModern;

    it("APPS-01 APPS-04 APPS-08 gives a host the tools of the model and of the view", async () => {
      const client = await connect(revision, createServers(handlers), carrier);
      expect(client.server.capabilities).toMatchObject({
        extensions: { [id]: {} },
      });
      const list = await listOf(client.listTools(), "tools");
      expect(namesOf(modelTools(list))).toEqual(["weather", "report", "plain"]);
      expect(namesOf(appTools(list))).toEqual(["weather", "refresh", "plain"]);
      const [weather = {}] = modelTools(list);
      expect(weather["_meta"]).toEqual({
        note: 1,
        ui: { resourceUri: uri },
        "ui/resourceUri": uri,
      });
    });

    it("APPS-01 APPS-04 gives a host the view of a tool, whose tools it can call", async () => {
      const client = await connect(revision, createServers(handlers), carrier);
      const [weather = {}] = modelTools(
        await listOf(client.listTools(), "tools"),
      );
      expect(uiUriOf(weather)).toBe(uri);
      expect(await readView(client, uri)).toEqual({
        uri,
        html,
        csp,
        prefersBorder: false,
      });
      const views = await listOf(client.listResources(), "resources");
      expect(views[0]).toMatchObject({
        uri,
        mimeType: "text/html;profile=mcp-app",
        _meta: { ui: { csp } },
      });
      expect(textOf(await client.callTool({ name: "refresh" }))).toBe("Sun");
    });

    it("APPS-02 reads from the capabilities which types of pages the client shows", async () => {
      const client = await connect(revision, createServers(handlers), carrier);
      const expected = isUnknown
        ? "none"
        : '{"mimeTypes":["text/html;profile=mcp-app"]}';
      expect(textOf(await client.callTool({ name: "plain" }))).toBe(expected);
    });

    it.each([
      ["declares nothing", {}],
      ["declares the extension without types", { extensions: { [id]: {} } }],
      [
        "shows another type",
        { extensions: { [id]: { mimeTypes: ["text/html"] } } },
      ],
      [
        "declares another extension",
        { extensions: { "com.example/ui": declared["extensions"] } },
      ],
    ])(
      "APPS-03 hides views from a client that %s, if the server knows its capabilities",
      async (_name, capabilities) => {
        const client = await connect(
          revision,
          createServers(handlers),
          carrier,
          { capabilities },
        );
        const list = await listOf(client.listTools(), "tools");
        if (isUnknown) {
          expect(namesOf(list)).toEqual([
            "weather",
            "refresh",
            "report",
            "plain",
          ]);
          return;
        }
        expect(namesOf(list)).toEqual(["weather", "report", "plain"]);
        expect(list.map(({ _meta }) => _meta)).toEqual([
          { note: 1 },
          undefined,
          undefined,
        ]);
        expect(await listOf(client.listResources(), "resources")).toEqual([
          expect.objectContaining({ uri: "file:///a", _meta: { note: 2 } }),
        ]);
        expect(
          namesOf(
            await listOf(client.listResourceTemplates(), "resourceTemplates"),
          ),
        ).toEqual(["b"]);
        expect(textOf(await client.callTool({ name: "weather" }))).toBe("Rain");
      },
    );
  },
);

describe("a server with views", () => {
  it.each(carriers)(
    "APPS-03 hides them in a revision that was generated without the extension, over %s",
    async (carrier) => {
      const client = await connect(oldest, createServers(handlers), carrier);
      expect(client.revision).toBe(oldest.revision);
      expect(namesOf(await listOf(client.listTools(), "tools"))).toEqual([
        "weather",
        "report",
        "plain",
      ]);
      expect(textOf(await client.callTool({ name: "plain" }))).toBe("none");
    },
  );

  it("APPS-03 hides them from a modern client that sends capabilities without client info", async () => {
    const { clientInfo = "" } = newest.facts.meta;
    const namesFor = async (capabilities: Json): Promise<unknown> => {
      const { [clientInfo]: _, ..._meta } = metaFor(newest, capabilities);
      const wire = await serveWire(createServers(handlers));
      return namesOf(
        resultOf(await wire.ask(1, "tools/list", { _meta }))[
          "tools"
        ] as readonly Json[],
      );
    };
    expect(await namesFor({})).toEqual(["weather", "report", "plain"]);
    expect(await namesFor(declared)).toEqual([
      "weather",
      "refresh",
      "report",
      "plain",
    ]);
  });

  it.each(withApps.map((revision) => [revision.revision, revision] as const))(
    "APPS-03 hides them also if the author handles the lists, in %s",
    async (_, revision) => {
      const _meta = { ui: { resourceUri: uri }, "ui/resourceUri": uri };
      const inputSchema = { type: "object" };
      const own: AnyHandlers = {
        "tools/list": () => ({
          tools: [
            { name: "a", inputSchema, _meta },
            { name: "b", inputSchema, _meta: { ui: { visibility: ["app"] } } },
          ],
          nextCursor: "more",
        }),
        "resources/list": async () => ({
          resources: [{ uri, name: "view", _meta: { ui: { csp } } }],
        }),
      };
      const servers = createServers(own);
      const plain = await connect(revision, servers, "memory", {});
      expect(await plain.listTools()).toMatchObject({
        tools: [{ name: "a", inputSchema }],
        nextCursor: "more",
      });
      expect(await listOf(plain.listResources(), "resources")).toEqual([]);
      const host = await connect(revision, servers);
      expect((await listOf(host.listTools(), "tools"))[0]).toMatchObject({
        name: "a",
        _meta,
      });
    },
  );

  it("APPS-03 makes its lists private, because they depend on what the client declares", async () => {
    const servers = createServers({
      "tools/list": () => ({ tools: [], ttlMs: 1000, cacheScope: "public" }),
      "resources/templates/list": () => ({
        resourceTemplates: [],
        ttlMs: 1000,
        cacheScope: "public",
      }),
    });
    for (const options of [undefined, {}]) {
      const client = await connect(newest, servers, "memory", options);
      expect(await client.listTools()).toMatchObject({
        ttlMs: 1000,
        cacheScope: "private",
      });
    }
  });

  it("APPS-02 may list other tools for clients that show no views", async () => {
    const servers = createServers(
      tools((context) => [
        getUiCapability(context)
          ? uiTool(
              { name: "map", handler: () => "See the map." },
              { resourceUri: uri },
            )
          : { name: "map", handler: () => "Turn left." },
      ]),
    );
    const call = async (options?: object) =>
      textOf(
        await (
          await connect(newest, servers, "memory", options)
        ).callTool({ name: "map" }),
      );
    expect([await call(), await call({})]).toEqual([
      "See the map.",
      "Turn left.",
    ]);
  });
});

describe("a client", () => {
  it("APPS-01 declares nothing in a revision that was generated without the extension", async () => {
    const seen: unknown[] = [];
    const servers = createServers({
      "tools/list": (_: unknown, context: FeatureContext) => {
        seen.push(context.client.capabilities);
        return { tools: [] };
      },
    });
    for (const revision of [oldest, ...withApps])
      await (await connect(revision, servers)).listTools();
    expect(seen).toEqual([{}, declared, declared]);
  });
});
