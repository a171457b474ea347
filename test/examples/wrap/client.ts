import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
});

for (const name of ["count_items", "order", "admin_close", "report"]) {
  const { isError, content } = await client.callTool({ name });
  for (const block of content)
    if (block.type === "text") console.log(isError ?? false, block.text);
}
await client.close();
