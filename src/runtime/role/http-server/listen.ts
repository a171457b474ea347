import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { TransportError } from "../../errors.js";

/** Does nobody but this machine reach what listens there? */
export const isLoopback = (host: string): boolean => /^(localhost|127\.|::1$)/.test(host);

/**
 * Has a server listen, and tells where it does: the port, and the URL of a path. `port` 0 is any free one.
 *
 * @throws TransportError when the address cannot be listened on.
 */
export async function listen(
  server: Server,
  scheme: "http" | "ws",
  host: string,
  port: number,
  path: string,
): Promise<{ readonly url: string; readonly port: number }> {
  const { EventEmitter } = await import("node:events");
  server.listen(port, host);
  await EventEmitter.once(server, "listening").catch((cause: Error) => {
    throw new TransportError(`Nothing can listen on ${host}:${port}: ${cause.message}.`, { cause });
  });
  const { port: actual } = server.address() as AddressInfo;
  const shown = host.includes(":") ? `[${host}]` : host;
  return { url: `${scheme}://${shown}:${actual}${path}`, port: actual };
}
