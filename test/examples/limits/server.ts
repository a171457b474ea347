import { type JsonSchema, tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

const document: JsonSchema<{ text: string }> = {
  type: "object",
  properties: { text: { type: "string", maxLength: 10_000 } },
  required: ["text"],
};

const servers = createServers({
  info: { name: "documents", version: "1.0.0" },
  limits: {
    inFlight: 64,
    toolCallsPerSecond: 50,
    rounds: 4,
  },
  handlers: {
    ...tools([
      {
        name: "count",
        inputSchema: document,
        handler: ({ text }) => `${text.length} characters`,
      },
    ]),
  },
});

const handler = createHttpHandler(servers, {
  limits: { bodyBytes: 65_536, requests: 500 },
});
await serveHttp(handler, { port: 3000, requestTimeout: 30_000, signals: true });
