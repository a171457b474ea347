import { stdio } from "@mcpgen/runtime/stdio";
import { Client, clientQuestions } from "./gen/2025-11-25/index.js";

const server = stdio("node", ["--import", "tsx", "calendar-server.ts"]);
const client = await Client.connect(server, {
  info: { name: "guide", version: "1.0.0" },
  capabilities: { elicitation: { form: {}, url: {} } },
  questions: clientQuestions,
  handlers: {
    "elicitation/create": async (params) => {
      console.log(params.message);
      if (params.mode !== "url")
        return {
          action: "accept",
          content: { calendar: "work", reminders: ["mail"] },
        };
      await fetch(params.url);
      return { action: "accept" };
    },
    "notifications/elicitation/complete": () =>
      console.log("The page is done."),
  },
});

for (const name of ["set_reminders", "connect_calendar"]) {
  const { content } = await client.callTool({ name });
  for (const block of content)
    if (block.type === "text") console.log(block.text);
}
await client.close();
