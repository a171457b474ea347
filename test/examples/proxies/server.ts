import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "greeter", version: "1.0.0" },
  handlers: { ...tools([{ name: "greet", handler: () => "Hello!" }]) },
});

const handler = createHttpHandler(servers, {
  allowedHosts: ["mcp.example.com"],
});
await serveHttp(handler, {
  port: 3000,
  keepAliveTimeout: 75_000,
  signals: true,
});
