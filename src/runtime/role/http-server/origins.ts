import type { HttpHeaders, HttpRequest } from "./exchange.js";

/** Who may talk to a server from a browser, and under which names it may be reached. */
export interface OriginOptions {
  /** Origins whose pages may call, such as `https://app.example.com`; `*` is any. By default those of this machine (http and https), to it. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Names, without a port, that requests may be addressed to. By default any, and on loopback those of this machine. */
  readonly allowedHosts?: readonly string[] | undefined;
}

const localNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Checks the headers Host and Origin of a request (HTTP-08, HTTP-10). Returns a sentence that says why the request is refused;
 * undefined if it is not.
 */
export function originError(
  request: Pick<HttpRequest, "header" | "isLocal">,
  options: OriginOptions,
): string | undefined {
  const { allowedOrigins, allowedHosts } = options;
  const host = request.header("host") ?? "";
  const name = host.replace(/:\d*$/, "").toLowerCase();
  if (allowedHosts ? !allowedHosts.includes(name) : request.isLocal && !localNames.has(name)) {
    return `This server is not reached as ${JSON.stringify(host)}.`;
  }
  const origin = request.header("origin");
  if (origin === undefined || allowedOrigins?.some((one) => one === origin || one === "*")) return undefined;
  const theirs = URL.canParse(origin) ? new URL(origin) : undefined;
  const isOurs =
    theirs !== undefined &&
    /^https?:$/.test(theirs.protocol) &&
    (localNames.has(name)
      ? localNames.has(theirs.hostname)
      : allowedHosts !== undefined && theirs.host === host.toLowerCase());
  return isOurs ? undefined : `Pages of ${JSON.stringify(origin)} may not call this server.`;
}

/** What a browser needs to hear before it hands an answer to a page, and which headers the page may see. */
export function crossOrigin(request: HttpRequest, exposed: readonly string[]): HttpHeaders {
  const origin = request.header("origin");
  if (origin === undefined) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": ["WWW-Authenticate", ...exposed].join(", "),
    vary: "Origin",
  };
}

/** The answer to a browser that asks before it calls. */
export const preflight = (request: HttpRequest, methods: readonly string[]): HttpHeaders => ({
  "access-control-allow-methods": methods.join(", "),
  "access-control-allow-headers": request.header("access-control-request-headers") ?? "*",
  "access-control-max-age": "600",
});
