import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "greeter", version: "1.0.0" },
  handlers: {
    ...tools([
      {
        name: "greet",
        handler: () => `${process.env["GREETING"] ?? "Hello"}, world!`,
      },
      { name: "crash", handler: () => process.exit(1) },
    ]),
  },
});

console.error("The server has started.");
await serveStdio(servers, {
  onEnd: () => console.error("The server ends."),
  exitTime: 500,
  limits: { messageBytes: 1_000_000 },
});
