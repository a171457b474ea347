import { prompts, resources, tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers, serverQuestions } from "./gen/index.js";

const servers = createServers({
  info: { name: "travel", version: "1.0.0" },
  stateKeys: [process.env["STATE_KEY"] ?? "for development: 32 bytes or more"],
  questions: serverQuestions,
  handlers: {
    ...tools([
      {
        name: "book",
        description: "Books a trip.",
        inputSchema: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
        },
        async handler({ city }, context) {
          context.progress(1, 2);
          const answer = await context.request("elicitation/create", {
            message: `Book a trip to ${String(city)}?`,
            requestedSchema: { type: "object", properties: {} },
          });
          return answer.action === "accept" ? "Booked." : "Not booked.";
        },
      },
    ]),
    ...resources([
      { uri: "travel://terms", name: "terms", read: () => "Terms of travel" },
    ]),
    ...prompts([{ name: "plan", get: () => "Plan a trip." }]),
  },
});

await serveStdio(servers);
