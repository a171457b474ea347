import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
});

const { tools } = await client.listTools();
for (const { inputSchema } of tools) console.log(Object.keys(inputSchema));

const done = await client.callTool({
  name: "place_order",
  arguments: { delivery: "post", address: { city: "Oslo" }, position: [3, 7] },
});
if ("structuredContent" in done) console.log(done.structuredContent);

for (const wrong of [
  { delivery: "post", position: [3, 7] },
  { delivery: "pickup", position: [3, 7, 1] },
  { delivery: "pickup", position: [3, 7], note: "Ring twice." },
]) {
  const { content } = await client.callTool({
    name: "place_order",
    arguments: wrong,
  });
  for (const block of content)
    if (block.type === "text") console.log(block.text);
}
await client.close();
