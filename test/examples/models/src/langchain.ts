import { type DynamicStructuredTool, tool } from "@langchain/core/tools";
import type { ModelTools } from "./weather/tools.js";

/** For `bindTools` of a model, and `tools` of an agent. */
export const toolsForLangChain = (tools: ModelTools): DynamicStructuredTool[] =>
  Object.values(tools).map(({ name, description, inputSchema, execute }) =>
    tool((args) => execute(args as never), {
      name,
      description,
      schema: { ...inputSchema, type: "object" },
    }),
  );
