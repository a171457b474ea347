import { expectTypeOf, test } from "vitest";
import type { McpError, Transport } from "@mcpgen/runtime";
import { Client as Oldest } from "../../generated/2024-11-05/client.js";
import type * as oldest from "../../generated/2024-11-05/types.js";
import type { Client as Tasks, ClientHandlers as TasksHandlers } from "../../generated/2025-11-25/client.js";
import type * as tasks from "../../generated/2025-11-25/types.js";
import { Client as Newest, type ClientHandlers } from "../../generated/2026-07-28/client.js";
import type * as newest from "../../generated/2026-07-28/types.js";

declare const transport: Transport;
declare const old: Oldest;
declare const recent: Tasks;
declare const latest: Newest;
/** Has the type of the items that `for await` gets. */
declare function itemOf<T>(items: AsyncIterable<T>): T;

test("a method of a client takes the params and returns the result of its revision", () => {
  expectTypeOf(recent.getPrompt).parameter(0).toEqualTypeOf<tasks.GetPromptRequestParams>();
  expectTypeOf(recent.getPrompt).returns.resolves.toEqualTypeOf<tasks.GetPromptResult>();
  expectTypeOf(old.callTool).parameter(0).toEqualTypeOf<oldest.CallToolRequestParams>();
  expectTypeOf(old.callTool).returns.resolves.toEqualTypeOf<oldest.CallToolResult>();
  expectTypeOf(latest.callTool).returns.resolves.toEqualTypeOf<newest.CallToolResult>();
});

test("callTool with a task returns a CreateTaskResult", () => {
  expectTypeOf(recent.callTool({ name: "echo" })).resolves.toEqualTypeOf<tasks.CallToolResult>();
  expectTypeOf(
    recent.callTool({ name: "echo", task: { ttl: 1 } }),
  ).resolves.toEqualTypeOf<tasks.CreateTaskResult>();
  // @ts-expect-error a time to live is a number
  void recent.callTool({ name: "echo", task: { ttl: "1" } });
});

test("params that a schema writes inline get a named type, which has the _meta that the literal hides", () => {
  expectTypeOf<oldest.CallToolRequestParams>().toHaveProperty("name").toEqualTypeOf<string>();
  expectTypeOf<oldest.CallToolRequestParams["_meta"]>().toEqualTypeOf<
    { progressToken?: oldest.ProgressToken } | undefined
  >();
  expectTypeOf<oldest.CallToolRequest["params"]>().not.toHaveProperty("_meta");
});

test("a call does not need the _meta keys that the engine sets", () => {
  expectTypeOf<newest.RequestParams>().toHaveProperty("_meta").toEqualTypeOf<newest.RequestMetaObject>();
  expectTypeOf(latest.callTool).toBeCallableWith({ name: "echo" });
  expectTypeOf(latest.callTool).toBeCallableWith({ name: "echo", _meta: { traceparent: "00-1-2-01" } });
  expectTypeOf(latest.listTools).toBeCallableWith();
  expectTypeOf(latest.discover).toBeCallableWith();
  expectTypeOf(latest.listTools).toBeCallableWith({ cursor: "2" });
});

test("a call without required params, or with a wrong member, does not compile", () => {
  expectTypeOf<[]>().not.toExtend<Parameters<Oldest["callTool"]>>();
  // @ts-expect-error a tool has a name
  void old.callTool();
  // @ts-expect-error a tool has a name
  void latest.callTool({});
  // @ts-expect-error a name is a string
  void latest.callTool({ name: 1 });
  // @ts-expect-error the member is called "arguments"
  void latest.callTool({ name: "echo", args: {} });
  // @ts-expect-error a URI is a string
  void recent.readResource({ uri: new URL("file:///a") });
});

test("a call takes a signal, timeouts and a progress listener as options", () => {
  const { signal } = new AbortController();
  void old.ping(undefined, { signal, timeout: 1000, maxTimeout: 2000 });
  void old.callTool(
    { name: "a" },
    { onProgress: ({ progress }) => expectTypeOf(progress).toEqualTypeOf<number>() },
  );
  // @ts-expect-error times are milliseconds
  void old.ping(undefined, { timeout: "1s" });
});

