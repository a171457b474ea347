import { stdio } from "@mcpgen/runtime/stdio";
import { clientQuestions, connect } from "./gen/index.js";

const client = await connect(stdio("node", ["--import", "tsx", "server.ts"]), {
  info: { name: "guide", version: "1.0.0" },
  questions: clientQuestions,
  handlers: {
    "elicitation/create": ({ message }) => {
      console.log(message);
      return { action: "accept", content: {} };
    },
  },
});

for await (const { name } of client.tools()) console.log(name);
const { content } = await client.callTool({
  name: "book",
  arguments: { city: "Oslo" },
});
console.log(content);
console.log((await client.readResource({ uri: "travel://terms" })).contents);
console.log((await client.getPrompt({ name: "plan" })).messages);
await client.close();
