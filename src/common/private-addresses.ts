import { isLoopback } from "./addresses.js";

/**
 * True if a host of a `URL` is in a private network, by its name or its literal
 * address. The `URL` class has already converted octal, hexadecimal and short
 * forms of an IPv4 address to four numbers.
 */
export function isPrivate(host: string): boolean {
  if (isLoopback(host) || /(^|\.)(local|internal|home\.arpa)\.?$/.test(host)) {
    return true;
  }
  // Only 2000::/3 has public addresses. In it, 2001::/23 is for protocols, and
  // like 2002::/16 it can contain any IPv4 address.
  if (host.startsWith("["))
    return (
      !/^\[[23][0-9a-f]{3}:/.test(host) ||
      /^\[(2002:|2001:(:|1?[0-9a-f]{1,2}:|db8:))/.test(host)
    );
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host);
  if (!parts) return false;
  const [a, b, c] = parts.slice(1).map(Number) as [number, number, number];
  if (a === 100) return b >= 64 && b < 128;
  if (a === 169) return b === 254;
  if (a === 172) return b >= 16 && b < 32;
  if (a === 192) return b === 168 || (b === 0 && c === 0);
  if (a === 198) return b === 18 || b === 19;
  return [0, 10, 127].includes(a) || a >= 224;
}

/**
 * True if a connection to an IP address is allowed (AUTH-13): it is public, or
 * every address of the MCP server is as private.
 */
export function isAllowedAddress(
  address: string,
  allowPrivate: boolean | undefined,
  serverAddresses: readonly string[],
): boolean {
  const host = hostOf(address);
  if (allowPrivate === true || !isPrivate(host)) return true;
  const isSame = isMachine(host) ? isMachine : isPrivate;
  // A server with a public address does not count as private, even if it also
  // has a private one.
  return (
    serverAddresses.length > 0 &&
    serverAddresses.every((one) => isSame(hostOf(one)))
  );
}

/** True if a connection to an address ends on this machine. */
const isMachine = (host: string): boolean =>
  isLoopback(host) || /^(0\.|\[::\]$)/.test(host);

/**
 * An IP address in the form of a `URL` host. An IPv4 address behind a
 * translator (NAT64, RFC 6052) is returned as that IPv4 address.
 */
function hostOf(address: string): string {
  if (!address.includes(":")) return address;
  const host = new URL(`http://[${address.replace(/%.*/, "")}]`).hostname;
  const [, high, low] =
    /^\[64:ff9b::([0-9a-f]+):([0-9a-f]+)\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) {
    return host;
  }
  return [high, low]
    .flatMap((part) => {
      const number = parseInt(part, 16);
      return [number >> 8, number & 255];
    })
    .join(".");
}
