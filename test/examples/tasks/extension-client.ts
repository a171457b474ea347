import { stdio } from "@mcpgen/runtime/stdio";
import { tasks } from "@mcpgen/runtime/tasks";
import { Client } from "./tasked/index.js";

const server = stdio("node", ["--import", "tsx", "extension-server.ts"]);
const client = await Client.connect(server, {
  info: { name: "guide", version: "1.0.0" },
  handlers: {
    ...tasks({ onTask: ({ kind, status }) => console.log(kind, status) }),
  },
});

console.log(client.server.capabilities.extensions);
const { content } = await client.callTool({ name: "bake" });
console.log(content);
await client.close();
