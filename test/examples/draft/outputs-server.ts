import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServer } from "./outputs/server.js";

const weather = { city: "Oslo", celsius: 4 };

const server = createServer({
  info: { name: "weather", version: "1.0.0" },
  handlers: {
    "tools/list": () => ({
      tools: [
        {
          name: "weather",
          inputSchema: { type: "object" },
          outputVariants: [
            { audience: "assistant" },
            { audience: "program", schema: { type: "object" } },
          ],
        },
      ],
      ttlMs: 0,
      cacheScope: "public",
    }),
    "tools/call": ({ requestedOutputs = ["assistant"] }) => ({
      content: [],
      outputs: requestedOutputs.map((audience) => ({
        audience,
        value:
          audience === "program"
            ? weather
            : `${weather.celsius} °C in ${weather.city}`,
      })),
    }),
  },
});

await serveStdio(server);
