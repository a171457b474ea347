// The same server on the official SDK, version 2, as its documentation shows
// it, without a framework: for clients of the older revisions with sessions
// (`stateful`) or without (`stateless`), or for those of the newest (`modern`).
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import {
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { echo, info } from "./echo.mjs";

const [mode] = process.argv.slice(2);
const isStateful = mode === "stateful";
const sessions = new Map();

function create() {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [echo] }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: String(params.arguments.text) }],
  }));
  return server;
}

async function answer(request, response) {
  const known = sessions.get(request.headers["mcp-session-id"]);
  if (known) return known.handleRequest(request, response);
  const server = create();
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: isStateful ? randomUUID : undefined,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await server.connect(transport);
  if (!isStateful) response.on("close", () => void server.close());
  await transport.handleRequest(request, response);
}

const listener =
  mode === "modern" ? toNodeHandler(createMcpHandler(create)) : answer;
const http = createServer(listener);
http.listen(0, "127.0.0.1", () => console.log(`port ${http.address().port}`));
