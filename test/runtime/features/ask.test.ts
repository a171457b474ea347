import { createHttpHandler, http } from "@mcpgen/runtime/http";
import {
  type Asking,
  type FeatureContext,
  type Form,
  projectTools,
  prompts,
  resources,
  type StandardSchema,
  tools,
} from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import {
  type AnyClient,
  type ClientOptions,
  join,
  type Json,
  makeClient,
  makeServer,
  revisions,
  textOf,
} from "../kit/index.js";

type Context = Asking<FeatureContext>;
const booking = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    guests: { type: "integer", default: 2 },
  },
  required: ["name"],
} as const;
/** As a library converts it, with keywords that a form does not have. */
const standardBooking: StandardSchema<{ name: string; guests: number }> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate(value) {
      const { name, guests = 2 } = value as { name: string; guests?: number };
      return name === "Nobody"
        ? { issues: [{ message: "is nobody", path: ["name"] }] }
        : { value: { name, guests } };
    },
    jsonSchema: {
      input: () => ({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        ...booking,
        additionalProperties: false,
      }),
      output: () => booking,
    },
  },
};
const textWith = async (
  { elicit }: Context,
  form: Form = booking,
): Promise<string> => JSON.stringify(await elicit("Book?", form));

/** Handlers that destructure the context, so that no function uses `this`. */
const asking = (): Json => ({
  ...tools([
    { name: "book", handler: (_, context: Context) => textWith(context) },
    {
      name: "standard",
      handler: (_, context: Context) => textWith(context, standardBooking),
    },
    {
      name: "sum up",
      async handler(_, { sample }: Context) {
        const { text, model } = await sample({
          messages: "Sum up.",
          maxTokens: 9,
        });
        return `${text} (${model})`;
      },
    },
    {
      name: "by hand",
      async handler(_, { sample }: Context) {
        const content = { type: "text", text: "Translate." };
        const messages = [{ role: "user" as const, content }];
        return (await sample({ messages, maxTokens: 9, temperature: 0 })).text;
      },
    },
  ]),
  ...resources([{ uri: "test:r", name: "r", read: textWith as never }]),
  ...prompts([{ name: "p", get: (_, context) => textWith(context as never) }]),
});

const params: Json[] = [];
const handled = {
  "elicitation/create": (content: Json) => (asked: Json) => {
    params.push(asked);
    return { action: "accept", content };
  },
  "sampling/createMessage": () => (asked: Json) => {
    params.push(asked);
    const content = { type: "text", text: "Short" };
    return { role: "assistant", model: "m", content };
  },
};
const answersTo = (
  method: keyof typeof handled,
  content: Json = {},
): ClientOptions => ({ handlers: { [method]: handled[method](content) } });
const accepting = (content: Json): ClientOptions =>
  answersTo("elicitation/create", content);
const sampling = answersTo("sampling/createMessage");

