import { stdio } from "@mcpgen/runtime/stdio";
import { clientQuestions, connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
  questions: clientQuestions,
  limits: { questionsPerMinute: 60 },
  handlers: {
    "sampling/createMessage": ({ messages, systemPrompt, maxTokens }) => {
      console.log(systemPrompt, maxTokens);
      console.log(JSON.stringify(messages));
      // A real client calls its model here.
      const text = "Water boils at 100 °C.";
      return {
        role: "assistant",
        model: "small-1",
        stopReason: "endTurn",
        content: { type: "text", text },
      };
    },
  },
});

const { content } = await client.callTool({
  name: "summarize",
  arguments: {
    text: "At sea level, water boils at one hundred degrees Celsius.",
  },
});
for (const block of content) if (block.type === "text") console.log(block.text);
await client.close();
