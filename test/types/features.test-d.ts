import {
  prompts,
  resources,
  type JsonSchema,
  type StandardSchema,
  type Tool,
  tools,
} from "@mcpgen/runtime/features";
import { expectTypeOf, test } from "vitest";
import { type Context, createServer } from "../../generated/2026-07-28/server.js";
import { createServers } from "../../generated/index.js";
import { AnnotationsSchema } from "../../generated/2025-11-25/validators.js";
import type { Annotations } from "../../generated/2025-11-25/types.js";

interface Who {
  readonly who: string;
}
declare const who: StandardSchema<Who>;
declare const count: StandardSchema<{ n: number }>;
declare const stated: JsonSchema<Who>;

test("a tool's handler takes what its schema gives, each tool of a list for itself", () => {
  tools([
    { name: "a", inputSchema: who, handler: (args) => expectTypeOf(args).toEqualTypeOf<Who>() },
    { name: "b", inputSchema: count, handler: ({ n }) => expectTypeOf(n).toEqualTypeOf<number>() },
    { name: "c", inputSchema: stated, handler: (args) => expectTypeOf(args).toEqualTypeOf<Who>() },
    {
      name: "d",
      inputSchema: AnnotationsSchema,
      handler: (args) => expectTypeOf(args).toEqualTypeOf<Annotations>(),
    },
    {
      name: "e",
      inputSchema: { type: "object" },
      handler: (args) => expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, unknown>>>(),
    },
    { name: "f", handler: (args) => expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, unknown>>>() },
  ]);
});

test("a handler may ask for the context of its revision", () => {
  tools([
    {
      name: "a",
      inputSchema: who,
      handler: ({ who: name }, context: Context) => {
        expectTypeOf(name).toEqualTypeOf<string>();
        expectTypeOf(context.revision).toEqualTypeOf<"2026-07-28">();
        return "";
      },
    },
  ]);
});

test("a tool can be written where it is wanted, and a list can be told by a function", () => {
  const greet: Tool<typeof who> = { name: "greet", inputSchema: who, handler: (args) => args.who };
  const bare: Tool = { name: "bare", handler: () => "" };
  tools([greet, bare]);
  tools(() => [greet, bare]);
  tools(async (context) => (context.auth ? [greet] : []), { pageSize: 10 });
  // @ts-expect-error a tool has a name
  tools([{ handler: () => "" }]);
  // @ts-expect-error a tool does something
  tools([{ name: "idle" }]);
  // @ts-expect-error the page's size is a number
  tools([bare], { pageSize: "10" });
});

test("what they return goes in among the handlers of one revision or of all", () => {
  const handlers = {
    ...tools([{ name: "bare", handler: () => "" }]),
    ...resources([
      { uri: "a:b", name: "b", read: (context) => context.revision },
      { uriTemplate: "a:{b}", name: "c", read: ({ b }, uri) => `${b}${uri}`, complete: { b: ["x"] } },
    ]),
    ...prompts([
      { name: "p", arguments: [{ name: "x", complete: (typed) => [typed] }], get: ({ x }) => `${x}` },
    ]),
  };
  const info = { name: "test", version: "1" };
  createServer({ info, handlers });
  createServers({
    info,
    handlers: { ...handlers, "completion/complete": () => ({ completion: { values: [] } }) },
  });
  // @ts-expect-error a resource has a URI or a template
  resources([{ name: "b", read: () => "" }]);
  // @ts-expect-error an argument is given by name
  prompts([{ name: "p", arguments: ["x"], get: () => "" }]);
});
