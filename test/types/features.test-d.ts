import {
  type FeatureContext,
  prompts,
  resources,
  type JsonSchema,
  type StandardSchema,
  type Tool,
  tools,
  type VariablesOf,
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

declare const output: StandardSchema<{ n: number }, { n: string }>;
declare const template: string;

test("the output schema of a tool is the type of what its handler returns", () => {
  tools([
    { name: "a", inputSchema: who, outputSchema: output, handler: (args) => ({ n: args.who }) },
    {
      name: "b",
      outputSchema: output,
      handler: async () => ({ structuredContent: { n: "1" }, content: [] }),
    },
    { name: "c", outputSchema: output, handler: () => ({ content: [], isError: true }) },
    { name: "d", outputSchema: output, handler: () => ({ resultType: "input_required", inputRequests: {} }) },
    { name: "e", outputSchema: stated, handler: () => ({ who: "me" }) },
    { name: "f", outputSchema: { type: "object" }, handler: () => ({ anything: 1 }) },
    { name: "g", outputSchema: AnnotationsSchema, handler: () => ({ priority: 1 }) },
    { name: "h", handler: () => 7 },
  ]);
  // @ts-expect-error the schema takes a string
  tools([{ name: "a", outputSchema: output, handler: () => ({ n: 1 }) }]);
  // @ts-expect-error the schema takes a string, in a whole result as well
  tools([{ name: "a", outputSchema: output, handler: async () => ({ structuredContent: { n: 1 } }) }]);
  // @ts-expect-error the stated type has a member that is missing
  tools([{ name: "a", outputSchema: stated, handler: () => ({}) }]);
  // @ts-expect-error a result of this tool has a structured value
  tools([{ name: "a", outputSchema: output, handler: () => ({ content: [] }) }]);
  tools([
    { name: "a", handler: () => 1 },
    // @ts-expect-error each tool has its own schema
    { name: "b", outputSchema: output, handler: () => 1 },
  ]);
});

declare const turn: StandardSchema<unknown, { to: "left" | "right"; by: [number, string]; sure?: true }>;
declare const plain: JsonSchema;
declare const forecast: { readonly degrees: number };

test("a handler with parameters returns literals and tuples as its output schema takes them", () => {
  tools([
    {
      name: "a",
      outputSchema: turn,
      handler: ({ by }) => ({ to: "left", by: [Number(by), "km"], sure: true }),
    },
    { name: "b", outputSchema: turn, handler: async ({ by }) => ({ to: "left", by: [Number(by), "km"] }) },
    {
      name: "c",
      outputSchema: turn,
      async handler(_, context) {
        if (context.auth) return { isError: true, content: [{ type: "text", text: "no" }] };
        return { structuredContent: { to: "left", by: [1, "km"] } };
      },
    },
    // Without parameters, a literal says so.
    {
      name: "d",
      outputSchema: turn,
      handler: () => ({ to: "left" as const, by: [1, "km"] as [number, string] }),
    },
    { name: "e", outputSchema: plain, handler: () => forecast },
  ]);
  // @ts-expect-error there is no such turn
  tools([{ name: "a", outputSchema: turn, handler: ({ by }) => ({ to: "up", by: [Number(by), "km"] }) }]);
});

test("tools made by a program go into a list as those that are written in it", () => {
  const made = ["a", "b"].map((name) => ({ name, inputSchema: plain, handler: (args: object) => `${args}` }));
  tools(made);
  tools([
    { name: "c", inputSchema: who, handler: (args) => expectTypeOf(args).toEqualTypeOf<Who>() },
    ...made,
  ]);
});

test("the context of a handler has its members, whatever the revision", () => {
  tools([{ name: "a", handler: (_, context) => expectTypeOf(context).toEqualTypeOf<FeatureContext>() }]);
  resources([
    { uri: "a:b", name: "b", read: (context) => expectTypeOf(context).toEqualTypeOf<FeatureContext>() },
    {
      uriTemplate: "a:{b}",
      name: "c",
      read: (_, __, it) => expectTypeOf(it).toEqualTypeOf<FeatureContext>(),
    },
  ]);
  prompts([{ name: "p", get: (_, context) => expectTypeOf(context).toEqualTypeOf<FeatureContext>() }]);
  type Member = "client" | "log" | "notify" | "request" | "auth" | "release" | "once";
  type Shared = "signal" | "requestId" | "revision" | "progress";
  expectTypeOf<keyof FeatureContext>().toEqualTypeOf<Member | Shared>();
  expectTypeOf<FeatureContext["request"]>().returns.toEqualTypeOf<Promise<unknown>>();
});

test("the variables of a template have the names that stand in it", () => {
  expectTypeOf<VariablesOf<"a://{owner}/{id}">>().toEqualTypeOf<{
    readonly owner: string;
    readonly id: string;
  }>();
  expectTypeOf<VariablesOf<"{+path}{?q,limit}{&page}">>().toEqualTypeOf<{
    readonly path: string;
    readonly q?: string;
    readonly limit?: string;
    readonly page?: string;
  }>();
  expectTypeOf<VariablesOf<"{a,b}{#c}{.d}{/e,f}{;g}">>().toEqualTypeOf<{
    readonly a: string;
    readonly b?: string;
    readonly c?: string;
    readonly d?: string;
    readonly e?: string;
    readonly f?: string;
    readonly g?: string;
  }>();
  expectTypeOf<VariablesOf<"a:b">>().toEqualTypeOf<{}>();
  expectTypeOf<VariablesOf<string>>().toEqualTypeOf<Readonly<Record<string, string>>>();
  expectTypeOf<VariablesOf<`${string}/{a}`>>().toEqualTypeOf<Readonly<Record<string, string>>>();
  resources([
    { uri: "a:b", name: "a", read: () => "" },
    {
      uriTemplate: "notes://{owner}/{id}{?page}",
      name: "b",
      complete: { owner: ["x"], page: (typed) => [typed] },
      read: ({ owner, id, page }) => {
        expectTypeOf(owner).toEqualTypeOf<string>();
        expectTypeOf(page).toEqualTypeOf<string | undefined>();
        return owner + id;
      },
    },
    {
      uriTemplate: template,
      name: "c",
      read: (variables) => expectTypeOf(variables).toEqualTypeOf<Readonly<Record<string, string>>>(),
    },
  ]);
  // @ts-expect-error the template has no such variable
  resources([{ uriTemplate: "notes://{owner}", name: "a", read: ({ id }) => id }]);
  // @ts-expect-error the template has no such variable to complete
  resources([{ uriTemplate: "notes://{owner}", name: "a", complete: { id: [] }, read: () => "" }]);
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
