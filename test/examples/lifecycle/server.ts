import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "clock", version: "1.2.0" },
  instructions: "Call `client` to see who is connected.",
  capabilities: { logging: {} },
  handlers: {
    ...tools([
      {
        name: "client",
        handler: (_args, { client }) =>
          `${client.info?.name} ${JSON.stringify(client.capabilities)}`,
      },
    ]),
  },
});

await serveStdio(servers);
