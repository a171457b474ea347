/** HTTP: one URL that serves clients of all revisions, on web standards or on Node's own server. */
export { createHttpHandler } from "./role/http/handler.js";
export type { HttpOptions } from "./transport/http/endpoint-options.js";
export {
  type HttpHandler,
  type HttpServing,
  nodeListener,
  serveHttp,
  type ServeHttpOptions,
} from "./transport/http/serve-node.js";
