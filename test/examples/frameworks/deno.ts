import { handler } from "./mcp.js";

Deno.serve({ port: 3000, hostname: "127.0.0.1" }, (request) =>
  new URL(request.url).pathname === "/mcp"
    ? handler(request)
    : new Response("ok"),
);
