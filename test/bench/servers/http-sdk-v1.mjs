// The same server on the official SDK, version 1, as its documentation shows
// it, without Express.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { echo, info } from "./echo.mjs";

const isStateful = process.argv[2] === "stateful";
const sessions = new Map();

async function open() {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [echo] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: "text", text: String(params.arguments.text) }],
  }));
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: isStateful ? randomUUID : undefined,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await server.connect(transport);
  return { server, transport };
}

const http = createServer(async (request, response) => {
  const known = sessions.get(request.headers["mcp-session-id"]);
  if (known) return known.handleRequest(request, response);
  const { server, transport } = await open();
  if (!isStateful) response.on("close", () => void server.close());
  await transport.handleRequest(request, response);
});
http.listen(0, "127.0.0.1", () => console.log(`port ${http.address().port}`));
