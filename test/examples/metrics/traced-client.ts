import { observer } from "@mcpgen/runtime";
import { http } from "@mcpgen/runtime/http";
import { telemetry } from "@mcpgen/runtime/telemetry";
import { connect } from "./gen/index.js";

const client = await connect(http("http://127.0.0.1:3000/mcp"), {
  info: { name: "guide", version: "1.0.0" },
  observe: observer(await telemetry()),
});
const { content } = await client.callTool({ name: "forecast" });
console.log(content);
await client.close();
