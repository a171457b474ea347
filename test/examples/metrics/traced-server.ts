import { observer } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { telemetry } from "@mcpgen/runtime/telemetry";
import { createServers } from "./gen/index.js";

const servers = createServers({
  info: { name: "weather", version: "1.0.0" },
  handlers: { ...tools([{ name: "forecast", handler: () => "Sunny" }]) },
  observe: observer(await telemetry()),
});

await serveHttp(createHttpHandler(servers), { port: 3000, signals: true });
