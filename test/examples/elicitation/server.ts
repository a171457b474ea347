import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers, serverQuestions } from "./gen/index.js";

const servers = createServers({
  info: { name: "restaurant", version: "1.0.0" },
  stateKeys: [process.env["STATE_KEY"] ?? "for development: 32 bytes or more"],
  questions: serverQuestions,
  handlers: {
    ...tools([
      {
        name: "book_table",
        description: "Books a table.",
        async handler(_args, context) {
          const answer = await context.elicit("Please complete the booking.", {
            type: "object",
            properties: {
              name: { type: "string", title: "Your name", minLength: 2 },
              guests: { type: "integer", minimum: 1, maximum: 8, default: 2 },
              seat: {
                type: "string",
                enum: ["window", "garden"],
                default: "window",
              },
              newsletter: { type: "boolean", default: false },
            },
            required: ["name"],
          });
          return answer.action === "accept"
            ? JSON.stringify(answer.content)
            : "Nothing was booked.";
        },
      },
    ]),
  },
});

await serveStdio(servers);
