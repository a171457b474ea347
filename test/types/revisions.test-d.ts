import { expectTypeOf, test } from "vitest";
import type { ServerDefinition, Transport } from "@mcpgen/runtime";
import {
  type Clients,
  connect,
  type ConnectOptions,
  type Context,
  createServers,
  protocols,
  type Revision,
  type ServerHandlers,
  type Servers,
} from "../../generated/index.js";
import type * as r2024 from "../../generated/2024-11-05/index.js";
import type * as r2025 from "../../generated/2025-11-25/index.js";
import type * as r2026 from "../../generated/2026-07-28/index.js";

declare const transport: Transport;
const info = { name: "test", version: "1" };

test("protocols has every revision by name", () => {
  expectTypeOf<Revision>().toEqualTypeOf<
    "2026-07-28" | "2025-11-25" | "2025-06-18" | "2025-03-26" | "2024-11-05"
  >();
  expectTypeOf(protocols["2024-11-05"].createServer).toEqualTypeOf<typeof r2024.createServer>();
  // @ts-expect-error there is no such revision
  void protocols["2023-01-01"];
});

test("all revisions have the same names for the same functions", () => {
  type Page = (typeof protocols)[Revision];
  type Shared = keyof Page;
  type Expected =
    | "Client"
    | "clientSide"
    | "createServer"
    | "serverSide"
    | "protocol"
    | "revision"
    | "classify"
    | "callTool"
    | "listTools"
    | "isCallToolRequest"
    | "CallToolRequestSchema"
    | "isJSONRPCMessage"
    | "ValidationError"
    | "isValidationError";
  expectTypeOf<Exclude<Expected, Shared>>().toEqualTypeOf<never>();

  const page = protocols["2025-06-18"] as Page;
  expectTypeOf(page.protocol.revision).toEqualTypeOf<Revision>();
  expectTypeOf(page.protocol.opening).toEqualTypeOf<"initialize" | "per-request">();
  expectTypeOf(page.classify).toBeCallableWith({});
  expectTypeOf(page.protocol.batches).toEqualTypeOf<boolean>();
  expectTypeOf(page.protocol.requests["tools/call"].facts.method).toEqualTypeOf<string>();
  const message: unknown = {};
  const parsed = page.CallToolRequestSchema.safeParse(message);
  if (parsed.success) expectTypeOf(parsed.data.params.name).toEqualTypeOf<string>();
  else expectTypeOf(parsed.error.issues[0]?.path).toEqualTypeOf<readonly PropertyKey[] | undefined>();
  if (page.isCallToolRequest(message)) expectTypeOf(message.method).toEqualTypeOf<"tools/call">();
});

test("ClientRequests and the other maps have the types of each wire method by direction", () => {
  expectTypeOf<r2025.ClientRequests["tools/call"]["result"]>().toEqualTypeOf<r2025.CallToolResult>();
  expectTypeOf<r2025.ServerRequests>().toHaveProperty("sampling/createMessage");
  expectTypeOf<r2025.ServerRequests>().not.toHaveProperty("tools/call");
  expectTypeOf<keyof r2024.ClientNotifications>().toEqualTypeOf<
    | "notifications/initialized"
    | "notifications/cancelled"
    | "notifications/progress"
    | "notifications/roots/list_changed"
  >();
  expectTypeOf<
    r2026.ServerNotifications["notifications/message"]["params"]
  >().toEqualTypeOf<r2026.LoggingMessageNotificationParams>();
});

test("connect returns a union of the clients that is discriminated by `revision`", async () => {
  const client = await connect(transport, { info });
  expectTypeOf(client).toEqualTypeOf<Clients[Revision]>();
  expectTypeOf(client.revision).toEqualTypeOf<Revision>();
  switch (client.revision) {
    case "2026-07-28":
      expectTypeOf(client).toEqualTypeOf<r2026.Client>();
      void client.discover();
      break;
    case "2025-11-25":
      expectTypeOf(client).toEqualTypeOf<r2025.Client>();
      void client.getTask({ taskId: "1" });
      break;
    default:
      void client.ping();
      // @ts-expect-error none of the other clients has this method
      void client.discover();
  }
  // A method that all clients have can be called on the union.
  const result = await client.callTool({ name: "echo" });
  expectTypeOf(result.isError).toEqualTypeOf<boolean | undefined>();
});

