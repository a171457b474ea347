/**
 * HTTP+SSE, the transport of revision 2024-11-05, for servers and clients that support no other.
 * @module
 */
// For clients:
export { sse } from "./transport/http-client/sse.js";
export type { Authorization, Authorizer, AuthorizedRequest, Challenged } from "./authorizer.js";
export type { HttpClientOptions } from "./transport/http-client/options.js";
// For servers:
export { createSseHandler } from "./role/http-server/sse-endpoint.js";
export type { SseOptions } from "./role/http-server/endpoint-options.js";
