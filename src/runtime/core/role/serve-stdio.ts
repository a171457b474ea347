import { report, warn } from "../report.js";
import {
  StdioServerTransport,
  type StdioServerOptions,
} from "../transport/stdio-server.js";
import { redirectConsole } from "../transport/console.js";
import { serve } from "./serve.js";
import type { ServerDefinition } from "./server.js";

/** Options of `serveStdio`. */
export interface ServeStdioOptions extends StdioServerOptions {
  /**
   * Called once at the first sign that the process is to end: the end of stdin,
   * SIGINT or SIGTERM. Open requests are still answered meanwhile, so it starts
   * the cleanup that needs time. `serveStdio` waits for its promise.
   */
  readonly onEnd?: () => unknown;
  /**
   * How long the process may keep running after the connection has ended, in
   * milliseconds; 1,000 by default. `Infinity` disables the limit.
   */
  readonly exitTime?: number;
  /**
   * `false` leaves the console as it is. By default `console.log` and the like
   * write to stderr while stdout carries the protocol, and a warning says so
   * once.
   */
  readonly console?: false | undefined;
}

const consoleWarning = (method: string): string =>
  `console.${method} writes to stderr while this server is served, because stdout carries the protocol. Call console.error instead, or serve with { console: false } to write to stdout.`;

/**
 * Serves the client that started this process, with one server, or one per
 * revision, the newest first. Resolves when `onEnd` is done and the open
 * requests are answered, after the client has closed stdin, or after SIGINT or
 * SIGTERM (STDIO-09). Then ends the process after `exitTime`. A second signal
 * ends it at once.
 */
export async function serveStdio(
  servers: ServerDefinition | readonly ServerDefinition[],
  options: ServeStdioOptions = {},
): Promise<void> {
  const { exitTime = 1000, input = process.stdin } = options;
  const [first] = [servers].flat();
  const settings = first?.core.settings ?? {};
  // What a program prints for a host that has closed stderr must not end it.
  process.stderr.on("error", ignore);
  const isOwn = options.console !== false && options.output === undefined;
  const restore = isOwn
    ? redirectConsole((method) => warn(settings, consoleWarning(method)))
    : undefined;
  const { closed, close } = await serve(
    new StdioServerTransport(options),
    servers,
  );
  let cleanup: Promise<void> | undefined;
  const begin = (): void => {
    cleanup ??= (async () => void (await options.onEnd?.()))().catch(
      (error: unknown) => report(settings, error, "onEnd"),
    );
  };
  const end = (): void => {
    begin();
    void close();
  };
  input.once("end", begin);
  const signals = options.input ? [] : (["SIGINT", "SIGTERM"] as const);
  for (const signal of signals) process.once(signal, end);
  await closed;
  restore?.();
  for (const signal of signals) process.off(signal, end);
  if (Number.isFinite(exitTime) && !options.input)
    setTimeout(() => process.exit(), exitTime).unref();
  begin();
  await cleanup;
  process.stderr.off("error", ignore);
}

const ignore = (): void => {};
