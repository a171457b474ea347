import { isTransportError } from "@mcpgen/runtime";
import { http } from "@mcpgen/runtime/http";
import { connect } from "./gen/index.js";

const info = { name: "guide", version: "1.0.0" };
const url = "http://127.0.0.1:3000/mcp";

const headers = { authorization: "Bearer secret-of-ada" };
const client = await connect(http(url, { headers }), { info });
const { content } = await client.callTool({ name: "greet" });
console.log(content);
await client.close();

try {
  await connect(http(url), { info });
} catch (error) {
  if (isTransportError(error))
    console.log(error.message.replaceAll(url, "the URL"));
}
