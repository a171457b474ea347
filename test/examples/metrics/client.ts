import { http } from "@mcpgen/runtime/http";
import { connect } from "./gen/index.js";

const client = await connect(http("http://127.0.0.1:3000/mcp"), {
  info: { name: "guide", version: "1.0.0" },
});
const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
for (const name of ["forecast", "forecast", "radar"]) {
  await client.callTool({ name }, { meta: { traceparent } });
}
await client.close();
const text = await (await fetch("http://127.0.0.1:3000/metrics")).text();
for (const line of text.split("\n"))
  if (line.includes("_total")) console.log(line);
