import { once } from "node:events";
import { request as requestHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { getProxyForUrl } from "proxy-from-env";

/** The proxy that HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY select for a URL; null without one. */
export function proxyFor(url: URL): URL | null {
  const proxy = getProxyForUrl(url.href);
  return proxy === "" || !URL.canParse(proxy) ? null : new URL(proxy);
}

/** Opens a connection to the host of a URL through a proxy (`CONNECT`), with TLS on top of it for https. */
export async function openTunnel(url: URL, proxy: URL, signal: AbortSignal): Promise<Socket> {
  const host = url.hostname;
  const target = `${host}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers = {
    host: target,
    ...(credentials !== ":" && {
      "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}`,
    }),
  };
  const send = proxy.protocol === "https:" ? requestHttps : requestHttp;
  const { hostname, port, protocol } = proxy;
  const address = { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), ...(port !== "" && { port }) };
  const request = send({ ...address, method: "CONNECT", path: target, headers, agent: false, signal });
  request.end();
  const socket = await tunnelSocket(request, proxy);
  if (url.protocol !== "https:") return socket;
  const name = host.replace(/^\[|\]$/g, "");
  const secure = connectTls({ socket, servername: name, ALPNProtocols: ["http/1.1"] });
  await once(secure, "secureConnect", { signal });
  return secure;
}

function tunnelSocket(request: ClientRequest, proxy: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (status: number | undefined): void =>
      reject(new Error(`the proxy ${proxy.host} refused the connection with HTTP status ${status}`));
    request.once("error", reject);
    request.once("response", ({ statusCode }: IncomingMessage) => {
      request.destroy();
      fail(statusCode);
    });
    request.once("connect", ({ statusCode }: IncomingMessage, socket: Socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      fail(statusCode);
    });
  });
}
