/**
 * HTTP: an endpoint for clients of all revisions, with web standards or Node's HTTP server, and its client.
 * @module
 */
// For clients:
export { http } from "./transport/http-client/client.js";
export { sse } from "./transport/http-client/sse.js";
export type { Authorization, Authorizer, AuthorizedRequest, Challenged } from "./authorizer.js";
export type { HttpClientOptions } from "./transport/http-client/options.js";
// For servers:
export { createHttpHandler } from "./role/http-server/endpoint.js";
export type { HttpOptions } from "./role/http-server/endpoint-options.js";
export type { HttpHandler } from "./role/http-server/exchange.js";
export { nodeListener } from "./role/http-server/node.js";
export { type HttpServing, serveHttp, type ServeHttpOptions } from "./role/http-server/serve-node.js";
