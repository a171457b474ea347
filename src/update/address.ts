import type { LookupAddress } from "node:dns";
import { lookup as resolveName } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { isAllowedAddress, isPrivate, isLoopback } from "../shared/addresses.js";
import { pause } from "../shared/timing.js";
import { notConnected } from "./unreachable.js";

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

/**
 * Resolves the host of a URL once, and returns the lookup function of the connection, which knows no other addresses. Another
 * host than the one that the user named must not be in a private network, unless that one is too.
 *
 * @throws UnreachableError
 */
export async function checkedLookup(
  { hostname }: URL,
  server: URL,
  timeout: number,
  signal: AbortSignal,
): Promise<LookupFunction> {
  const addresses = await addressesOf(hostname, timeout, signal);
  const isAllowed = (serverAddresses: readonly LookupAddress[]): boolean => {
    const others = serverAddresses.map(({ address }) => address);
    return addresses.every(({ address }) => isAllowedAddress(address, false, others));
  };
  if (
    hostname !== server.hostname &&
    !isAllowed([]) &&
    !isAllowed(await addressesOf(server.hostname, timeout, signal))
  )
    throw notConnected(hostname, "it is in a private network, and the server that redirects to it is not");
  const [first] = addresses;
  return (_host, { all }, done) => {
    if (all === true) done(null, addresses);
    else done(null, first?.address ?? "", first?.family);
  };
}

async function addressesOf(hostname: string, timeout: number, signal: AbortSignal): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const late = async (): Promise<never> => {
    await pause(timeout, signal);
    throw notConnected(hostname, "its name cannot be resolved now");
  };
  // A name lookup cannot be cancelled, so its result is ignored after an interrupt or a timeout.
  return await Promise.race([resolveName(host, { all: true }), late()]);
}
