import { cluster } from "@mcpgen/runtime/cluster";
import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

const shared = cluster({ secrets: [process.env["MCP_SECRET"]] });
const servers = createServers({
  info: { name: "greeter", version: "1.0.0" },
  handlers: { ...tools([{ name: "greet", handler: () => "Hello!" }]) },
  cluster: shared,
});

const allowedHosts = ["mcp.example.com", "localhost", "127.0.0.1"];
const handler = createHttpHandler(servers, { cluster: shared, allowedHosts });
const ready = (): Response =>
  new Response(null, { status: handler.health().isDraining ? 503 : 200 });
await serveHttp(
  { "/mcp": handler, "/readyz": ready },
  {
    port: Number(process.env["PORT"] ?? 3000),
    host: process.env["HOST"] ?? "127.0.0.1",
    keepAliveTimeout: 75_000,
    signals: true,
  },
);
