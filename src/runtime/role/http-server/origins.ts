import type { HttpHeaders, HttpRequest } from "./exchange.js";

/** The web pages that may call a server, and the host names that it accepts. */
export interface OriginOptions {
  /** Origins whose pages may call, such as `https://app.example.com`; `*` allows all. By default pages of this machine may call a server on it. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Host names, without a port, that requests may be sent to. By default those of this machine if the server is known to
   * listen on a loopback address, with `serveHttp`, `serveWebSocket` and `nodeListener`; else all. */
  readonly allowedHosts?: readonly string[] | undefined;
}

const localNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Checks the headers Host and Origin of a request (HTTP-08, HTTP-10). Returns a sentence with the reason to reject the request;
 * undefined if it is allowed.
 */
export function originError(
  request: Pick<HttpRequest, "header" | "isLocal">,
  options: OriginOptions,
): string | undefined {
  const { allowedOrigins, allowedHosts } = options;
  const host = request.header("host") ?? "";
  const name = host.replace(/:\d*$/, "").toLowerCase();
  if (allowedHosts ? !allowedHosts.includes(name) : request.isLocal && !localNames.has(name)) {
    return `The host ${JSON.stringify(host)} is not allowed.`;
  }
  const origin = request.header("origin");
  if (origin === undefined || allowedOrigins?.some((one) => one === origin || one === "*")) return undefined;
  const originUrl = URL.canParse(origin) ? new URL(origin) : undefined;
  const isAllowed =
    originUrl !== undefined &&
    /^https?:$/.test(originUrl.protocol) &&
    (localNames.has(name)
      ? localNames.has(originUrl.hostname)
      : allowedHosts !== undefined && originUrl.host === host.toLowerCase());
  return isAllowed ? undefined : `The origin ${JSON.stringify(origin)} is not allowed.`;
}

/** The CORS headers of a response. Pages may read the headers `exposed`, and those of a protected server. */
export function crossOrigin(
  request: HttpRequest,
  exposed: readonly string[],
  isProtected: boolean,
): HttpHeaders {
  const origin = request.header("origin");
  if (origin === undefined) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": [
      ...exposed,
      "WWW-Authenticate",
      ...(isProtected ? ["DPoP-Nonce"] : []),
    ].join(", "),
    vary: "Origin",
  };
}

/** The headers of the response to a CORS preflight. */
export const preflight = (request: HttpRequest, methods: readonly string[]): HttpHeaders => ({
  "access-control-allow-methods": methods.join(", "),
  "access-control-allow-headers": request.header("access-control-request-headers") ?? "*",
  "access-control-max-age": "600",
});
