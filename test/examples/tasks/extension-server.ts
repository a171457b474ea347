import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { tasks } from "@mcpgen/runtime/tasks";
import { createServer } from "./tasked/index.js";

const server = createServer({
  info: { name: "bakery", version: "1.0.0" },
  handlers: {
    ...tools([
      {
        name: "bake",
        execution: { taskSupport: "optional" },
        handler: async () => "A loaf of bread",
      },
    ]),
    ...tasks({ pollInterval: 10 }),
  },
});

await serveStdio(server);
