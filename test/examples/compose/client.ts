import { http } from "@mcpgen/runtime/http";
import { connect } from "./gen/index.js";

const headers = { authorization: "Bearer token-of-ada" };
const client = await connect(http("http://127.0.0.1:3000/mcp", { headers }), {
  info: { name: "guide", version: "1.0.0" },
});
for await (const { name } of client.tools()) {
  const onProgress = (now: { progress: number; total?: number }): void =>
    console.log(name, `${now.progress} of ${now.total}`);
  const { content } = await client.callTool({ name }, { onProgress });
  for (const block of content)
    if (block.type === "text") console.log(block.text);
}
await client
  .callTool({ name: "post_letter" })
  .catch((error: unknown) => console.log(String(error)));
await client.close();
