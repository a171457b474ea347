import { expectTypeOf, test } from "vitest";
import {
  createServer as createOldest,
  type ServerHandlers as OldestHandlers,
} from "../../generated/2024-11-05/server.js";
import type * as oldest from "../../generated/2024-11-05/types.js";
import {
  type Context,
  createServer,
  type Server,
  type ServerHandlers,
} from "../../generated/2026-07-28/server.js";
import type * as newest from "../../generated/2026-07-28/types.js";

type Handler<M extends keyof ServerHandlers> = NonNullable<ServerHandlers[M]>;
type Returned<M extends keyof ServerHandlers> = Awaited<ReturnType<Handler<M>>>;

declare const context: Context;
const info = { name: "test", version: "1" };

test("a handler of a server gets the params of its method and the context", () => {
  expectTypeOf<Parameters<Handler<"tools/call">>>().toEqualTypeOf<[newest.CallToolRequestParams, Context]>();
  type Old = Parameters<NonNullable<OldestHandlers["tools/call"]>>;
  expectTypeOf<Old[0]>().toEqualTypeOf<oldest.CallToolRequestParams>();
  expectTypeOf<Parameters<Handler<"tools/list">>[0]>().toEqualTypeOf<newest.PaginatedRequestParams>();
  type OldList = Parameters<NonNullable<OldestHandlers["tools/list"]>>;
  expectTypeOf<OldList[0]>().toEqualTypeOf<oldest.PaginatedRequestParams | undefined>();
});

test("a handler that is written inline has inferred params", () => {
  const server = createServer({
    info,
    handlers: {
      "tools/call": (params, context) => {
        expectTypeOf(params).toEqualTypeOf<newest.CallToolRequestParams>();
        expectTypeOf(context).toEqualTypeOf<Context>();
        return { content: [{ type: "text", text: params.name }] };
      },
      "resources/read": async ({ uri }) => ({ contents: [{ uri, text: "" }] }),
    },
  });
  expectTypeOf(server).toEqualTypeOf<Server>();
  expectTypeOf(server.revision).toEqualTypeOf<"2026-07-28">();
});

test("members with engine defaults are optional in the result of a handler", () => {
  type Listed = Returned<"tools/list">;
  expectTypeOf<{ tools: [] }>().toExtend<Listed>();
  expectTypeOf<{
    tools: [];
    ttlMs: number;
    cacheScope: "public";
    resultType: "complete";
  }>().toExtend<Listed>();
  expectTypeOf<{ tools: []; cacheScope: "nobody" }>().not.toExtend<Listed>();
  expectTypeOf<Listed["ttlMs"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Listed["cacheScope"]>().toEqualTypeOf<"public" | "private" | undefined>();
  expectTypeOf<Listed["tools"]>().toEqualTypeOf<newest.Tool[]>();
  // They are required on the wire and in the result that a client gets.
  expectTypeOf<newest.ListToolsResult["ttlMs"]>().toEqualTypeOf<number>();
});

test("a handler may return an InputRequiredResult only for methods whose revision allows it", () => {
  expectTypeOf<newest.InputRequiredResult>().toExtend<Returned<"tools/call">>();
  expectTypeOf<newest.InputRequiredResult>().toExtend<Returned<"prompts/get">>();
  expectTypeOf<newest.InputRequiredResult>().not.toExtend<Returned<"tools/list">>();
});

test("a handler may be synchronous or asynchronous", () => {
  expectTypeOf<() => { tools: [] }>().toExtend<Handler<"tools/list">>();
  expectTypeOf<() => Promise<{ tools: [] }>>().toExtend<Handler<"tools/list">>();
});

test("a server's handler of an unknown method, or with a wrong result, does not compile", () => {
  expectTypeOf<"tool/call">().not.toExtend<keyof ServerHandlers>();
  // @ts-expect-error the method is "tools/call"
  createServer({ info, handlers: { "tool/call": () => ({ content: [] }) } });
  // @ts-expect-error the newest revision has no ping
  createServer({ info, handlers: { ping: () => ({}) } });
  // @ts-expect-error a block has a type
  createServer({ info, handlers: { "tools/call": () => ({ content: [{ text: "hi" }] }) } });
  const hologram = { type: "hologram", data: "" } as const;
  // @ts-expect-error there is no such block
  createServer({ info, handlers: { "tools/call": () => ({ content: [hologram] }) } });
  // @ts-expect-error a list of tools has tools
  createServer({ info, handlers: { "tools/list": () => ({}) } });
  const audio = { type: "audio", data: "", mimeType: "audio/wav" } as const;
  // @ts-expect-error the first revision had no audio
  createOldest({ info, handlers: { "tools/call": () => ({ content: [audio] }) } });
  createServer({ info, handlers: { "tools/call": () => ({ content: [audio] }) } });
  // @ts-expect-error info is required
  createServer({ handlers: {} });
});

test("context.request returns the result of the method that it sends to the client", () => {
  const result = context.request("elicitation/create", {
    mode: "form",
    message: "How old?",
    requestedSchema: { type: "object", properties: { age: { type: "integer" } } },
  });
  expectTypeOf(result).resolves.toEqualTypeOf<newest.ElicitResult>();
  expectTypeOf(context.request("roots/list")).resolves.toEqualTypeOf<newest.ListRootsResult>();
  // @ts-expect-error a server does not send this request
  void context.request("tools/list");
  // @ts-expect-error an elicitation has a message
  void context.request("elicitation/create", { mode: "form" });
});

test("log, progress and notify of the context take the types of their messages", () => {
  expectTypeOf(context.log).parameter(0).toEqualTypeOf<newest.LoggingLevel>();
  expectTypeOf(context.progress).toEqualTypeOf<
    (progress: number, total?: number, message?: string) => void
  >();
  expectTypeOf(context.client.capabilities).toEqualTypeOf<newest.ClientCapabilities>();
  context.notify("notifications/resources/updated", { uri: "file:///a" });
  // @ts-expect-error the params are required
  context.notify("notifications/resources/updated");
  // @ts-expect-error `progress` sends this notification
  context.notify("notifications/progress", { progressToken: 1, progress: 1 });
});

test("server.notify has a typed function for each notification that a user may send", () => {
  const server = createServer({ info, handlers: {} });
  expectTypeOf(server.notify.toolsListChanged).toBeCallableWith();
  expectTypeOf(server.notify.resourceUpdated).toBeCallableWith({ uri: "file:///a" });
  expectTypeOf(server.notify.resourceUpdated).toBeCallableWith("file:///a");
  expectTypeOf(server.notify).not.toHaveProperty("cancelled");
});
