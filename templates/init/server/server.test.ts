import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryPair, serve } from "@mcpgen/runtime";
import { connect } from "./protocol/index<extension>";
import { servers } from "./server<extension>";

test("greets a person by name", async () => {
  const [clientTransport, serverTransport] = memoryPair();
  await serve(serverTransport, servers);
  const client = await connect(clientTransport, { info: { name: "test", version: "0.1.0" } });
  const { content } = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
  assert.deepEqual(content, [{ type: "text", text: "Hello, Ada!" }]);
  await client.close();
});
