import { once } from "node:events";
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tls } from "./tls.js";

/**
 * The name of a host that only the proxy knows: it connects to this machine.
 * The certificate of `tls` has it.
 */
export const behind = "behind.example";

/** A URL of this machine with that name: a file of a project may name it. */
export const publicUrl = (url: string): string =>
  url.replace("127.0.0.1", behind);

/** What a proxy does with a request for a tunnel. */
export type Behaviour =
  "connects" | "refuses" | "is silent" | "connects and is silent";

export interface Proxy {
  /** Its address without a scheme. */
  readonly url: string;
  /** The hosts of tunnels, and the URLs of requests without one. */
  readonly targets: string[];
  /** The credentials of each of them. */
  readonly headers: unknown[];
  close(): void;
}

/** Starts a proxy on this machine. Each name leads to this machine. */
export async function startProxy(
  does: Behaviour = "connects",
  isSecure = false,
): Promise<Proxy> {
  const targets: string[] = [];
  const headers: unknown[] = [];
  const note = ({ url = "", headers: sent }: IncomingMessage): void => {
    targets.push(url);
    headers.push(sent["proxy-authorization"]);
  };
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    note(request);
    if (does === "refuses") return void response.writeHead(407).end();
    const { port, pathname, search } = new URL(request.url ?? "");
    const { method, headers: sent } = request;
    const options = {
      host: "127.0.0.1",
      port,
      path: pathname + search,
      method,
      headers: sent,
    };
    const target = forward(options, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    target.on("error", () => response.destroy());
    request.pipe(target);
  };
  const proxy = isSecure ? createSecureServer(tls, pass) : createServer(pass);
  proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
    note(request);
    socket.on("error", () => socket.destroy());
    if (does === "refuses") return void socket.end("HTTP/1.1 407 No\r\n\r\n");
    if (does === "is silent") return;
    if (does === "connects and is silent")
      return void socket.write("HTTP/1.1 200 OK\r\n\r\n");
    const port = Number((request.url ?? "").split(":").at(-1));
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.destroy());
    socket.on("close", () => target.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const close = (): void => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return {
    url: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    targets,
    headers,
    close,
  };
}
