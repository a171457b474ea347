import { stdio } from "@mcpgen/runtime/stdio";
import { Client } from "./outputs/client.js";

const server = stdio("node", ["--import", "tsx", "outputs-server.ts"]);
const client = await Client.connect(server, {
  info: { name: "host", version: "1.0.0" },
});

const { tools } = await client.listTools();
console.log(tools[0]?.outputVariants?.map(({ audience }) => audience));
const { outputs } = await client.callTool({
  name: "weather",
  requestedOutputs: ["program"],
});
console.log(outputs);
await client.close();
