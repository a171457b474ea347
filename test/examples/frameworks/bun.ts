import { handler } from "./mcp.js";

const health = (): Response => new Response("ok");
Bun.serve({
  port: 3000,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  routes: { "/mcp": handler, "/healthz": health },
});
