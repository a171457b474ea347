import {
  appTools,
  apps,
  getUiCapability,
  isUiUri,
  modelTools,
  readView,
  uiResource,
  uiTool,
  type UiMeta,
  uiUriOf,
  type View,
} from "@mcpgen/runtime/apps";
import { type JsonSchema, resources, type StandardSchema, tools } from "@mcpgen/runtime/features";
import { expectTypeOf, test } from "vitest";
import type { Client, ClientOptions } from "../../generated/2026-07-28/client.js";
import { type Context, createServer } from "../../generated/2026-07-28/server.js";
import type { Tool } from "../../generated/2026-07-28/types.js";
import type { connect } from "../../generated/index.js";

interface Who {
  readonly who: string;
}
declare const who: StandardSchema<Who>;
declare const stated: JsonSchema<Who>;
declare const client: Client | Awaited<ReturnType<typeof connect>>;
declare const list: readonly Tool[];

const info = { name: "test", version: "1.0.0" };
const ui = { resourceUri: "ui://a" };

test("the handler of a tool with a view gets arguments of the type of its own schema", () => {
  const handlers = tools([
    uiTool({ name: "a", inputSchema: who, handler: (args) => expectTypeOf(args).toEqualTypeOf<Who>() }, ui),
    uiTool(
      { name: "b", inputSchema: stated, handler: (args) => expectTypeOf(args).toEqualTypeOf<Who>() },
      ui,
    ),
    uiTool({ name: "c", handler: (_args, context: Context) => context.revision }, ui),
    { name: "d", inputSchema: who, handler: (args) => expectTypeOf(args).toEqualTypeOf<Who>() },
  ]);
  createServer({ info, handlers: { ...handlers, ...apps() } });
});

test("the result of a tool with a view has the type of its schema", () => {
  uiTool({ name: "a", outputSchema: stated, handler: () => ({ who: "ada" }) }, ui);
  // @ts-expect-error the schema has no such result
  uiTool({ name: "a", outputSchema: stated, handler: () => ({ who: 5 }) }, ui);
});

test("a tool is for the model, for views, or for both", () => {
  uiTool({ name: "a", handler: () => "" }, { visibility: ["app", "model"] });
  // @ts-expect-error nobody else uses tools
  uiTool({ name: "a", handler: () => "" }, { visibility: ["user"] });
  // @ts-expect-error origins belong to the resource
  uiTool({ name: "a", handler: () => "" }, { ...ui, csp: {} });
});

test("a resource with a view has its MIME type and its metadata", () => {
  resources([uiResource({ uri: "ui://a", name: "a", read: () => "" }, { csp: { frameDomains: [] } })]);
  // @ts-expect-error its MIME type is fixed
  uiResource({ uri: "ui://a", name: "a", mimeType: "text/html", read: () => "" });
  // @ts-expect-error origins are a list
  uiResource({ uri: "ui://a", name: "a", read: () => "" }, { csp: { frameDomains: "a" } });
});

test("a host keeps the types of its tools", () => {
  expectTypeOf(modelTools(list)).toEqualTypeOf<Tool[]>();
  expectTypeOf(appTools(list)).toEqualTypeOf<Tool[]>();
  expectTypeOf(uiUriOf).returns.toEqualTypeOf<string | undefined>();
  expectTypeOf(readView(client, "ui://a")).resolves.toEqualTypeOf<View>();
  expectTypeOf<View>().toExtend<UiMeta>();
  const options: ClientOptions = { info, handlers: { ...apps() } };
  expectTypeOf(options.info).not.toBeAny();
});

test("the context of any handler has the types that its client shows", () => {
  createServer({
    info,
    handlers: {
      "tools/list": (_params, context) => {
        expectTypeOf(getUiCapability(context)?.mimeTypes).toEqualTypeOf<readonly string[] | undefined>();
        return { tools: [] };
      },
    },
  });
});

test("isUiUri narrows a string to the URI of a view", () => {
  const uri: unknown = "ui://a";
  if (isUiUri(uri)) expectTypeOf(uri).toEqualTypeOf<`ui://${string}`>();
});
