/** Standard streams: a server started as a child process, and a server that is one. */
import { serve } from "./role/serve.js";
import type { ServerDefinition } from "./role/server.js";
import { StdioServerTransport, type StdioServerOptions } from "./transport/stdio-server.js";

export type { StdioOptions } from "./transport/child.js";
export { stdio } from "./transport/stdio.js";
export { StdioServerTransport, type StdioServerOptions } from "./transport/stdio-server.js";

/** How a server runs over its standard streams. */
export interface ServeStdioOptions extends StdioServerOptions {
  /**
   * How long the process may live on after its client has gone, in milliseconds; 1,000 by default, `Infinity` for ever. It
   * only counts while something keeps the process alive.
   */
  readonly exitTime?: number;
}

/**
 * Serves the client that started this process: one server, or one per revision, the newest first. Resolves when the client
 * has closed our stdin and all answers have left. STDIO-09: SIGTERM ends the process in the same good order.
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
