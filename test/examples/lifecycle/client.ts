import { isSessionError } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { clientQuestions, connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
  questions: clientQuestions,
  handlers: { "roots/list": () => ({ roots: [] }) },
});

console.log(client.server.info);
console.log(client.server.capabilities);
console.log(client.server.instructions);

const { content } = await client.callTool({ name: "client" });
for (const block of content) if (block.type === "text") console.log(block.text);

try {
  await client.readResource({ uri: "file:///notes.txt" });
} catch (error) {
  if (isSessionError(error)) console.log(error.message);
}

if (client.revision === "2026-07-28")
  await client.discover({}, { timeout: 5_000 });
else await client.ping({}, { timeout: 5_000 });
console.log("The server is there.");
await client.close();
