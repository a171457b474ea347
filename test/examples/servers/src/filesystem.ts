import { stdio } from "@mcpgen/runtime/stdio";
import { createSecureFilesystemClient } from "./filesystem/index.js";
import { Client } from "./filesystem/protocol/index.js";

const client = await Client.connect(
  stdio(
    "node",
    [
      "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js",
      "notes",
    ],
    {
      stderr: "ignore",
    },
  ),
  { info: { name: "example", version: "1.0.0" } },
);
const files = createSecureFilesystemClient(client).readOnly;
const read = await files.tools.readTextFile({ path: "today.md" });
console.log(read.isError ? read.content : read.structuredContent);
await client.close();
