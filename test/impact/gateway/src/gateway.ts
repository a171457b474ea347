import { McpError, isMcpError } from "@mcpgen/runtime";
import {
  type CallToolRequestParams,
  type CallToolResult,
  type Client,
  createServer,
  type ListToolsResult,
  METHOD_NOT_FOUND,
  type Server,
  type ServerHandlers,
  type Tool,
} from "./mcp/index.js";

/** A tool of a server behind the gateway, and the client that reaches it. */
interface Route {
  readonly tool: Tool;
  readonly client: Client;
}

/** Names of tools that the gateway offers, each as "server.tool". */
export async function routesTo(
  clients: Readonly<Record<string, Client>>,
): Promise<Map<string, Route>> {
  const routes = new Map<string, Route>();
  for (const [server, client] of Object.entries(clients)) {
    const { tools, nextCursor }: ListToolsResult = await client.listTools({});
    for (const tool of tools)
      routes.set(`${server}.${tool.name}`, { tool, client });
    if (nextCursor !== undefined) throw new Error("Too many tools.");
  }
  return routes;
}

/** Forwards a call, and says which server failed. */
async function forward(
  route: Route,
  params: CallToolRequestParams,
): Promise<CallToolResult> {
  try {
    return await route.client.callTool({ ...params, name: route.tool.name });
  } catch (reason) {
    if (isMcpError(reason) && reason.code === -32002) {
      return {
        content: [{ type: "text", text: "The server has no such resource." }],
        isError: true,
      };
    }
    throw reason;
  }
}

/** A server whose tools are those of other servers. */
export async function createGateway(
  clients: Readonly<Record<string, Client>>,
): Promise<Server> {
  const routes = await routesTo(clients);
  const call: ServerHandlers["tools/call"] = (params, { log }) => {
    const route = routes.get(params.name);
    if (route === undefined)
      throw new McpError(METHOD_NOT_FOUND, `There is no tool ${params.name}.`);
    log("notice", `forwards ${params.name}`);
    return forward(route, params);
  };
  const server = createServer({
    info: { name: "gateway", version: "1.0.0" },
    capabilities: { logging: {} },
    handlers: {
      "tools/list": () => ({
        tools: [...routes].map(([name, { tool }]): Tool => ({
          ...tool,
          name,
          title: tool.title ?? tool.name,
        })),
      }),
      "tools/call": call,
    },
  });
  for (const client of Object.values(clients)) {
    if (client.server.capabilities.tools?.listChanged === true)
      server.notify.toolsListChanged();
  }
  return server;
}
