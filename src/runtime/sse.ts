/**
 * HTTP+SSE, the transport of revision 2024-11-05, for servers and clients that
 * support no other.
 * @module
 */
// For clients:
export { sse } from "./core/transport/http-client/sse.js";
export type {
  Authorization,
  Authorizer,
  AuthorizedRequest,
  Challenged,
} from "./core/ports/authorizer.js";
export type { HttpClientOptions } from "./core/transport/http-client/requester.js";
// For servers:
export { createSseHandler } from "./sse/endpoint.js";
export type { SseOptions } from "./core/role/http-server/handler.js";
