import { lookup as resolveName } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { isAllowedAddress, isPrivate } from "../shared/addresses.js";
import { isLoopback } from "../shared/loopback.js";

/** Why a URL must not be requested; null if it may be. */
export function urlProblem(url: URL): string | null {
  const { protocol, hostname, username, password } = url;
  if (username !== "" || password !== "") return "it contains a user name or a password";
  if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) return null;
  return "it is not an https URL";
}

/**
 * Why a redirect from the server that the user named must not be followed; null if it may be. A literal address is checked
 * here, a name when it is resolved.
 */
export function redirectProblem(target: URL, server: URL): string | null {
  const problem = urlProblem(target);
  if (problem !== null) return problem;
  if (target.hostname === server.hostname) return null;
  const isLocal = isLoopback(server.hostname);
  const isInside = isLoopback(target.hostname) ? isLocal : isPrivate(server.hostname) && !isLocal;
  return isPrivate(target.hostname) && !isInside ? "it is an address of a private network" : null;
}

/** Thrown if a host name resolves to an address of a private network. */
export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
}

/** An address of a host. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/**
 * Resolves the host of a URL once, for the connection. Another host than the one that the user named must not be in a
 * private network, unless that one is too.
 *
 * @throws PrivateAddressError
 */
export async function checkedAddresses(
  { hostname }: URL,
  server: URL,
  signal: AbortSignal,
): Promise<readonly HostAddress[]> {
  const addresses = await addressesOf(hostname, signal);
  if (hostname === server.hostname) return addresses;
  const isAllowed = (serverAddresses: readonly string[]): boolean =>
    addresses.every(({ address }) => isAllowedAddress(address, false, serverAddresses));
  if (isAllowed([])) return addresses;
  const serverAddresses = await addressesOf(server.hostname, signal);
  if (isAllowed(serverAddresses.map(({ address }) => address))) return addresses;
  throw new PrivateAddressError(`${hostname} is in a private network`);
}

/** A lookup function for `node:net` that returns these addresses, which were checked. */
export function knownLookup(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses;
    if (all === true) done(null, [...addresses]);
    else done(null, first?.address ?? "", first?.family);
  };
}

async function addressesOf(hostname: string, signal: AbortSignal): Promise<readonly HostAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  // A name lookup cannot be cancelled, so its result is ignored after an interrupt or a timeout.
  return await Promise.race([resolveName(host, { all: true }), rejection(signal)]);
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
