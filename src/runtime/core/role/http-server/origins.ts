import { newTexts, printable, type Reporting, warn } from "../../report.js";
import type { HttpHeaders, HttpRequest } from "./exchange.js";

/** The web pages that may call a server, and the host names that it accepts. */
export interface OriginOptions {
  /**
   * Origins whose pages may call, such as `https://app.example.com`; `*` allows
   * all. By default pages of this machine may call a server on it.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Host names, without a port, that requests may be sent to. By default those
   * of this machine if the server is known to listen on a loopback address,
   * with `serveHttp`, `serveWebSocket` and `nodeListener`; else all.
   */
  readonly allowedHosts?: readonly string[] | undefined;
}

/**
 * The same options with each entry in the form in which requests have it:
 * `https://App.example.com/` becomes `https://app.example.com`, and the host
 * names `Example.com:8080`, `https://example.com` and `::1` become
 * `example.com` and `[::1]`.
 *
 * @throws TypeError for an entry that no request can match.
 */
export function withOrigins<T extends OriginOptions>(options: T): T {
  const { allowedOrigins, allowedHosts } = options;
  if (!allowedOrigins && !allowedHosts) return options;
  return {
    ...options,
    allowedOrigins: allowedOrigins?.map(normalOrigin),
    allowedHosts: allowedHosts?.map(normalHost),
  };
}

function normalOrigin(entry: string): string {
  // Pages without an origin of their own send "null".
  if (entry === "*" || entry === "null") return entry;
  const { protocol, host } = urlOfEntry(entry) ?? {};
  // Other schemes, such as those of browser extensions, have no `origin`.
  if (host !== undefined && host !== "" && !host.includes("*"))
    return `${protocol}//${host}`;
  const expected =
    'expected an origin, such as "https://app.example.com", or "*"';
  throw new TypeError(
    `allowedOrigins: ${expected}, got ${JSON.stringify(entry)}.`,
  );
}

function normalHost(entry: string): string {
  const isAddress = /^[\da-f]*:[\da-f.]*:[\da-f:.]*$/i.test(entry);
  const { hostname = "" } =
    urlOfEntry(
      entry.includes("://")
        ? entry
        : `http://${isAddress ? `[${entry}]` : entry}`,
    ) ?? {};
  if (hostname !== "" && !hostname.includes("*")) return hostname;
  const expected = 'expected the name of a host, such as "app.example.com"';
  throw new TypeError(
    `allowedHosts: ${expected}, got ${JSON.stringify(entry)}.`,
  );
}

/** An entry as a URL, which has nothing after its host. */
function urlOfEntry(entry: string): URL | undefined {
  if (!URL.canParse(entry)) return undefined;
  const url = new URL(entry);
  const isBare =
    url.pathname.length <= 1 &&
    url.search + url.hash + url.username + url.password === "";
  return isBare ? url : undefined;
}

const localNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Creates a function that checks the headers Host and Origin of a request
 * (HTTP-08, HTTP-10). It returns a sentence with the reason to reject the
 * request; undefined if it is allowed. Of the first 100 hosts and origins that
 * it rejects, it also warns.
 */
export function originCheck(
  { allowedOrigins, allowedHosts }: OriginOptions,
  reporting: Reporting,
): (request: Pick<HttpRequest, "header" | "isLocal">) => string | undefined {
  // Clients choose these texts.
  const isNewWarning = newTexts(100);
  const reject = (kind: string, value: string, option: string): string => {
    const reason = `The ${kind} ${JSON.stringify(value)} is not allowed.`;
    const text = printable(reason);
    if (isNewWarning(text))
      warn(reporting, `${text} To allow it, add it to ${option}.`);
    return reason;
  };
  return (request) => {
    const host = request.header("host") ?? "";
    const name = host.replace(/:\d*$/, "").toLowerCase();
    if (
      allowedHosts
        ? !allowedHosts.includes(name)
        : request.isLocal && !localNames.has(name)
    )
      return reject("host", host, "allowedHosts");
    const origin = request.header("origin");
    if (
      origin === undefined ||
      allowedOrigins?.some((one) => one === origin || one === "*")
    )
      return undefined;
    const originUrl = URL.canParse(origin) ? new URL(origin) : undefined;
    const isAllowed =
      originUrl !== undefined &&
      /^https?:$/.test(originUrl.protocol) &&
      (localNames.has(name)
        ? localNames.has(originUrl.hostname)
        : allowedHosts !== undefined && originUrl.host === host.toLowerCase());
    return isAllowed ? undefined : reject("origin", origin, "allowedOrigins");
  };
}

/** The CORS headers of a response. Pages may read the headers `exposed`. */
export const crossOrigin = (origin: string, exposed: string): HttpHeaders => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": exposed,
  vary: "Origin",
});

/** The headers of the response to a CORS preflight. */
export const preflight = (
  request: HttpRequest,
  methods: readonly string[],
): HttpHeaders => ({
  "access-control-allow-methods": methods.join(", "),
  "access-control-allow-headers":
    request.header("access-control-request-headers") ?? "*",
  "access-control-max-age": "600",
});
