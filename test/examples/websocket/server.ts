import { tools } from "@mcpgen/runtime/features";
import { serveWebSocket } from "@mcpgen/runtime/websocket";
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

await serveWebSocket(servers, {
  port: 3000,
  limits: { waitingBytes: 262_144 },
  authenticate: (request) =>
    request.headers.get("authorization") === "Bearer secret-of-ada"
      ? { principal: "ada" }
      : new Response("Who are you?", { status: 401 }),
});
