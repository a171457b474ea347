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
