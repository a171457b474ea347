import { fastPrompt, fastResource, fastTool } from "./fastmcp.js";
import { oldPrompt, promptRow } from "./prompts.js";
import { requestRow } from "./requests.js";
import { resourceRow } from "./resources.js";
import type { Arguments, Row } from "./row.js";
import type { Program } from "./source.js";
import { configOf, oldTool, toolRow } from "./tools.js";

type Reader = (program: Program, args: Arguments) => Row | null;

/** What registers something, by the name of the method. */
export const readers: Readonly<Record<string, Reader>> = {
  registerTool: (program, [name, config, handler]) =>
    name && config && handler ? toolRow(program, name, configOf(program, config), handler) : null,
  tool: oldTool,
  addTool: (program, [tool]) => fastTool(program, tool),
  registerResource: (program, [name, uri, config, handler]) =>
    name && uri && config && handler ? resourceRow(program, name, uri, config, handler) : null,
  resource: (program, [name, uri, ...rest]) => {
    const handler = rest.pop();
    return name && uri && handler ? resourceRow(program, name, uri, rest[0], handler) : null;
  },
  addResource: (program, [resource]) => fastResource(program, resource),
  registerPrompt: (program, [name, config, handler]) =>
    name && config && handler ? promptRow(program, name, config, handler) : null,
  prompt: oldPrompt,
  addPrompt: (program, [prompt]) => fastPrompt(program, prompt),
  // The rows declare their capabilities.
  registerCapabilities: () => ({ kind: "none", members: [] }),
  setRequestHandler: requestRow,
  setNotificationHandler: requestRow,
};
