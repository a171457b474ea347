import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { servers } from "./server<extension>";

// ALLOWED_HOSTS: the names by which clients reach the server, without ports.
const { ALLOWED_HOSTS = "localhost,127.0.0.1", HOST = "127.0.0.1", PORT = "3000" } = process.env;

const handler = createHttpHandler(servers, { allowedHosts: ALLOWED_HOSTS.split(",") });
const health = (): Response => new Response("ok");
const { url } = await serveHttp(
  { "/mcp": handler, "/healthz": health },
  { host: HOST, port: Number(PORT), signals: true },
);
console.error(`Listening on ${url}`);
