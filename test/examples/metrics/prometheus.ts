import { observer } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { Histogram, register } from "prom-client";
import { createServers } from "./gen/index.js";

const labelNames = ["tool", "outcome"];
const help = "How long the calls of each tool took.";
const seconds = new Histogram({ name: "mcp_tool_seconds", help, labelNames });
const observe = observer(({ method, name: tool = "" }) => ({
  end({ kind: outcome, code, milliseconds }) {
    if (method === "tools/call" && code === undefined)
      seconds.observe({ tool, outcome }, milliseconds / 1000);
  },
}));
const metrics = async () => new Response(await register.metrics());

const servers = createServers({
  info: { name: "weather", version: "1.0.0" },
  handlers: { ...tools([{ name: "forecast", handler: () => "Sunny" }]) },
  observe,
});

await serveHttp(
  { "/mcp": createHttpHandler(servers), "/metrics": metrics },
  { port: 3000, signals: true },
);
