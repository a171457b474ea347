// The same server on the official SDK, version 2.
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { echo, info } from "./echo.mjs";

serveStdio(() => {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [echo] }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: String(params.arguments.text) }],
  }));
  return server;
});
