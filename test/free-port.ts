import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A port of this machine on which nobody listens, for a program that has to be told one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
