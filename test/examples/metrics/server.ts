import { isInputPending } from "@mcpgen/runtime";
import { tools, type WrappedCall } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

const calls = new Map<string, { count: number; seconds: number }>();
let errors = 0;

const log = (line: object): void => {
  if (process.env["LOG"] !== undefined) console.error(JSON.stringify(line));
};

async function measured(
  next: () => Promise<unknown>,
  { name, context }: WrappedCall,
): Promise<unknown> {
  const start = performance.now();
  let outcome = "ok";
  try {
    return await next();
  } catch (error) {
    outcome = isInputPending(error) ? "asked" : "failed";
    throw error;
  } finally {
    const seconds = (performance.now() - start) / 1000;
    const labels = `tool=${JSON.stringify(name)},outcome="${outcome}"`;
    const before = calls.get(labels) ?? { count: 0, seconds: 0 };
    calls.set(labels, {
      count: before.count + 1,
      seconds: before.seconds + seconds,
    });
    const { traceparent } = context.meta;
    log({
      tool: name,
      outcome,
      seconds,
      user: context.auth?.principal,
      traceparent,
    });
  }
}

const servers = createServers({
  info: { name: "weather", version: "1.0.0" },
  handlers: {
    ...tools(
      [
        { name: "forecast", handler: () => "Sunny" },
        {
          name: "radar",
          handler() {
            throw new Error("The radar is broken.");
          },
        },
      ],
      { wrap: measured },
    ),
  },
  onError(error, where) {
    errors += 1;
    log({ level: "error", where, error: String(error) });
  },
  onWarning: (message) => log({ level: "warning", message }),
});

function metrics(): Response {
  const lines = [...calls].flatMap(([labels, { count, seconds }]) => [
    `mcp_tool_calls_total{${labels}} ${count}`,
    `mcp_tool_seconds_sum{${labels}} ${seconds.toFixed(1)}`,
  ]);
  return new Response([...lines, `mcp_errors_total ${errors}`, ""].join("\n"));
}

await serveHttp(
  { "/mcp": createHttpHandler(servers), "/metrics": metrics },
  { port: 3000, signals: true },
);
