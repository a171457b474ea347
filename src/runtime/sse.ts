/** HTTP+SSE, the carrier of the first revision: for servers that know no other. */
export { sse } from "./transport/http/client-sse.js";
export type { HttpClientOptions } from "./transport/http/client-options.js";
