import assert from "node:assert/strict";
import { isTransportError } from "@mcpgen/runtime";
import { createHttpHandler, http } from "@mcpgen/runtime/http";
import { connect } from "./gen/index.js";
import { createShop } from "./server.js";

const handler = createHttpHandler(createShop(), {
  authenticate(request) {
    const principal = request.headers.get("x-user");
    return principal === null
      ? new Response("Who are you?", { status: 401 })
      : { principal };
  },
});
const fetch = (url: URL, init: RequestInit): Promise<Response> =>
  handler(new Request(url, init));
const shop = (headers: Record<string, string>) =>
  connect(http("http://localhost/mcp", { fetch, headers }), {
    info: { name: "test", version: "1.0.0" },
  });

const ada = await shop({ "x-user": "ada" });
const { content } = await ada.callTool({ name: "whoami" });
assert.deepEqual(content, [{ type: "text", text: "ada" }]);
console.log(content);
await ada.close();

await assert.rejects(shop({}), (error) => {
  if (isTransportError(error)) console.log(error.status, error.message);
  return isTransportError(error) && error.status === 401;
});
await handler.close();
