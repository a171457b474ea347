import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { getProxyForUrl } from "proxy-from-env";
import type * as undici from "undici";
import { isLoopback } from "../../common/addresses.js";
import { packageRoot } from "../../generator/inputs/package.js";

/** The variables that name a proxy. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy that cannot be used. The message never contains its password. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
}

/**
 * The proxy that HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY select for a
 * URL, which may contain a password; null without one, and for this machine.
 *
 * @throws ProxyError
 */
export function proxyFor(url: URL, environment: Environment): URL | null {
  const text = isLoopback(url.hostname) ? "" : getProxyForUrl(url.href);
  if (text === "") return null;
  // A proxy without a scheme got that of the URL; curl, git and npm connect to
  // it by http.
  const isWritten = Object.values(environment).includes(text);
  const proxy = URL.canParse(text)
    ? new URL(isWritten ? text : text.replace(/^https:/, "http:"))
    : null;
  if (proxy !== null && /^https?:$/.test(proxy.protocol)) return proxy;
  throw new ProxyError(
    "the proxy that HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names is not an http or https URL",
  );
}

/** Time limits of connections and their opening; 0 for none. */
interface ConnectionLimits {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  readonly connect: { readonly timeout: number; readonly signal?: AbortSignal };
}

/** Connections through a proxy, which resolves the names of servers itself. */
export async function proxyAgent(
  proxy: URL,
  limits: ConnectionLimits,
): Promise<undici.Dispatcher> {
  const { buildConnector, Pool, ProxyAgent } = await loadUndici();
  const { connect } = limits;
  const connectToProxy = buildConnector(connect);
  const password = `${decoded(proxy.username)}:${decoded(proxy.password)}`;
  return new ProxyAgent({
    ...limits,
    uri: proxy.origin,
    // As other programs do, asks for a tunnel only if the server or the proxy
    // speaks TLS.
    proxyTunnel: false,
    ...(password !== ":" && { token: basic(password) }),
    requestTls: connect,
    // The agent would give the address of a proxy as a name for TLS, which is
    // not allowed; the connector tells them apart.
    clientFactory: (origin) =>
      new Pool(origin, {
        ...limits,
        connect: (to, done) => connectToProxy({ ...to, servername: "" }, done),
      }),
  });
}

/** Sends one request. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/**
 * Sends requests through a proxy, without time limits. Its errors name the
 * proxy.
 */
export function proxiedFetch(proxy: URL): Fetch {
  let agent: Promise<undici.Dispatcher> | undefined;
  return async (url, init) => {
    agent ??= proxyAgent(proxy, {
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: 10_000 },
    });
    const headers = {
      "accept-encoding": "identity",
      ...Object.fromEntries(new Headers(init.headers)),
    };
    const options = {
      ...init,
      headers,
      dispatcher: await agent,
    } as undici.RequestInit;
    const { fetch } = await loadUndici();
    try {
      return (await fetch(url, options)) as unknown as Response;
    } catch (error) {
      // `fetch` has the reason in the cause.
      const { cause = error } = error as Error;
      throw new ProxyError(
        `${refusal(cause, proxy) ?? `through the proxy ${proxy.host}: ${(cause as Error).message}`}`,
        { cause },
      );
    }
  };
}

/**
 * The sentence about a proxy that refuses to connect; null for another error.
 */
export function refusal(error: unknown, proxy: URL | null): string | null {
  const { message } = error as Error;
  const [, status] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  return status === undefined
    ? null
    : `the proxy ${proxy?.host} refused the connection with HTTP status ${status}`;
}

/** Loads the HTTP client on demand, because few runs of mcpgen need it. */
export async function loadUndici(): Promise<typeof undici> {
  const path = join(packageRoot(), "dist", "undici.js");
  return (await import(pathToFileURL(path).href)) as typeof undici;
}

/** The value of a header with a user name and a password. */
export const basic = (text: string): string =>
  `Basic ${Buffer.from(text).toString("base64")}`;

/** A user name or password of a URL. One with a bare "%" is not encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
