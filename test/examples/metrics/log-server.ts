import { observer } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

const accessLog = observer(
  ({ direction, method, name = "-", principal = "-" }) => ({
    end({ kind, code = "-", milliseconds }) {
      const text = [
        direction,
        principal,
        method,
        name,
        kind,
        code,
        `${Math.ceil(milliseconds)} ms`,
      ].join(" ");
      console.error(JSON.stringify(text).slice(1, -1)); // one line, whatever a client sends
    },
  }),
);

const servers = createServers({
  info: { name: "weather", version: "1.0.0" },
  handlers: { ...tools([{ name: "forecast", handler: () => "Sunny" }]) },
  observe: accessLog,
});

await serveHttp(createHttpHandler(servers), { port: 3000, signals: true });
