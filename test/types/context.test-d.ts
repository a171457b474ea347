import {
  type Asking,
  type FeatureContext,
  prompts,
  resources,
  type StandardSchema,
  type Tool,
  tools,
} from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import { expectTypeOf, test } from "vitest";
import { type Context, createServers, type ServerHandlers } from "../../generated/index.js";
import { type Context as Oldest, createServer as createOldest } from "../../generated/2024-11-05/server.js";
import { createServer as createOlder } from "../../generated/2025-06-18/server.js";
import { type Context as Newest, createServer } from "../../generated/2026-07-28/server.js";

interface Who {
  readonly who: string;
}
declare const who: StandardSchema<Who>;
declare const output: StandardSchema<{ n: number }, { n: string }>;
const info = { name: "test", version: "1" };

test("the handler of a tool of a generated server gets its context, with results of request, without an annotation", () => {
  createServers({
    info,
    handlers: tools([
      {
        name: "greet",
        inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        async handler({ name }, context) {
          expectTypeOf(context).toEqualTypeOf<Asking<Context>>();
          const { roots } = await context.request("roots/list");
          expectTypeOf(roots[0]?.uri).toEqualTypeOf<string | undefined>();
          // @ts-expect-error there is no such request
          await context.request("roots/lost");
          return `Hello, ${String(name)}!`;
        },
      },
    ]),
  });
  createServer({
    info,
    handlers: {
      ...tools([
        {
          name: "a",
          inputSchema: who,
          outputSchema: output,
          async handler(args, context) {
            expectTypeOf(args).toEqualTypeOf<Who>();
            expectTypeOf(context).toEqualTypeOf<Asking<Newest>>();
            const { action } = await context.request("elicitation/create", {
              message: "",
              requestedSchema: { type: "object", properties: {} },
            });
            expectTypeOf(action).toEqualTypeOf<"accept" | "cancel" | "decline">();
            return { n: args.who };
          },
        },
      ]),
      ...tasks(),
    },
  });
});

test("resources, prompts, functions in place of lists and the options of lists get the same context", () => {
  createServer({
    info,
    handlers: {
      ...tools([], {
        wrap: (next, { context }) => (expectTypeOf(context).toEqualTypeOf<Newest>(), next()),
        filter: (result, { context }) => (expectTypeOf(context).toEqualTypeOf<Newest>(), result),
      }),
      ...resources([
        { uri: "a:b", name: "b", read: (context) => expectTypeOf(context).toEqualTypeOf<Asking<Newest>>() },
        {
          uriTemplate: "a:{b}",
          name: "c",
          read({ b }, _uri, context) {
            expectTypeOf(context).toEqualTypeOf<Asking<Newest>>();
            return b;
          },
        },
      ]),
      ...prompts([{ name: "p", get: (_, context) => expectTypeOf(context).toEqualTypeOf<Asking<Newest>>() }]),
    },
  });
  createOldest({
    info,
    handlers: tools((context) => {
      expectTypeOf(context).toEqualTypeOf<Oldest>();
      return [{ name: "a", handler: () => "" }];
    }),
  });
});

test("a list apart from a server gets the context of the handlers that it is declared as", () => {
  const typed: ServerHandlers = tools([
    { name: "a", handler: (_, context) => expectTypeOf(context).toEqualTypeOf<Asking<Context>>() },
  ]);
  createServers({ info, handlers: typed });
});

test("a list apart from a server without a type is accepted by the servers of all revisions", () => {
  const bare: Tool = { name: "bare", handler: (_, context) => context.revision };
  const free = tools([
    bare,
    { name: "a", handler: (_, context) => expectTypeOf(context).toEqualTypeOf<FeatureContext>() },
  ]);
  createServers({ info, handlers: free });
  createServer({ info, handlers: free });
  createOldest({ info, handlers: free });
  createOlder({ info, handlers: { ...free, ...tools([bare]), ...tasks() } });
});

test("a handler for one revision is refused in a server for all revisions", () => {
  createServers({
    info,
    handlers: tools([
      // @ts-expect-error the request may be of another revision
      { name: "a", handler: (_, context: Newest) => context.revision },
      { name: "b", handler: (_, context) => expectTypeOf(context).toEqualTypeOf<Asking<Context>>() },
    ]),
  });
});
