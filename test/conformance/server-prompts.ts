import type { ServerHandlers } from "../../generated/index.js";
import { invalid, png } from "./content.js";

type Get = NonNullable<ServerHandlers["prompts/get"]>;
type Messages = Awaited<ReturnType<Get>>["messages"];

const user = (
  content: NonNullable<Messages>[number]["content"],
): Awaited<ReturnType<Get>> => ({
  messages: [{ role: "user", content }],
});
const text = (value: string): Awaited<ReturnType<Get>> =>
  user({ type: "text", text: value });

const known: Readonly<
  Record<
    string,
    { description: string; arguments?: readonly string[]; get: Get }
  >
> = {
  test_simple_prompt: {
    description: "One message.",
    get: () => text("This is a simple prompt for testing."),
  },
  test_prompt_with_arguments: {
    description: "A message made of two arguments.",
    arguments: ["arg1", "arg2"],
    get: ({ arguments: args = {} }) =>
      text(
        `Prompt with arguments: arg1='${args["arg1"]}', arg2='${args["arg2"]}'`,
      ),
  },
  test_prompt_with_embedded_resource: {
    description: "A message that holds a resource.",
    arguments: ["resourceUri"],
    get: ({ arguments: args = {} }) =>
      user({
        type: "resource",
        resource: {
          uri: args["resourceUri"] ?? "",
          mimeType: "text/plain",
          text: "Embedded.",
        },
      }),
  },
  test_prompt_with_image: {
    description: "A message that holds an image.",
    get: () => user({ type: "image", data: png, mimeType: "image/png" }),
  },
  test_input_required_result_prompt: {
    description: "Asks the user before it answers.",
    get: async (_, { request }) => {
      const { content } = await request(
        "elicitation/create",
        {
          message: "What is this about?",
          requestedSchema: {
            type: "object",
            properties: { context: { type: "string" } },
          },
        },
        { key: "user_context" },
      );
      return text(`About: ${JSON.stringify(content)}`);
    },
  },
};

/** The prompts that the suite requires. */
export const prompts: Pick<ServerHandlers, "prompts/list" | "prompts/get"> = {
  "prompts/list": () => ({
    prompts: Object.entries(known).map(
      ([name, { description, arguments: args = [] }]) => ({
        name,
        description,
        arguments: args.map((one) => ({
          name: one,
          description: `The ${one}.`,
          required: true,
        })),
      }),
    ),
  }),
  "prompts/get": (params, context) => {
    const prompt = known[params.name];
    if (!prompt) throw invalid(`There is no prompt ${params.name}.`);
    return prompt.get(params, context);
  },
};
