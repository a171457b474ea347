/**
 * The stdio transport: a client that starts its server, and a server that its client starts.
 * @module
 */
import { serve } from "./role/serve.js";
import type { ServerDefinition } from "./role/server.js";
import { StdioServerTransport, type StdioServerOptions } from "./transport/stdio-server.js";

export type { StdioOptions } from "./transport/child.js";
export { stdio } from "./transport/stdio.js";
export { StdioServerTransport, type StdioServerOptions } from "./transport/stdio-server.js";

/** Options of `serveStdio`. */
export interface ServeStdioOptions extends StdioServerOptions {
  /**
   * How long the process may keep running after its client has disconnected, in milliseconds; 1,000 by default. `Infinity` disables
   * the limit.
   */
  readonly exitTime?: number;
}

/**
 * Serves the client that started this process, with one server, or one per revision, the newest first. Resolves when the open requests are
 * answered after the client has closed stdin, or after SIGTERM (STDIO-09). Then ends the process after `exitTime`.
 */
export async function serveStdio(
  servers: ServerDefinition | readonly ServerDefinition[],
  options: ServeStdioOptions = {},
): Promise<void> {
  const { exitTime = 1000 } = options;
  const { closed, close } = await serve(new StdioServerTransport(options), servers);
  const end = (): void => void close();
  if (!options.input) process.once("SIGTERM", end);
  await closed;
  process.off("SIGTERM", end);
  if (Number.isFinite(exitTime) && !options.input) setTimeout(() => process.exit(), exitTime).unref();
}
