/**
 * Parses the address of a server.
 *
 * @throws TypeError if it is not a URL. The error does not have the address,
 *   which may hold a password.
 */
export function parseAddress(url: string | URL): URL {
  if (!URL.canParse(String(url)))
    throw new TypeError("The address of the server is not a valid URL.");
  return new URL(url);
}
