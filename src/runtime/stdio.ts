/**
 * The stdio transport: a client that starts its server, and a server that its client starts.
 * @module
 */
// For clients:
export type { StdioOptions } from "./transport/child.js";
export { stdio } from "./transport/stdio.js";
// For servers:
export { serveStdio, type ServeStdioOptions } from "./role/serve-stdio.js";
export { StdioServerTransport, type StdioServerOptions } from "./transport/stdio-server.js";
