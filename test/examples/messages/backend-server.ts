import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "backend", version: "1.0.0" },
  handlers: { ...tools([{ name: "now", handler: () => "12:00" }]) },
});

await serveStdio(servers);
