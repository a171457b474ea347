import { stdio } from "@mcpgen/runtime/stdio";
import { createEverythingClient } from "./everything/index.js";
import { Client } from "./everything/protocol/index.js";

const client = await Client.connect(
  stdio(
    "node",
    [
      "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
      "stdio",
    ],
    {
      stderr: "ignore",
    },
  ),
  { info: { name: "example", version: "1.0.0" } },
);
const everything = createEverythingClient(client);
const sum = await everything.tools.getSum({ a: 19, b: 23 });
if (!sum.isError) console.log(sum.content);
await client.close();
