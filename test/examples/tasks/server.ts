import { setTimeout as pause } from "node:timers/promises";
import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { tasks } from "@mcpgen/runtime/tasks";
import { createServer } from "./gen/2025-11-25/index.js";

const server = createServer({
  info: { name: "bakery", version: "1.0.0" },
  handlers: {
    ...tools([
      {
        name: "bake",
        inputSchema: {
          type: "object",
          properties: { minutes: { type: "number" } },
          required: ["minutes"],
        },
        execution: { taskSupport: "optional" },
        async handler({ minutes }, { signal }) {
          await pause(Number(minutes) * 200, undefined, { signal });
          return "A loaf of bread";
        },
      },
    ]),
    ...tasks({
      pollInterval: 10,
      list: true,
      limits: { requesterTasks: 10, requestsPerSecond: 100 },
    }),
  },
});

await serveStdio(server);