test("connect with some revisions returns only their clients", async () => {
  const client = await connect(transport, { info, revisions: ["2025-11-25", "2024-11-05"] });
  expectTypeOf(client).toEqualTypeOf<r2025.Client | r2024.Client>();
  const one = await connect(transport, { info, mode: "2026-07-28" });
  expectTypeOf(one).toEqualTypeOf<r2026.Client>();
  // @ts-expect-error there is no such revision
  void connect(transport, { info, revisions: ["2025-11-26"] });
  expectTypeOf<ConnectOptions["mode"]>().toEqualTypeOf<"auto" | Revision | undefined>();
});

test("a handler for all revisions takes the params of any of them", () => {
  type Called = NonNullable<ServerHandlers["tools/call"]>;
  expectTypeOf<r2024.CallToolRequestParams>().toExtend<Parameters<Called>[0]>();
  expectTypeOf<r2026.CallToolRequestParams>().toExtend<Parameters<Called>[0]>();
  expectTypeOf<Parameters<Called>[0]["name"]>().toEqualTypeOf<string>();
  type Listed = Parameters<NonNullable<ServerHandlers["tools/list"]>>[0];
  expectTypeOf<undefined>().toExtend<Listed>();
});

test("a handler for all revisions returns a result that each of them accepts, with newer members optional", () => {
  type Returned<M extends keyof ServerHandlers> = Awaited<ReturnType<NonNullable<ServerHandlers[M]>>>;
  type Called = Returned<"tools/call">;
  expectTypeOf<{ content: [{ type: "text"; text: string }] }>().toExtend<Called>();
  expectTypeOf<{ content: []; structuredContent: { a: 1 }; resultType: "complete" }>().toExtend<Called>();
  // The oldest revision has no audio.
  expectTypeOf<{ content: [{ type: "audio"; data: string; mimeType: string }] }>().not.toExtend<Called>();
  // A member that one revision requires is required.
  expectTypeOf<{ isError: true }>().not.toExtend<Called>();

  type Listed = Returned<"tools/list">;
  expectTypeOf<{ tools: [{ name: string; inputSchema: { type: "object" } }] }>().toExtend<Listed>();
  expectTypeOf<{
    tools: [
      {
        name: string;
        title: string;
        icons: [{ src: string }];
        inputSchema: { type: "object" };
        outputSchema: { type: "object" };
      },
    ];
    ttlMs: 1000;
    cacheScope: "public";
  }>().toExtend<Listed>();
  expectTypeOf<{ tools: [{ name: string }] }>().not.toExtend<Listed>();
});

test("createServers takes one handler set and returns a server per revision", () => {
  const servers = createServers({
    info,
    handlers: {
      "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }], ttlMs: 1 }),
      "tools/call": async (params, context) => {
        expectTypeOf(context).toEqualTypeOf<Context>();
        expectTypeOf(context.revision).toEqualTypeOf<Revision>();
        expectTypeOf(params.arguments).toEqualTypeOf<{ [key: string]: unknown } | undefined>();
        const answer = await context.request("roots/list");
        expectTypeOf(answer.roots[0]?.uri).toEqualTypeOf<string | undefined>();
        return { content: [{ type: "text", text: params.name }] };
      },
      "resources/subscribe": () => ({}),
    },
  });
  expectTypeOf(servers).toEqualTypeOf<Servers>();
  expectTypeOf(servers[0]).toEqualTypeOf<ServerDefinition | undefined>();
  servers.notify.toolsListChanged();
  servers.notify.resourceUpdated({ uri: "file:///a" });
  servers.notify.resourceUpdated("file:///a");
});

test("createServers with a method of no revision, or a result that not every revision accepts, does not compile", () => {
  expectTypeOf<"tool/call">().not.toExtend<keyof ServerHandlers>();
  // @ts-expect-error the method is "tools/call"
  createServers({ info, handlers: { "tool/call": () => ({ content: [] }) } });
  // @ts-expect-error a list of tools has tools
  createServers({ info, handlers: { "tools/list": () => ({}) } });
  const audio = { type: "audio", data: "", mimeType: "audio/wav" } as const;
  // @ts-expect-error not every revision has audio
  createServers({ info, handlers: { "tools/call": () => ({ content: [audio] }) } });
});
