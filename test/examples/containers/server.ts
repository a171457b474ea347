import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "greeter", version: "1.0.0" },
  drainTime: 20_000,
  handlers: { ...tools([{ name: "greet", handler: () => "Hello!" }]) },
});

const allowedHosts = (process.env["ALLOWED_HOSTS"] ?? "localhost").split(",");
const handler = createHttpHandler(servers, { sessions: false, allowedHosts });
const health = (): Response => new Response("ok");
const host = process.env["HOST"] ?? "127.0.0.1";
await serveHttp(
  { "/mcp": handler, "/healthz": health },
  { port: 3000, host, signals: true },
);
