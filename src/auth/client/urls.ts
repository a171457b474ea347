import { isLoopback } from "../../common/addresses.js";
import { isPrivate } from "../../common/private-addresses.js";
import { AuthorizationError, quote } from "./error.js";

/**
 * The MCP server that a URL is used for, and whether the URL may be in a
 * private network.
 */
interface UrlRules {
  readonly server: URL;
  readonly allowPrivate?: boolean | undefined;
}

/**
 * Checks a URL from a document of another party, before it is requested or
 * opened. It must be https, or http on this machine if the MCP server is on
 * this machine. It must not be in a private network unless the MCP server is
 * (AUTH-13, AUTH-39). `what` describes it in errors.
 *
 * @throws AuthorizationError with the reason `unsafe-url`.
 */
export function checkUrl(
  text: unknown,
  what: string,
  { server, allowPrivate = false }: UrlRules,
): URL {
  const unsafeUrl = (why: string): AuthorizationError =>
    new AuthorizationError(
      "unsafe-url",
      `${server.host} names ${quote(text)} as ${what}, which is not used: ${why}.`,
      server,
    );
  if (typeof text !== "string" || !URL.canParse(text))
    throw unsafeUrl("it is not a URL");
  const url = new URL(text);
  const { hostname: host, protocol } = url;
  const isLocal = isLoopback(host);
  if (protocol !== "https:" && !(protocol === "http:" && isLocal))
    throw unsafeUrl("it must be an https URL, or an http URL of this machine");
  if (url.username !== "" || url.password !== "")
    throw unsafeUrl("it has a user name or a password");
  const isAllowed =
    allowPrivate ||
    (isLocal ? isLoopback(server.hostname) : isPrivate(server.hostname));
  if (isPrivate(host) && !isAllowed)
    throw unsafeUrl(
      "it is in a private network and the server is not; `allowPrivate: true` allows it",
    );
  return url;
}
