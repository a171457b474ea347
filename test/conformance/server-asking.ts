import {
  type Arguments,
  askModel,
  askName,
  text,
  type Tool,
  type Tools,
} from "./server-tool.js";

const options = ["option1", "option2", "option3"];
const titled = (name: string) =>
  ["First", "Second", "Third"].map((title, i) => ({
    const: `${name}${i + 1}`,
    title,
  }));

/** Sends a form to the user, and returns the answer as text. */
const elicits = (description: string, properties: Arguments): Tool => ({
  description,
  call: async (_, { request }) => {
    const requestedSchema = {
      type: "object",
      properties,
    } as (typeof askName)["requestedSchema"];
    const { action, content } = await request("elicitation/create", {
      message: "Please fill this in.",
      requestedSchema,
    });
    return text(
      `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`,
    );
  },
});

/**
 * Tools that send requests to the client's model or its user, in the way of the
 * revision.
 */
export const asking: Tools = {
  test_sampling: {
    description: "Asks the client's model.",
    inputSchema: {
      type: "object",
      properties: { prompt: { type: "string" } },
      required: ["prompt"],
    },
    call: async ({ prompt }, { request }) => {
      const { content } = await request(
        "sampling/createMessage",
        askModel(String(prompt)),
      );
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  },
  test_elicitation: {
    description: "Asks the user.",
    inputSchema: {
      type: "object",
      properties: { message: { type: "string" } },
      required: ["message"],
    },
    call: async ({ message }, { request }) => {
      const answer = await request("elicitation/create", {
        message: String(message),
        requestedSchema: {
          type: "object",
          properties: {
            username: { type: "string" },
            email: { type: "string" },
          },
          required: ["username", "email"],
        },
      });
      return text(`User response: ${JSON.stringify(answer)}`);
    },
  },
  test_elicitation_sep1034_defaults: elicits(
    "Asks for values that have defaults.",
    {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: {
        type: "string",
        enum: ["active", "inactive", "pending"],
        default: "active",
      },
      verified: { type: "boolean", default: true },
    },
  ),
  test_elicitation_sep1330_enums: elicits(
    "Asks for one of several values, in every notation.",
    {
      untitledSingle: { type: "string", enum: options },
      titledSingle: { type: "string", oneOf: titled("value") },
      legacyEnum: {
        type: "string",
        enum: ["opt1", "opt2", "opt3"],
        enumNames: ["One", "Two", "Three"],
      },
      untitledMulti: {
        type: "array",
        items: { type: "string", enum: options },
      },
      titledMulti: { type: "array", items: { anyOf: titled("value") } },
    },
  ),
  test_missing_capability: {
    description: "Needs a model.",
    call: async (_, { request }) => {
      await request("sampling/createMessage", askModel("Who?"));
      return text("Asked.");
    },
  },
  test_streaming_elicitation: {
    description: "Asks the user, and is asked again.",
    call: async (_, { request, progress }) => {
      progress(1);
      const { action } = await request("elicitation/create", askName);
      return text(`The user said ${action}.`);
    },
  },
};
