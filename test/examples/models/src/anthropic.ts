import type {
  Tool,
  ToolResultBlockParam,
  ToolUseBlock,
} from "@anthropic-ai/sdk/resources";
import type { ModelTools } from "./weather/tools.js";

/** For `tools` of `messages.create`. */
export const toolsForAnthropic = (tools: ModelTools): Tool[] =>
  Object.values(tools).map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: { ...inputSchema, type: "object" },
  }));

/**
 * Makes the call that the model chose. The answer goes back in the next
 * request.
 */
export async function answerAnthropic(
  tools: ModelTools,
  { id, name, input }: ToolUseBlock,
): Promise<ToolResultBlockParam> {
  const tool = Object.values(tools).find((one) => one.name === name);
  const result = await tool
    ?.execute(input as never)
    .catch((error: Error) => error.message);
  const content = JSON.stringify(result ?? `There is no tool ${name}.`);
  return {
    type: "tool_result",
    tool_use_id: id,
    content,
    is_error: typeof result !== "object" || result.isError === true,
  };
}
