import { isTransportError } from "@mcpgen/runtime";
import { webSocket } from "@mcpgen/runtime/websocket";
import { connect } from "./gen/index.js";

const info = { name: "guide", version: "1.0.0" };
const url = "ws://127.0.0.1:3000/mcp";

const headers = { authorization: "Bearer secret-of-ada" };
const client = await connect(webSocket(url, { headers, shutdownTime: 500 }), {
  info,
});
const { content } = await client.callTool({ name: "greet" });
console.log(content);
await client.close();

try {
  await connect(
    webSocket(url, { headers: { authorization: "Bearer wrong" } }),
    { info },
  );
} catch (error) {
  if (isTransportError(error))
    console.log(error.message.replaceAll(url, "the URL"));
}
