import { isValidationError } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { clientQuestions, connect } from "./gen/index.js";

const answers: Record<string, string | number | boolean>[] = [
  { name: "Ada", guests: 4, seat: "garden", newsletter: true },
  { name: "Grace" },
  { name: "Alan", guests: 20 },
];
const report = (error: Error): void => console.log(error.message);

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
  onError: report,
  questions: clientQuestions,
  handlers: {
    "elicitation/create": ({ message }) => {
      console.log(message);
      const content = answers.shift();
      return content ? { action: "accept", content } : { action: "decline" };
    },
  },
});

async function book(): Promise<void> {
  const { content } = await client.callTool({ name: "book_table" });
  for (const block of content)
    if (block.type === "text") console.log(block.text);
}

await book();

await book();

try {
  await book();
} catch (error) {
  if (isValidationError(error)) report(error);
}
await book();
await client.close();
