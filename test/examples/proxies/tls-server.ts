import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, nodeListener } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "greeter", version: "1.0.0" },
  handlers: { ...tools([{ name: "greet", handler: () => "Hello!" }]) },
});

const handler = createHttpHandler(servers, {
  allowedHosts: ["mcp.example.com", "localhost"],
});
const server = createServer(
  { key: readFileSync("privkey.pem"), cert: readFileSync("fullchain.pem") },
  nodeListener(handler),
);
server.listen(Number(process.env["PORT"] ?? 443));

process.once("SIGTERM", () => {
  server.close();
  void handler.close();
});
