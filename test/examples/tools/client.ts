import { isMcpError } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./gen/index.js";

const server = stdio("node", ["--import", "tsx", "server.ts"]);
const client = await connect(server, {
  info: { name: "guide", version: "1.0.0" },
});

for await (const tool of client.tools())
  console.log(tool.name, "-", tool.description);

const counted = await client.callTool({
  name: "count",
  arguments: { product: "apple" },
});
console.log(counted.content);

for (const product of ["pear", ""]) {
  const { isError, content } = await client.callTool({
    name: "count",
    arguments: { product },
  });
  console.log(isError, content);
}

try {
  await client.callTool({ name: "close_shop" });
} catch (error) {
  if (isMcpError(error)) console.log(error.code, error.message, error.data);
}
await client.close();
