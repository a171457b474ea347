import { isInputPending } from "@mcpgen/runtime";
import { tools, type WrappedCall } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { Histogram, register } from "prom-client";
import { createServers } from "./gen/index.js";

const seconds = new Histogram({
  name: "mcp_tool_seconds",
  help: "How long the calls of each tool took.",
  labelNames: ["tool", "outcome"],
});

async function measured(
  next: () => Promise<unknown>,
  { name }: WrappedCall,
): Promise<unknown> {
  const end = seconds.startTimer({ tool: name });
  let outcome = "ok";
  try {
    return await next();
  } catch (error) {
    outcome = isInputPending(error) ? "asked" : "failed";
    throw error;
  } finally {
    end({ outcome });
  }
}

const servers = createServers({
  info: { name: "weather", version: "1.0.0" },
  handlers: {
    ...tools([{ name: "forecast", handler: () => "Sunny" }], {
      wrap: measured,
    }),
  },
});

await serveHttp(
  {
    "/mcp": createHttpHandler(servers),
    "/metrics": async () => new Response(await register.metrics()),
  },
  { port: 3000, signals: true },
);
