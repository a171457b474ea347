import { type AnyTool, tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "./gen/index.js";

const users = new Map([
  ["key-of-ada", { principal: "ada", tenant: "acme", role: "admin" }],
  ["key-of-bob", { principal: "bob", tenant: "acme", role: "member" }],
]);

/** This takes the place of an API of your company, which has its own keys. */
const api = (request: Request): Response =>
  new Response(`orders of the key ${request.headers.get("x-api-key") ?? "?"}`);

const everyone: AnyTool[] = [
  {
    name: "whoami",
    handler: (_args, { auth, meta }) => ({
      user: auth?.principal,
      tenant: auth?.["tenant"],
      trace: meta["traceparent"],
    }),
  },
  {
    name: "orders",
    async handler(_args, { auth, signal }) {
      const headers = { "x-api-key": String(auth?.["apiKey"]) };
      const response = await fetch("http://127.0.0.1:3000/api/orders", {
        headers,
        signal,
      });
      if (!response.ok) throw new Error(`The API answered ${response.status}.`);
      return response.text();
    },
  },
];
const administrators: AnyTool[] = [
  ...everyone,
  { name: "close_shop", handler: () => "The shop is closed." },
];

const servers = createServers({
  info: { name: "shop", version: "1.0.0" },
  handlers: {
    ...tools(({ auth }) =>
      auth?.["role"] === "admin" ? administrators : everyone,
    ),
  },
});

const handler = createHttpHandler(servers, {
  authenticate(request) {
    const apiKey = request.headers.get("x-api-key") ?? "";
    const user = users.get(apiKey);
    return user
      ? { ...user, apiKey }
      : new Response("Send your key in X-Api-Key.", { status: 401 });
  },
});
await serveHttp(
  { "/mcp": handler, "/api/orders": api },
  { port: 3000, signals: true },
);
