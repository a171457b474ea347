import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers, serverQuestions } from "./gen/index.js";

let changes = 0;

const servers = createServers({
  info: { name: "search", version: "1.0.0" },
  questions: serverQuestions,
  handlers: {
    ...tools([
      {
        name: "where",
        async handler(_args, context) {
          const { roots } = await context.request("roots/list");
          const folders = roots.map(({ uri, name = uri }) => name).join(", ");
          return `I search in ${folders}. The list has changed ${changes} times.`;
        },
      },
    ]),
    "notifications/roots/list_changed": () => {
      changes++;
    },
  },
});

await serveStdio(servers);
