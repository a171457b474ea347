import {
  type Asking,
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

test("the handler of each tool in a list gets arguments of the type of its own schema", () => {
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

test("a handler of a tool may declare the context of one revision", () => {
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

test("a tool may be a constant of type Tool, and a list may be a function that returns it", () => {
  const greet: Tool<typeof who> = { name: "greet", inputSchema: who, handler: (args) => args.who };
  const bare: Tool = { name: "bare", handler: () => "" };
  tools([greet, bare]);
  tools(() => [greet, bare]);
  tools(async (context) => (context.auth ? [greet] : []), { pageSize: 10 });
  // @ts-expect-error a tool has a name
  tools([{ handler: () => "" }]);
  // @ts-expect-error a tool has a handler
  tools([{ name: "idle" }]);
  // @ts-expect-error the page's size is a number
  tools([bare], { pageSize: "10" });
});

declare const output: StandardSchema<{ n: number }, { n: string }>;
declare const template: string;

test("the handler of a tool returns the type of its output schema", () => {
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
  // @ts-expect-error the schema takes a string in a complete result too
  tools([{ name: "a", outputSchema: output, handler: async () => ({ structuredContent: { n: 1 } }) }]);
  // @ts-expect-error a member of the declared type is missing
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

test("literals and tuples that a handler returns keep their types for the output schema", () => {
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
    // A function without parameters needs `as const`.
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

test("tools from an array may be in a list beside tools that are written there", () => {
  const computed = ["a", "b"].map((name) => ({
    name,
    inputSchema: plain,
    handler: (args: object) => `${args}`,
  }));
  tools(computed);
  tools([
    { name: "c", inputSchema: who, handler: (args) => expectTypeOf(args).toEqualTypeOf<Who>() },
    ...computed,
  ]);
});

test("the context of a feature's handler has the same members for all revisions", () => {
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
  type Member = "client" | "log" | "meta" | "notify" | "request" | "auth" | "sessionEnd" | "release" | "once";
  type Shared = "signal" | "requestId" | "revision" | "progress";
  expectTypeOf<keyof FeatureContext>().toEqualTypeOf<Member | Shared>();
  expectTypeOf<FeatureContext["request"]>().returns.toEqualTypeOf<Promise<unknown>>();
});

test("the variables of a template have the names in the template", () => {
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

test("the results of tools, resources and prompts are handlers of one revision or of all revisions", () => {
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
  // @ts-expect-error an argument is an object with a name
  prompts([{ name: "p", arguments: ["x"], get: () => "" }]);
});

test("the answer to a form has the types of its fields, those that it does not require may be absent, and decline has none", () => {
  createServers({
    info: { name: "test", version: "1" },
    handlers: tools([
      {
        name: "book",
        async handler(_, context) {
          const answer = await context.elicit("Book?", {
            type: "object",
            properties: {
              name: { type: "string", minLength: 2 },
              guests: { type: "integer", default: 2 },
              seat: { type: "string", enum: ["window", "garden"] },
              where: {
                type: "string",
                oneOf: [
                  { const: "in", title: "Inside" },
                  { const: "out", title: "Outside" },
                ],
              },
              meals: { type: "array", items: { type: "string", enum: ["soup", "fish"] } },
              news: { type: "boolean" },
            },
            required: ["name", "news"],
          });
          expectTypeOf(answer.action).toEqualTypeOf<"accept" | "decline" | "cancel">();
          if (answer.action !== "accept") return expectTypeOf(answer.content).toEqualTypeOf<undefined>();
          const { name, guests, seat, where, meals, news } = answer.content;
          expectTypeOf(name).toEqualTypeOf<string>();
          expectTypeOf(guests).toEqualTypeOf<number | undefined>();
          expectTypeOf(seat).toEqualTypeOf<"window" | "garden" | undefined>();
          expectTypeOf(where).toEqualTypeOf<"in" | "out" | undefined>();
          expectTypeOf(meals).toEqualTypeOf<readonly ("soup" | "fish")[] | undefined>();
          return expectTypeOf(news).toEqualTypeOf<boolean>();
        },
      },
      {
        name: "wrong",
        async handler(_, context) {
          // @ts-expect-error a form has flat fields of these types
          await context.elicit("Who?", { type: "object", properties: { who: { type: "person" } } });
          // @ts-expect-error a form is of an object
          return context.elicit("Who?", { type: "string" });
        },
      },
    ]),
  });
});

test("the answer to a form of a Standard Schema has the type of the schema, in tools, resources and prompts", () => {
  createServer({
    info: { name: "test", version: "1" },
    handlers: {
      ...resources([
        {
          uri: "a:b",
          name: "b",
          async read({ elicit }) {
            const answer = await elicit("Who?", who);
            return answer.action === "accept" ? expectTypeOf(answer.content).toEqualTypeOf<Who>() : "";
          },
        },
      ]),
      ...prompts([
        {
          name: "p",
          get: async ({ topic }, { sample }) => (await sample({ messages: topic ?? "", maxTokens: 9 })).text,
        },
      ]),
    },
  });
  // Apart from a server, the function says that it asks.
  tools([
    {
      name: "a",
      async handler(_, { sample }: Asking<FeatureContext>) {
        const { text, model } = await sample({ messages: "Hi", maxTokens: 9 });
        expectTypeOf(text).toEqualTypeOf<string>();
        expectTypeOf(model).toEqualTypeOf<string>();
        // @ts-expect-error the number of tokens is limited
        return sample({ messages: "Hi" });
      },
    },
  ]);
});
