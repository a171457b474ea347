import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { generate, readSchema } from "../../src/api.js";
import { apps as appsFunction } from "../../src/runtime/apps.js";
import { tools } from "../../src/runtime/features.js";
import { constantIn } from "../../src/generator/ir/constraint/form.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { generated, type Generated, joined } from "../made-up/made-up.js";
import { root } from "../repository.js";
import { compile } from "../view/compile.js";

const revisions = ["2025-11-25", "2026-07-28"] as const;
const id = "io.modelcontextprotocol/ui";

describe.each(revisions)("the extension apps in %s", (revision) => {
  let apps: Generated;
  let protocol: Protocol;
  beforeAll(async () => {
    apps = await generated(join(root, "schema", revision), "apps");
    protocol = await readSchema(revision, { extensions: ["apps"] });
  });
  const is = (name: string, value: unknown): boolean | undefined =>
    apps[`is${name}`]?.(value);
  const tool = (_meta: unknown): boolean | undefined =>
    is("Tool", { name: "a", inputSchema: { type: "object" }, _meta });

  it("EXT-04 types the metadata of tools and resources, and the settings of both sides", async () => {
    const { files } = await generate({ protocols: [protocol] });
    const texts = [
      ...files.map((file) => [file.path, file.text] as const),
      ["use.ts", use] as const,
    ];
    expect(await compile(new Map(texts))).toEqual([]);
  });

  const page = "ui://a/b.html";
  it.each([
    undefined,
    {},
    { other: 5 },
    { ui: {} },
    { ui: { resourceUri: page, visibility: ["app"], later: 5 }, other: 5 },
    { "ui/resourceUri": page },
  ])("accepts tools with the metadata %j", (right) => {
    expect(tool(right)).toBe(true);
  });

  it.each([
    5,
    { ui: 5 },
    { ui: { resourceUri: 5 } },
    { ui: { visibility: "app" } },
    { ui: { visibility: ["user"] } },
    { ui: { csp: {} } },
    { ui: { permissions: {} } },
    { "ui/resourceUri": 5 },
  ])("rejects tools with the metadata %j, which is not valid", (wrong) => {
    expect(tool(wrong)).toBe(false);
  });

  it("checks the metadata of resources, in lists and in contents", () => {
    const right = {
      csp: { connectDomains: ["https://a.example"], resourceDomains: [] },
      permissions: { camera: {} },
      domain: "a.example",
      prefersBorder: false,
    };
    for (const [name, own] of [
      ["Resource", { uri: "ui://a", name: "a" }],
      ["TextResourceContents", { uri: "ui://a", text: "" }],
      ["BlobResourceContents", { uri: "ui://a", blob: "" }],
    ] as const) {
      expect(is(name, { ...own, _meta: { ui: right, other: 5 } })).toBe(true);
      for (const wrong of [
        { csp: { connectDomains: "https://a.example" } },
        { csp: { frameDomains: [5] } },
        { permissions: { camera: true } },
        { domain: 5 },
        { prefersBorder: "no" },
      ])
        expect(is(name, { ...own, _meta: { ui: wrong } })).toBe(false);
    }
  });

  const client = (extensions: unknown): boolean | undefined =>
    is("ClientCapabilities", { extensions });
  it.each([
    {},
    { [id]: {} },
    { [id]: { mimeTypes: ["a/b"] }, "com.example/a": { b: 1 } },
  ])(
    "accepts %j as the extensions of a client, with any settings of others",
    (right) => {
      expect(client(right)).toBe(true);
    },
  );

  it.each([
    5,
    { [id]: 5 },
    { [id]: { mimeTypes: "a/b" } },
    { [id]: { mimeTypes: [5] } },
  ])("rejects %j as the extensions of a client", (wrong) => {
    expect(client(wrong)).toBe(false);
  });

  it("checks its own settings in the capabilities of a server", () => {
    expect(is("ServerCapabilities", { extensions: { [id]: {} } })).toBe(true);
    expect(is("ServerCapabilities", { extensions: { [id]: true } })).toBe(
      false,
    );
  });

  it.each([
    ["nothing", {}, {}],
    ["tools", tools([{ name: "a", handler: () => "b" }]), { tools: {} }],
    ["apps", appsFunction(), { extensions: { [id]: {} } }],
  ] as const)(
    "is declared by a server that handles apps, and by no other: %s",
    async (_, handlers, expected) => {
      const { client } = await joined(apps, handlers as never);
      expect(client.server.capabilities).toEqual(expected);
      await client.close();
    },
  );

  it("is declared by a client with the types of resources that it shows", async () => {
    const seen: unknown[] = [];
    const settings = { mimeTypes: ["text/html;profile=mcp-app"] };
    const { client } = await joined(
      apps,
      {
        "tools/list": (_, context) => {
          seen.push(
            (context as unknown as { client: { capabilities: unknown } }).client
              .capabilities,
          );
          const _meta = { ui: { resourceUri: "ui://a" } };
          return {
            tools: [{ name: "a", inputSchema: { type: "object" }, _meta }],
          };
        },
      },
      { clientCapabilities: { extensions: { [id]: settings } } },
    );
    expect(await client["listTools"]?.()).toMatchObject({
      tools: [{ _meta: { ui: { resourceUri: "ui://a" } } }],
    });
    expect(seen).toEqual([{ extensions: { [id]: settings } }]);
    await client.close();
  });

  it("has guards for the messages from a view", () => {
    expect(
      is("McpUiOpenLinkRequest", {
        method: "ui/open-link",
        params: { url: "a:b" },
      }),
    ).toBe(true);
    expect(
      is("McpUiOpenLinkRequest", { method: "ui/open-link", params: {} }),
    ).toBe(false);
  });

  it("has guards for the messages from a host", () => {
    const context = {
      theme: "dark",
      containerDimensions: { height: 1, maxWidth: 2 },
      later: 5,
    };
    const answer = {
      protocolVersion: (apps as unknown as Record<string, unknown>)[
        "UI_LATEST_PROTOCOL_VERSION"
      ],
      hostInfo: { name: "a", version: "1" },
      hostCapabilities: { message: { text: {} } },
      hostContext: context,
    };
    expect(is("McpUiInitializeResult", answer)).toBe(true);
    expect(
      is("McpUiInitializeResult", {
        ...answer,
        hostContext: { theme: "blue" },
      }),
    ).toBe(false);
    const result = { content: [], resultType: "complete" };
    const notification = {
      method: "ui/notifications/tool-result",
      params: result,
    };
    expect(is("McpUiToolResultNotification", notification)).toBe(true);
    expect(
      is("McpUiToolResultNotification", {
        ...notification,
        params: { content: 5 },
      }),
    ).toBe(false);
  });

  it("adds no message between view and host to the messages of the protocol", () => {
    expect(
      protocol.messages.filter(({ method }) => method.startsWith("ui/")),
    ).toEqual([]);
    expect(
      Object.keys(apps.clientSide.outgoingRequests).filter((name) =>
        name.startsWith("ui/"),
      ),
    ).toEqual([]);
  });
});

