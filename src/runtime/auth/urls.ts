import { isLoopback } from "../loopback.js";
import { AuthorizationError, quote } from "./error.js";

/**
 * Whether a host of a `URL` is, by its name or its literal address, in a network that the public does not reach: the `URL` class has
 * written octal, hexadecimal and short forms of an IPv4 address as four numbers.
 */
export function isPrivate(host: string): boolean {
  if (isLoopback(host) || /(^|\.)(local|internal|home\.arpa)\.?$/.test(host)) return true;
  // Only 2000::/3 is for public addresses, and 2002::/16 holds any address of IPv4.
  if (host.startsWith("[")) return !/^\[[23][0-9a-f]{3}:/.test(host) || host.startsWith("[2002:");
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host);
  if (!parts) return false;
  const [a, b, c] = parts.slice(1).map(Number) as [number, number, number];
  return (
    [0, 10, 127].includes(a) ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && (b === 168 || (b === 0 && c === 0))) ||
    (a === 198 && (b === 18 || b === 19))
  );
}

/** Whether a connection may go to an IP address. AUTH-13 */
export function isAllowedAddress(
  address: string,
  allowPrivate: boolean | undefined,
  serverAddresses: readonly string[],
): boolean {
  const host = hostOf(address);
  const isSame = isMachine(host) ? isMachine : isPrivate;
  // A server in the public network does not become private by a second address.
  const isInside = serverAddresses.length > 0 && serverAddresses.every((one) => isSame(hostOf(one)));
  return allowPrivate === true || !isPrivate(host) || isInside;
}

/** Whether a connection to an address ends on this machine. */
const isMachine = (host: string): boolean => isLoopback(host) || /^(0\.|\[::\]$)/.test(host);

/** An IP address as a `URL` writes it. One of IPv4 behind a translator (NAT64, RFC 6052) counts as that of IPv4. */
function hostOf(address: string): string {
  if (!address.includes(":")) return address;
  const host = new URL(`http://[${address.replace(/%.*/, "")}]`).hostname;
  const [, high, low] = /^\[64:ff9b::([0-9a-f]+):([0-9a-f]+)\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  return [high, low].flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]).join(".");
}

/** For which server a URL is used, and whether it may be in a private network. */
export interface UrlRules {
  readonly server: URL;
  readonly allowPrivate?: boolean | undefined;
}

/**
 * Reads a URL that another party names, before it is requested or opened. It must be https, or http on this machine if the MCP server
 * is on this machine. It must not be in a private network unless the MCP server is. AUTH-13, AUTH-39
 *
 * @throws AuthorizationError with the reason `unsafe-url`.
 */
export function checkUrl(text: unknown, what: string, { server, allowPrivate = false }: UrlRules): URL {
  const unsafeUrl = (why: string): AuthorizationError =>
    new AuthorizationError(
      "unsafe-url",
      `${server.host} names ${quote(text)} as ${what}, which is not used: ${why}.`,
      server,
    );
  if (typeof text !== "string" || !URL.canParse(text)) throw unsafeUrl("it is not a URL");
  const url = new URL(text);
  const { hostname: host, protocol } = url;
  const isLocal = isLoopback(host);
  if (protocol !== "https:" && !(protocol === "http:" && isLocal))
    throw unsafeUrl("it must be an https URL, or an http URL of this machine");
  if (url.username !== "" || url.password !== "") throw unsafeUrl("it has a user name or a password");
  const isAllowed = allowPrivate || (isLocal ? isLoopback(server.hostname) : isPrivate(server.hostname));
  if (isPrivate(host) && !isAllowed)
    throw unsafeUrl("it is in a private network and the server is not; `allowPrivate: true` allows it");
  return url;
}
