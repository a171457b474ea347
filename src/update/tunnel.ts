import { once } from "node:events";
import { request as requestHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { getProxyForUrl } from "proxy-from-env";

/** A proxy that cannot be used. Its URL may contain a password. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
}

/**
 * The proxy that HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY select for a URL; null without one.
 *
 * @throws ProxyError
 */
export function proxyFor(url: URL, environment: Environment): URL | null {
  const text = getProxyForUrl(url.href);
  if (text === "") return null;
  // A proxy without a scheme got that of the URL; curl, git and npm connect to it by http.
  const isWritten = Object.values(environment).includes(text);
  const proxy = URL.canParse(text) ? new URL(isWritten ? text : text.replace(/^https:/, "http:")) : null;
  if (proxy !== null && /^https?:$/.test(proxy.protocol)) return proxy;
  throw new ProxyError(
    "the proxy that HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names is not an http or https URL",
  );
}

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Opens a connection to the host of a URL through a proxy (`CONNECT`), with TLS on top of it for https. */
export async function openTunnel(url: URL, proxy: URL, signal: AbortSignal): Promise<Socket> {
  const host = url.hostname;
  const target = `${host}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
  const credentials = `${decoded(proxy.username)}:${decoded(proxy.password)}`;
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
  try {
    await once(secure, "secureConnect", { signal });
  } catch (error) {
    // An open connection would keep the process running.
    secure.destroy();
    throw error;
  }
  return secure;
}

/** A user name or password of a URL. One with a bare "%" is not encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function tunnelSocket(request: ClientRequest, proxy: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (status: number | undefined): void =>
      reject(new ProxyError(`the proxy ${proxy.host} refused the connection with HTTP status ${status}`));
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