describe("the constants of the extension apps", () => {
  it("do not change those of the revision", async () => {
    const constants = new Map(
      (
        await readSchema("2026-07-28", { extensions: ["apps"] })
      ).declarations.flatMap((entry) =>
        entry.kind === "constant"
          ? [[entry.name, constantIn(entry.schema)] as const]
          : [],
      ),
    );
    expect(constants.get("LATEST_PROTOCOL_VERSION")).toBe("2026-07-28");
    expect(constants.get("UI_LATEST_PROTOCOL_VERSION")).toBe("2026-01-26");
  });
});

/** What a user of the generated files writes. Each line after \`@ts-expect-error\` must not compile. */
const use = `
import type { Client, ClientCapabilities, ClientOptions, Context, Resource, ServerOptions, Tool } from "./index.js";
import type { McpUiClientCapabilities, McpUiHostContext } from "./index.js";

export const pages = async (client: Client): Promise<(string | undefined)[]> =>
  (await client.listTools()).tools.map((tool) => tool._meta?.ui?.resourceUri);
export const tool: Tool = {
  name: "a",
  inputSchema: { type: "object" },
  _meta: { ui: { resourceUri: "ui://a", visibility: ["app"] }, other: 5 },
};
// @ts-expect-error nobody else sees tools
export const seen: Tool = { ...tool, _meta: { ui: { visibility: ["user"] } } };
// @ts-expect-error origins belong to the resource
export const origins: Tool = { ...tool, _meta: { ui: { csp: {} } } };
export const resource: Resource = { uri: "ui://a", name: "a", _meta: { ui: { prefersBorder: true } } };
// @ts-expect-error origins are a list
export const wrong: Resource = { ...resource, _meta: { ui: { csp: { connectDomains: "a" } } } };

const settings: McpUiClientCapabilities = { mimeTypes: ["a/b"] };
export const declared: ClientCapabilities = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["a/b"] }, "com.example/other": {} },
};
export const options: ClientOptions = {
  info: { name: "a", version: "1" },
  capabilities: { extensions: { "io.modelcontextprotocol/ui": { ...settings } } },
};
export const badOptions: ClientOptions = {
  ...options,
  // @ts-expect-error types are strings
  capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [5] } } },
};
export const serverOptions: ServerOptions = {
  info: { name: "a", version: "1" },
  handlers: {},
  capabilities: { extensions: { "io.modelcontextprotocol/ui": {} } },
};
export const types = (context: Context): string[] | undefined =>
  context.client.capabilities.extensions?.["io.modelcontextprotocol/ui"]?.mimeTypes;
export const server = (client: Client): object | undefined =>
  client.server.capabilities?.extensions?.["io.modelcontextprotocol/ui"];
export const height = ({ containerDimensions }: McpUiHostContext): number | undefined =>
  containerDimensions && "height" in containerDimensions ? containerDimensions.height : undefined;
`;
