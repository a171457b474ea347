import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, type HttpHandler } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

/**
 * A tool that asks the user fails without it. On Workers, set `nodejs_compat`,
 * so that `process.env` has the secrets of the worker.
 */
const stateKey = process.env["STATE_KEY"] ?? "";

const servers = createServers({
  info: { name: "greeter", version: "1.0.0" },
  stateKeys: [stateKey],
  handlers: { ...tools([{ name: "greet", handler: () => "Hello!" }]) },
});

export const handler: HttpHandler = createHttpHandler(servers, {
  sessions: false,
  allowedHosts: ["greeter.example.com", "localhost", "127.0.0.1"],
});
