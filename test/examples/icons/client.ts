import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
});

const { tools } = await client.listTools();
for (const tool of tools) {
  console.log(
    "title" in tool ? tool.title : tool.name,
    "icons" in tool ? tool.icons?.length : 0,
  );
}
const { _meta } = await client.callTool({ name: "count_items" });
console.log(_meta?.["example.com/took"]);
await client.close();
