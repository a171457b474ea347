import {
  type AnyContext,
  type Json,
  type ServerOptions,
  text,
} from "./index.js";

/** Ends the call of the tool `climb`. */
let finishClimb = (): void => {};
/** The number of calls of the tool `wait` that the client cancelled. */
let cancelledCalls = 0;

/** The tools by name. */
const tools: Readonly<
  Record<string, (input: Json, context: AnyContext, params: Json) => unknown>
> = {
  echo: ({ value }, _, { later, _meta }) =>
    // Members that no revision defines come back, so that the client sees that
    // they arrived.
    later === undefined
      ? text(String(value))
      : {
          ...text(String(value)),
          _meta: { "x/later": later, "x/y": (_meta as Json)["x/y"] },
        },
  count: (_, { progress }) => {
    for (const step of [1, 2, 2, 1, 3]) progress(step, 3, `step ${step}`);
    return text("counted");
  },
  /** Ends when the client calls `finishClimb`, after it got the last step. */
  climb: async (_, { progress }) => {
    const gate = new Promise<void>((resolve) => (finishClimb = resolve));
    for (const step of [1, 2, 3]) progress(step, 3);
    await gate;
    return text("climbed");
  },
  finishClimb: () => {
    finishClimb();
    return text("finished");
  },
  wait: async (_, { signal }) => {
    await new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    cancelledCalls++;
    throw signal.reason;
  },
  cancelledCalls: () => text(String(cancelledCalls)),
  log: (_, { log }) => {
    log("debug", "small talk", "test");
    log("error", { what: "an error" });
    return text("logged");
  },
  sample: async (_, { request }) => {
    const messages = [
      { role: "user", content: { type: "text", text: "Who?" } },
    ];
    const { content } = await request("sampling/createMessage", {
      messages,
      maxTokens: 9,
    });
    return text(String((content as Json)["text"]));
  },
  roots: async (_, { request }) => {
    const { roots } = await request("roots/list");
    return text((roots as readonly Json[]).map(({ uri }) => uri).join());
  },
  elicit: async (_, { request }) => {
    const { action, content } = await request("elicitation/create", {
      message: "What is it called?",
      requestedSchema: {
        type: "object",
        properties: {
          name: { type: "string" },
          count: { type: "integer", default: 3 },
        },
        required: ["name"],
      },
    });
    return text(`${String(action)} ${JSON.stringify(content)}`);
  },
  fail: () => {
    throw new Error("the password is swordfish");
  },
};

const page = Object.keys(tools).map((name) => ({
  name,
  inputSchema: { type: "object" },
}));

/** A server with all features. */
export const everythingServer: ServerOptions = {
  info: { name: "everything", version: "2.0.0" },
  instructions: "Try it.",
  capabilities: { logging: {} },
  handlers: {
    "tools/list": (params) =>
      params?.["cursor"] === undefined
        ? { tools: page.slice(0, 4), nextCursor: "" }
        : { tools: page.slice(4) },
    "tools/call": (params, context) => {
      const tool = tools[String(params["name"])];
      return tool
        ? tool((params["arguments"] ?? {}) as Json, context, params)
        : { content: [], isError: true };
    },
    "resources/read": ({ uri }) => ({
      contents: [{ uri, text: "It was a dark and stormy night." }],
    }),
    "prompts/get": (params) => {
      const { who } = params["arguments"] as Json;
      const content = { type: "text", text: `Greet ${String(who)}.` };
      return { messages: [{ role: "user", content }] };
    },
    "completion/complete": (params) => {
      const { value } = params["argument"] as Json;
      return {
        completion: { values: [`${String(value)}d`, `${String(value)}rk`] },
      };
    },
  },
};
