import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { TransportError } from "../../errors.js";

/**
 * Starts a server and returns its port and the URL of a path. `port` 0 chooses a free port.
 *
 * @throws TransportError if the address is in use or not allowed.
 */
export async function listen(
  server: Server,
  scheme: "http" | "ws",
  host: string,
  port: number,
  path: string,
): Promise<{ readonly url: string; readonly port: number }> {
  const { once } = process.getBuiltinModule("node:events");
  server.listen(port, host);
  await once(server, "listening").catch((cause: Error) => {
    throw new TransportError(`The server cannot listen on ${host}:${port}: ${cause.message}.`, { cause });
  });
  const { port: actual } = server.address() as AddressInfo;
  const urlHost = host.includes(":") ? `[${host}]` : host;
  return { url: `${scheme}://${urlHost}:${actual}${path}`, port: actual };
}

/** The end of a listening server. */
export interface Closable {
  /** Resolves when the server is closed, by `close` or by a signal: a program then closes what its handlers used. */
  readonly closed: Promise<void>;
  /**
   * Closes idle connections, ends streams, waits up to the `drainTime` of the servers for open requests, then closes. Never rejects. A
   * function of your own that is served has five seconds.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Closes at the first call; all calls return the same promise. */
export function closable(work: () => Promise<void>): Closable {
  let begin!: (closing: Promise<void>) => void;
  const closed = new Promise<void>((resolve) => (begin = resolve));
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    begin((closing ??= work()));
    return closed;
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}
