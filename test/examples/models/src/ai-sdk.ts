import { dynamicTool, jsonSchema, type ToolSet } from "ai";
import type { ModelTools } from "./weather/tools.js";

/** For `tools` of `generateText` and `streamText`. */
export const toolsForAi = (tools: ModelTools): ToolSet =>
  Object.fromEntries(
    Object.values(tools).map(({ name, description, inputSchema, execute }) => [
      name,
      dynamicTool({
        description,
        inputSchema: jsonSchema(inputSchema),
        execute: (args) => execute(args as never),
      }),
    ]),
  );
