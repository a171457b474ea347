import { http } from "@mcpgen/runtime/http";
import { connect } from "./gen/index.js";

const info = { name: "guide", version: "1.0.0" };
const url = "http://127.0.0.1:3000/mcp";
const ada = await connect(
  http(url, { headers: { "x-api-key": "key-of-ada" } }),
  { info },
);
const bob = await connect(
  http(url, { headers: { "x-api-key": "key-of-bob" } }),
  { info },
);

for (const client of [ada, bob]) {
  const names: string[] = [];
  for await (const { name } of client.tools()) names.push(name);
  console.log(names);
}
await bob
  .callTool({ name: "close_shop" })
  .catch((error: unknown) => console.log(String(error)));

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const { content } = await ada.callTool(
  { name: "whoami" },
  { meta: { traceparent } },
);
console.log(content);

for (const client of [ada, bob]) {
  const { content } = await client.callTool({ name: "orders" });
  for (const block of content)
    if (block.type === "text") console.log(block.text);
  await client.close();
}
