import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createSseHandler } from "@mcpgen/runtime/sse";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "greeter", version: "1.0.0" },
  handlers: {
    ...tools([
      {
        name: "greet",
        handler: (_args, { auth }) =>
          `Hello, ${auth?.principal ?? "stranger"}!`,
      },
    ]),
  },
});

const users = new Map([["Bearer secret-of-ada", "ada"]]);
const authenticate = (request: Request): { principal: string } | Response => {
  const principal = users.get(request.headers.get("authorization") ?? "");
  return principal
    ? { principal }
    : new Response("Who are you?", { status: 401 });
};

const sseHandler = createSseHandler(servers, { authenticate, postUrl: "/sse" });
const handler = createHttpHandler(servers, {
  authenticate,
  legacySse: sseHandler,
  sessionIdleTime: 600_000,
});
await serveHttp(
  { "/mcp": handler, "/sse": sseHandler },
  { port: 3000, signals: true },
);
