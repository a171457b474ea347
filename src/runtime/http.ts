/** HTTP: one URL that serves clients of all revisions, on web standards or on Node's own server, and the client of such a URL. */
export { createHttpHandler } from "./role/http/handler.js";
export { http } from "./transport/http/client.js";
export { sse } from "./transport/http/client-sse.js";
export type { HttpClientOptions } from "./transport/http/client-options.js";
export type { HttpOptions } from "./transport/http/endpoint-options.js";
export {
  type HttpHandler,
  type HttpServing,
  nodeListener,
  serveHttp,
  type ServeHttpOptions,
} from "./transport/http/serve-node.js";
