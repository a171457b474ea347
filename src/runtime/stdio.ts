/**
 * The stdio transport: a client that starts its server, and a server that its
 * client starts.
 * @module
 */
// For clients:
export type { StdioOptions } from "./core/transport/stdio.js";
export { stdio } from "./core/transport/stdio.js";
// For servers:
export { serveStdio, type ServeStdioOptions } from "./core/role/serve-stdio.js";
export {
  StdioServerTransport,
  type StdioServerOptions,
} from "./core/transport/stdio-server.js";
