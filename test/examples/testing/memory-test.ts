import assert from "node:assert/strict";
import { memoryPair, serve } from "@mcpgen/runtime";
import { connect, protocols } from "./gen/index.js";
import type { Revision } from "./gen/index.js";
import { createShop } from "./server.js";

for (const mode of Object.keys(protocols) as Revision[]) {
  const [clientTransport, serverTransport] = memoryPair();
  const serving = await serve(serverTransport, createShop());
  const client = await connect(clientTransport, {
    info: { name: "test", version: "1.0.0" },
    mode,
  });

  const added = await client.callTool({
    name: "add",
    arguments: { name: "pears", count: 2 },
  });
  assert.deepEqual(added.content, [{ type: "text", text: "2 pears" }]);

  const wrong = await client.callTool({
    name: "add",
    arguments: { name: "pears", count: 0 },
  });
  assert.equal(wrong.isError, true);
  for (const block of wrong.content)
    if (block.type === "text") console.log(mode, block.text);

  await client.close();
  await serving.closed;
}
