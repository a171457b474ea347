import { isTransportError } from "@mcpgen/runtime";
import { http } from "@mcpgen/runtime/http";
import { connect } from "./gen/index.js";
import { Bakery } from "./server.js";

const bakery = new Bakery();
bakery.start();
const reconnecting = {
  maxReconnects: 3,
  reconnectTime: 500,
  maxReconnectTime: 5000,
};
const client = await connect(
  http("http://localhost/mcp", { fetch: bakery.fetch, ...reconnecting }),
  {
    info: { name: "guide", version: "1.0.0" },
    mode: "2025-11-25",
    onWarning: (message) => console.log("warning:", message),
  },
);

/**
 * Calls a tool that may run twice, and tries again while the server is down.
 */
async function bake(attempts = 5): Promise<void> {
  try {
    const { content } = await client.callTool({ name: "bake" });
    console.log(content);
  } catch (error) {
    if (!isTransportError(error) || !error.isRetryable || attempts === 1)
      throw error;
    console.log(error.message, error.retryAfter);
    bakery.start(); // Here, the supervisor has restarted it meanwhile.
    await new Promise((resolve) =>
      setTimeout(resolve, error.retryAfter ?? 500),
    );
    await bake(attempts - 1);
  }
}

await bake();
bakery.stop();
await bake();
await client.close();
