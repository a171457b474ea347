import { stdio } from "@mcpgen/runtime/stdio";
import { clientQuestions, connect } from "./gen/index.js";

const roots = [{ uri: "file:///home/ada/engine", name: "engine" }];

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
  mode: "2025-11-25",
  capabilities: { roots: { listChanged: true } },
  questions: clientQuestions,
  handlers: { "roots/list": () => ({ roots }) },
});

async function where(): Promise<void> {
  const { content } = await client.callTool({ name: "where" });
  for (const block of content)
    if (block.type === "text") console.log(block.text);
}

await where();

roots.push({ uri: "file:///home/ada/notes", name: "notes" });
await client.rootsListChanged();

await where();
await client.close();
