import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers, serverQuestions } from "./gen/index.js";

const servers = createServers({
  info: { name: "summaries", version: "1.0.0" },
  stateKeys: [process.env["STATE_KEY"] ?? "for development: 32 bytes or more"],
  questions: serverQuestions,
  handlers: {
    ...tools([
      {
        name: "summarize",
        inputSchema: {
          type: "object",
          properties: { text: { type: "string" } },
          required: ["text"],
        },
        async handler({ text }, context) {
          const summary = await context.sample({
            messages: `Summarize: ${String(text)}`,
            systemPrompt: "You write one sentence.",
            modelPreferences: {
              hints: [{ name: "small" }],
              costPriority: 0.8,
            },
            maxTokens: 100,
          });
          return `${summary.text} (${summary.model})`;
        },
      },
    ]),
  },
});

await serveStdio(servers);