test("a paginated list has an iterator over its items", () => {
  expectTypeOf(itemOf(old.tools())).toEqualTypeOf<oldest.Tool>();
  expectTypeOf(itemOf(old.resources())).toEqualTypeOf<oldest.Resource>();
  expectTypeOf(itemOf(recent.resourceTemplates())).toEqualTypeOf<tasks.ResourceTemplate>();
  expectTypeOf(itemOf(recent.tasks())).toEqualTypeOf<tasks.Task>();
  expectTypeOf(itemOf(latest.prompts({ cursor: "2" }, { maxPages: 3 }))).toEqualTypeOf<newest.Prompt>();
});

test("a client has the methods of its revision and no others", () => {
  expectTypeOf(old).toHaveProperty("ping");
  expectTypeOf(latest).not.toHaveProperty("ping");
  expectTypeOf(latest).toHaveProperty("discover");
  expectTypeOf(recent).not.toHaveProperty("discover");
  expectTypeOf(recent).toHaveProperty("getTask");
  expectTypeOf(old).not.toHaveProperty("getTask");
  expectTypeOf(old).toHaveProperty("rootsListChanged");
  // Only the engine initializes, cancels and reports progress.
  expectTypeOf(old).not.toHaveProperty("initialize");
  expectTypeOf(old).not.toHaveProperty("initialized");
  expectTypeOf(old).not.toHaveProperty("cancelled");
});

test("a client has its revision and its server as typed members", () => {
  expectTypeOf(latest.revision).toEqualTypeOf<"2026-07-28">();
  expectTypeOf(old.revision).toEqualTypeOf<"2024-11-05">();
  expectTypeOf(latest.server.capabilities).toEqualTypeOf<newest.ServerCapabilities>();
  expectTypeOf(latest.server.info).toEqualTypeOf<newest.Implementation | undefined>();
  expectTypeOf(latest.server.instructions).toEqualTypeOf<string | undefined>();
});

test("Client.connect requires info and returns the client", () => {
  const info = { name: "test", version: "1" };
  expectTypeOf(Newest.connect(transport, { info })).resolves.toEqualTypeOf<Newest>();
  // @ts-expect-error info is required
  void Newest.connect(transport, {});
  // @ts-expect-error info has a version
  void Newest.connect(transport, { info: { name: "test" } });
});

test("a handler of a client gets the params and returns the result of its method", () => {
  type Sampling = NonNullable<TasksHandlers["sampling/createMessage"]>;
  expectTypeOf<Parameters<Sampling>[0]>().toEqualTypeOf<tasks.CreateMessageRequestParams>();
  expectTypeOf<Awaited<ReturnType<Sampling>>>().toEqualTypeOf<tasks.CreateMessageResult>();
  type Updated = NonNullable<ClientHandlers["notifications/resources/updated"]>;
  expectTypeOf<Parameters<Updated>[0]>().toEqualTypeOf<newest.ResourceUpdatedNotificationParams>();
  const handlers: ClientHandlers = {
    "elicitation/create": (params, context) => {
      expectTypeOf(params).toEqualTypeOf<newest.ElicitRequestParams>();
      expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
      return { action: "accept", content: { age: 1.5 } };
    },
    "roots/list": async () => ({ roots: [{ uri: "file:///" }] }),
  };
  void handlers;
});

test("a client's handler of an unknown method, or with a wrong result, does not compile", () => {
  expectTypeOf<"elicitation/elicit">().not.toExtend<keyof ClientHandlers>();
  const info = { name: "test", version: "1" };
  // @ts-expect-error the method is "elicitation/create"
  void Newest.connect(transport, { info, handlers: { "elicitation/elicit": () => ({ action: "accept" }) } });
  // @ts-expect-error there is no such action
  void Newest.connect(transport, { info, handlers: { "elicitation/create": () => ({ action: "maybe" }) } });
  // @ts-expect-error the oldest revision has no elicitation
  void Oldest.connect(transport, { info, handlers: { "elicitation/create": () => ({ action: "accept" }) } });
  // @ts-expect-error a root has a URI
  void Newest.connect(transport, { info, handlers: { "roots/list": () => ({ roots: [{ name: "home" }] }) } });
});

test("a client supports `await using`, and an McpError has typed members", async () => {
  await using client = latest;
  expectTypeOf(client.close()).resolves.toEqualTypeOf<void>();
  expectTypeOf<McpError["code"]>().toEqualTypeOf<number>();
  expectTypeOf<McpError["data"]>().toEqualTypeOf<unknown>();
});
