// A server of the official SDK with a view, made with
// @modelcontextprotocol/ext-apps: `node apps-server.mjs stdio|http`. Over HTTP
// it prints its URL.
import { createServer } from "node:http";
import {
  getUiCapability,
  registerAppResource,
  registerAppTool,
  RESOURCE_MIME_TYPE,
} from "@modelcontextprotocol/ext-apps/server";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const uri = "ui://weather/view.html";
const csp = {
  connectDomains: ["https://api.example.com"],
  resourceDomains: ["https://*.example.com"],
};
const text = (value) => ({ content: [{ type: "text", text: value }] });

function server() {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  const tool = (name, ui, work) =>
    registerAppTool(server, name, { _meta: { ui } }, work);
  tool("weather", { resourceUri: uri }, () => text("Rain"));
  tool("refresh", { resourceUri: uri, visibility: ["app"] }, () => text("Sun"));
  tool("report", { visibility: ["model"] }, () => text("Wind"));
  registerAppTool(server, "old", { _meta: { "ui/resourceUri": uri } }, () =>
    text("Fog"),
  );
  server.registerTool("capability", {}, (context) => {
    const { envelope } = context.mcpReq;
    const capabilities =
      envelope?.["io.modelcontextprotocol/clientCapabilities"] ??
      server.server.getClientCapabilities();
    return text(JSON.stringify(getUiCapability(capabilities)) ?? "none");
  });
  // The metadata of this view is only in the list.
  registerAppResource(
    server,
    "view",
    uri,
    { _meta: { ui: { csp, prefersBorder: true } } },
    () => ({
      contents: [{ uri, mimeType: RESOURCE_MIME_TYPE, text: "<p>Rain</p>" }],
    }),
  );
  return server;
}

if (process.argv[2] === "stdio") serveStdio(server);
else {
  const listening = createServer(
    toNodeHandler(createMcpHandler(server)),
  ).listen(0, "127.0.0.1", () => {
    process.stdout.write(`http://127.0.0.1:${listening.address().port}/mcp\n`);
  });
}
