// The server of the picture: `weather city` before it changes, `weather place`
// after.
import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const [argument = "city"] = process.argv.slice(2);

const servers = createServers({
  info: { name: "weather", version: "1.0.0" },
  handlers: tools([
    {
      name: "forecast",
      description: "Tells the weather of the next days.",
      inputSchema: {
        type: "object",
        properties: {
          [argument]: { type: "string" },
          days: { type: "integer" },
        },
        required: [argument],
      },
      handler: (args) => `Sun in ${String(args[argument])}`,
    },
  ]),
});

await serveStdio(servers);
