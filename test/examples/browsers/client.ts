import { http } from "@mcpgen/runtime/http";
import { Client } from "./gen/2026-07-28/index.js";

const client = await Client.connect(http("http://127.0.0.1:3000/mcp"), {
  info: { name: "page", version: "1.0.0" },
});
const { content } = await client.callTool({ name: "greet" });
console.log(client.revision, content);
await client.close();
