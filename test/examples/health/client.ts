import { http } from "@mcpgen/runtime/http";
import { connect } from "./gen/index.js";

for (const path of ["healthz", "readyz"]) {
  const response = await fetch(`http://127.0.0.1:3000/${path}`);
  console.log(path, response.status, await response.text());
}

const client = await connect(http("http://127.0.0.1:3000/mcp"), {
  info: { name: "guide", version: "1.0.0" },
});
const { content } = await client.callTool({ name: "work" });
console.log(content);
await client.close();
