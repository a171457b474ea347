import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, type HttpHandler } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "greeter", version: "1.0.0" },
  handlers: { ...tools([{ name: "greet", handler: () => "Hello!" }]) },
});

export const handler: HttpHandler = createHttpHandler(servers, {
  allowedHosts: ["localhost", "127.0.0.1"],
});