describe.each(revisions)("the context of features at $revision", (one) => {
  const { protocol, revision } = one;
  const hasForms = revision >= "2025-06-18";
  const overMemory = async (options: ClientOptions): Promise<AnyClient> =>
    (
      await join(protocol, {
        server: { handlers: asking() as never },
        client: options,
      })
    ).client;
  const overHttp = (options: ClientOptions): Promise<AnyClient> => {
    const handler = createHttpHandler(
      makeServer(protocol, { handlers: asking() as never }),
    );
    const answer = (url: string | URL | Request, init?: RequestInit) =>
      handler(new Request(url, init));
    const transport = http("http://127.0.0.1/mcp", { fetch: answer });
    return makeClient(protocol, transport, options);
  };

  // Over HTTP, a server cannot ask clients of the oldest revision.
  const ways = [
    ["memory", overMemory],
    ["HTTP", overHttp],
  ] as const;
  describe.each(revision === "2024-11-05" ? ways.slice(0, 1) : ways)(
    "over %s",
    (_, open) => {
      it.runIf(hasForms)(
        "asks the user with a form in tools, resources and prompts",
        async () => {
          const client = await open(accepting({ name: "Ada", guests: 3 }));
          const accepted = {
            action: "accept",
            content: { name: "Ada", guests: 3 },
          };
          const text = textOf(await client.callTool({ name: "book" }));
          expect(JSON.parse(text)).toMatchObject(accepted);
          expect(params.at(-1)).toMatchObject({
            message: "Book?",
            requestedSchema: booking,
          });
          const read = await client.readResource({ uri: "test:r" });
          expect(JSON.stringify(read["contents"])).toContain("Ada");
          const prompt = await client.getPrompt({ name: "p" });
          expect(JSON.stringify(prompt["messages"])).toContain("Ada");
          await client.close();
        },
      );

      it.runIf(hasForms)(
        "sends a Standard Schema as a form, and returns what the schema makes of the answer",
        async () => {
          const client = await open(accepting({ name: "Ada" }));
          const text = textOf(await client.callTool({ name: "standard" }));
          expect(JSON.parse(text)).toMatchObject({
            action: "accept",
            content: { name: "Ada", guests: 2 },
          });
          expect(params.at(-1)?.["requestedSchema"]).toEqual(booking);
          await client.close();
          const wrong = await open(accepting({ name: "Nobody" }));
          const result = await wrong.callTool({ name: "standard" });
          expect(result["isError"]).toBe(true);
          expect(textOf(result)).toBe(
            "context.elicit: the answer does not match the form: name: is nobody.",
          );
          await wrong.close();
        },
      );

      it("asks the model with a text or with messages, and joins the texts of the answer", async () => {
        const client = await open(sampling);
        expect(textOf(await client.callTool({ name: "sum up" }))).toBe(
          "Short (m)",
        );
        expect(params.at(-1)).toMatchObject({
          messages: [
            { role: "user", content: { type: "text", text: "Sum up." } },
          ],
          maxTokens: 9,
        });
        expect(textOf(await client.callTool({ name: "by hand" }))).toBe(
          "Short",
        );
        expect(params.at(-1)).toMatchObject({
          messages: [{ content: { text: "Translate." } }],
          temperature: 0,
        });
        await client.close();
      });
    },
  );

  it.runIf(hasForms)("returns a refusal as it is", async () => {
    const client = await overMemory({
      handlers: { "elicitation/create": () => ({ action: "decline" }) },
    });
    for (const name of ["book", "standard"])
      expect(JSON.parse(textOf(await client.callTool({ name })))).toMatchObject(
        {
          action: "decline",
        },
      );
    await client.close();
  });

  it.runIf(!hasForms)(
    "says that a revision without forms has none",
    async () => {
      const client = await overMemory({});
      const result = await client.callTool({ name: "book" });
      expect(textOf(result)).toBe(
        `Revision ${revision} has no elicitation for a server to send.`,
      );
      await client.close();
    },
  );

  it("says what to import when the server has no tables of questions", async () => {
    const { client } = await join(protocol, {
      server: { questions: undefined, handlers: asking() as never },
    });
    for (const name of ["book", "sum up"])
      expect(textOf(await client.callTool({ name }))).toMatch(
        /was not sent: this server cannot ask clients.*questions: serverQuestions/,
      );
    await client.close();
  });

  it("asks in a tool that may run as a task, and inside the option wrap", async () => {
    const seen: unknown[] = [];
    const { client } = await join(protocol, {
      server: {
        handlers: {
          ...tools(
            [
              {
                name: "sum up",
                execution: { taskSupport: "optional" },
                handler: async (_, { sample }: Context) =>
                  (await sample({ messages: "Sum up.", maxTokens: 9 })).text,
              },
            ],
            {
              wrap: (next, { context }) => {
                seen.push(typeof (context as Context).elicit);
                return next();
              },
            },
          ),
          ...tasks(),
        } as never,
      },
      client: sampling,
    });
    expect(textOf(await client.callTool({ name: "sum up" }))).toBe("Short");
    expect(new Set(seen)).toEqual(new Set(["function"]));
    await client.close();
  });

  it("asks in a handler of a project", async () => {
    const handlers = {
      sumUp: async (_: unknown, { sample }: Context) =>
        (await sample({ messages: "Sum up.", maxTokens: 9 })).text,
    };
    const input = {
      ...standardBooking,
      "~standard": {
        ...standardBooking["~standard"],
        validate: (value: unknown) => ({ value }),
      },
      parse: (value: unknown) => value,
    };
    const { client } = await join(protocol, {
      server: {
        handlers: projectTools(
          { tools: handlers },
          { sumUp: ["sum_up", input] },
          {
            server: { name: "test", version: "1" },
            capabilities: {},
            tools: [{ name: "sum_up", inputSchema: { type: "object" } }],
          },
        ) as never,
      },
      client: sampling,
    });
    expect(textOf(await client.callTool({ name: "sum_up" }))).toBe("Short");
    await client.close();
  });
});
