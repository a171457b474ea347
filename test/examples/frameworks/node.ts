import { serveHttp } from "@mcpgen/runtime/http";
import { handler } from "./mcp.js";

const health = (): Response => new Response("ok");
await serveHttp(
  { "/mcp": handler, "/healthz": health },
  { port: 3000, signals: true },
);
