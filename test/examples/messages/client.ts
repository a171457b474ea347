import { stdio } from "@mcpgen/runtime/stdio";
import { Client } from "./gen/2025-11-25/index.js";

const gateway = stdio("node", ["--import", "tsx", "gateway-server.ts"]);
const client = await Client.connect(gateway, {
  info: { name: "guide", version: "1.0.0" },
});
for await (const { name } of client.tools()) console.log(name);
console.log((await client.callTool({ name: "backend.now" })).content);
await client.close();
