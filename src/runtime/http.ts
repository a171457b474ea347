/**
 * HTTP: an endpoint for clients of all revisions, with web standards or Node's
 * HTTP server, and its client.
 * @module
 */
// For clients:
export { http } from "./core/transport/http-client/client.js";
export { sse } from "./core/transport/http-client/sse.js";
export type {
  Authorization,
  Authorizer,
  AuthorizedRequest,
  Challenged,
} from "./core/ports/authorizer.js";
export type { HttpClientOptions } from "./core/transport/http-client/requester.js";
// For servers:
export { createHttpHandler } from "./core/role/http-server/endpoint.js";
export type { HttpOptions } from "./core/role/http-server/handler.js";
export type { HttpHandler } from "./core/role/http-server/exchange.js";
export { nodeListener } from "./core/role/http-server/node.js";
export {
  type HttpServing,
  serveHttp,
  type ServeHttpOptions,
} from "./core/role/http-server/serve-node.js";
