import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler } from "@mcpgen/runtime/http";
import type { HttpHandler } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

export function createBackend(
  name: string,
  tool: string,
  key: string,
): HttpHandler {
  const servers = createServers({
    info: { name, version: "1.0.0" },
    handlers: tools([
      {
        name: tool,
        handler(_args, { auth, meta, progress }) {
          progress(1, 2, `${name} works`);
          return `${name} got ${auth?.["key"]} for ${meta["example.com/user"]}`;
        },
      },
    ]),
  });
  return createHttpHandler(servers, {
    authenticate: ({ headers }) =>
      headers.get("authorization") === `Bearer ${key}`
        ? { principal: "gateway", key }
        : new Response("This key is not for this server.", { status: 401 }),
  });
}
