import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "greeter", version: "1.0.0" },
  handlers: { ...tools([{ name: "greet", handler: () => "Hello!" }]) },
});
// The page of a development server on this machine may call it. Other origins:
// allowedOrigins.
await serveHttp(createHttpHandler(servers), { port: 3000, signals: true });
