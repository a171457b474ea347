import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { makeDiagnostic, SchemaError } from "../../generator/diagnostics.js";
import { isLoopback } from "../../common/addresses.js";
import { isAllowedAddress, isPrivate } from "../../common/private-addresses.js";

/**
 * Thrown if a source cannot be reached, denies access, or sends something that
 * cannot be used.
 */
export class UnreachableError extends SchemaError {}

/** The error of one diagnostic about a remote source. */
export function unreachable(
  message: string,
  hint: string | null = null,
): UnreachableError {
  return new UnreachableError([
    makeDiagnostic("error", "MG750", message, hint),
  ]);
}

/** The error for a host to which no connection is made. */
export function notConnected(host: string, reason: string): UnreachableError {
  return unreachable(
    `${host} cannot be reached: ${reason}`,
    "check the connection, or use a copy in a folder: --from <folder>",
  );
}

/** Why a URL must not be requested; null if it may be. */
export function urlProblem(url: URL): string | null {
  const { protocol, hostname, username, password } = url;
  if (username !== "" || password !== "")
    return "it contains a user name or a password";
  if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname)))
    return null;
  return "it is not an https URL";
}

/**
 * Why a redirect from the server that the user named must not be followed; null
 * if it may be. A literal address is checked here, a name when it is resolved.
 *
 * @param server null if a file named it
 */
export function redirectProblem(
  target: URL,
  server: URL | null,
): string | null {
  const problem = urlProblem(target);
  if (problem !== null) return problem;
  if (target.hostname === server?.hostname) return null;
  const isLocal = server !== null && isLoopback(server.hostname);
  const isInside = isLoopback(target.hostname)
    ? isLocal
    : server !== null && isPrivate(server.hostname) && !isLocal;
  return isPrivate(target.hostname) && !isInside
    ? "it is an address of a private network"
    : null;
}

/**
 * The lookup function of connections to another host than the one that the user
 * named, which must not be in a private network, unless that one is too. A
 * connection uses the addresses that were checked. The function fails with an
 * `UnreachableError`.
 *
 * @param server null if a file named it: no host may be in a private network
 */
export function checkedLookup(server: URL | null): LookupFunction {
  const addressesOf = async (host: string) => {
    const addresses = await lookup(host, { all: true });
    const isAllowed = (serverAddresses: readonly string[]): boolean =>
      addresses.every(({ address }) =>
        isAllowedAddress(address, false, serverAddresses),
      );
    if (isAllowed([])) return addresses;
    const serverAddresses =
      server === null
        ? []
        : await lookup(server.hostname.replace(/^\[|\]$/g, ""), { all: true });
    if (isAllowed(serverAddresses.map(({ address }) => address)))
      return addresses;
    throw notConnected(
      host,
      "it is in a private network, and the server that leads to it is not",
    );
  };
  return (host, { all }, done) => {
    callbackify(addressesOf)(host, (error, addresses) => {
      if (all === true) done(error, addresses);
      else done(error, addresses?.[0]?.address ?? "", addresses?.[0]?.family);
    });
  };
}
