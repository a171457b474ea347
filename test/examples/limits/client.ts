import { http } from "@mcpgen/runtime/http";
import { connect } from "./gen/index.js";

const url = "http://127.0.0.1:3000/mcp";
const transport = http(url, { maxConnections: 16, maxMessageBytes: 1_000_000 });
const client = await connect(transport, {
  info: { name: "guide", version: "1.0.0" },
});
for (const length of [10, 20_000, 100_000]) {
  try {
    const { content } = await client.callTool({
      name: "count",
      arguments: { text: "x".repeat(length) },
    });
    for (const block of content)
      if (block.type === "text") console.log(block.text);
  } catch (error) {
    console.log(String(error).replaceAll(url, "the URL"));
  }
}
await client.close();
