import { resources, tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./gen/index.js";

let goals = 0;

const servers = createServers({
  info: { name: "football", version: "1.0.0" },
  capabilities: { resources: { subscribe: true } },
  handlers: {
    ...resources([
      { uri: "match://today", name: "match", read: () => `${goals} : 0` },
    ]),
    ...tools([
      {
        name: "score",
        handler() {
          goals++;
          servers.notify.resourceUpdated("match://today");
          return "Goal!";
        },
      },
    ]),
  },
});

await serveStdio(servers);
