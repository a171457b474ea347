/** HTTP+SSE, the carrier of the first revision: for servers and clients that know no other. */
export { createSseHandler } from "./role/http-server/sse-endpoint.js";
export type { SseOptions } from "./role/http-server/endpoint-options.js";
export { sse } from "./transport/http-client/sse.js";
export type { HttpClientOptions } from "./transport/http-client/options.js";
