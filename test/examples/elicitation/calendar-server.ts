import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import {
  createServer as createMcpServer,
  serverQuestions,
} from "./gen/2025-11-25/index.js";

/** What waits for each page. */
const waiting = new Map<string, () => void>();

const server = createMcpServer({
  info: { name: "calendar", version: "1.0.0" },
  questions: serverQuestions,
  handlers: {
    ...tools([
      {
        name: "set_reminders",
        async handler(_args, context) {
          const answer = await context.elicit(
            "How do you want to be reminded?",
            {
              type: "object",
              properties: {
                calendar: {
                  type: "string",
                  oneOf: [
                    { const: "work", title: "My work" },
                    { const: "home", title: "My family" },
                  ],
                },
                reminders: {
                  type: "array",
                  items: { type: "string", enum: ["mail", "sound"] },
                },
              },
            },
          );
          return answer.action === "accept"
            ? JSON.stringify(answer.content)
            : "No reminders.";
        },
      },
      {
        name: "connect_calendar",
        async handler(_args, context) {
          const elicitationId = randomUUID();
          const done = new Promise<void>((resolve) =>
            waiting.set(elicitationId, resolve),
          );
          const answer = await context.request("elicitation/create", {
            mode: "url",
            message: "Please sign in to your calendar.",
            url: `http://localhost:3001/sign-in/${elicitationId}`,
            elicitationId,
          });
          if (answer.action !== "accept")
            return "The calendar is not connected.";
          await done;
          return "The calendar is connected.";
        },
      },
    ]),
  },
});

const page = createServer((request, response) => {
  const elicitationId = request.url?.split("/").at(-1) ?? "";
  waiting.get(elicitationId)?.();
  server.notify.elicitationComplete({ elicitationId });
  response.end("You are signed in.");
});
page.listen(3001, "127.0.0.1");

await serveStdio(server);
