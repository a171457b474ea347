import { sse } from "@mcpgen/runtime/sse";
import { connect } from "./gen/index.js";

const headers = { authorization: "Bearer secret-of-ada" };
const client = await connect(sse("http://127.0.0.1:3000/sse", { headers }), {
  info: { name: "guide", version: "1.0.0" },
  mode: "2024-11-05",
});
const { content } = await client.callTool({ name: "greet" });
console.log(client.revision, content);
await client.close();
