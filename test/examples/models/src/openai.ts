import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessageFunctionToolCall,
} from "openai/resources";
import type { ChatCompletionToolMessageParam } from "openai/resources";
import type { ModelTools } from "./weather/tools.js";

/** For `tools` of `chat.completions.create`. */
export const toolsForOpenAi = (
  tools: ModelTools,
): ChatCompletionFunctionTool[] =>
  Object.values(tools).map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: { ...inputSchema } },
  }));

/**
 * Makes the call that the model chose. The answer goes back in the next
 * request.
 */
export async function answerOpenAi(
  tools: ModelTools,
  {
    id,
    function: { name, arguments: text },
  }: ChatCompletionMessageFunctionToolCall,
): Promise<ChatCompletionToolMessageParam> {
  const tool = Object.values(tools).find((one) => one.name === name);
  const result = await tool
    ?.execute(JSON.parse(text) as never)
    .catch((error: Error) => error.message);
  return {
    role: "tool",
    tool_call_id: id,
    content: JSON.stringify(result ?? `There is no tool ${name}.`),
  };
}
