import { getOwn, isObject } from "../../../../common/object.js";
import { settle } from "../../../../common/timing.js";
import type { Handler, ServerSessionConfig } from "../../session/config.js";
import { type ParamHeader, paramHeadersOf } from "../../transport/param-headers.js";

/** The maximum number of tools whose headers are kept. */
const maxTools = 10_000;

/**
 * The same server, which also checks the headers of arguments if its list of tools comes from a handler of its author: they are learned
 * from each list that it sends (HDR-10). What another process sent is not known.
 */
export function withListedHeaders(core: ServerSessionConfig): ServerSessionConfig {
  const { listTools = "", callTool } = core.side.revision.wellKnown;
  const list = core.handlers.get(listTools);
  if (!list || core.paramHeaders || core.side.revision.headers.param === undefined) return core;
  const byTool = new Map<unknown, readonly ParamHeader[]>();
  const { items = "" } = getOwn(core.side.incomingRequests, listTools)?.facts ?? {};
  const learn = (result: unknown): unknown => {
    const tools = isObject(result) ? result[items] : undefined;
    for (const tool of Array.isArray(tools) ? tools : []) {
      if (!isObject(tool)) continue;
      const { headers, error } = paramHeadersOf(tool["inputSchema"]);
      if (error) core.warnOnce(`${listTools}: ${error} Clients leave out the tool ${String(tool["name"])}.`);
      byTool.delete(tool["name"]);
      if (headers.length === 0) continue;
      byTool.set(tool["name"], headers);
      if (byTool.size > maxTools) byTool.delete(byTool.keys().next().value);
    }
    return result;
  };
  const handler: Handler = (params, context) => settle(list(params, context), learn);
  const paramHeaders: ServerSessionConfig["paramHeaders"] = (method, { name }) =>
    (method === callTool && byTool.get(name)) || [];
  return { ...core, handlers: new Map([...core.handlers, [listTools, handler]]), paramHeaders };
}
