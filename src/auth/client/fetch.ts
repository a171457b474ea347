import { isAllowedAddress } from "../../common/private-addresses.js";
import {
  boundedFetch,
  type BoundedResponse,
  maxResponseBytes,
} from "../../common/bounded-fetch.js";
import { isObject, type JsonObject } from "../../common/object.js";
import { AuthorizationError } from "./error.js";
import type { AuthFetchRules, Context } from "./options.js";
import { failureOf } from "./secrets.js";
import { checkUrl } from "./urls.js";

/** The maximum number of redirects of one request; only a GET is redirected. */
const maxRedirects = 3;
/**
 * The minimum difference of clocks that is corrected, in milliseconds. The
 * `Date` header counts seconds.
 */
const minSkew = 5000;

/**
 * Sends a request to a URL from a document of another party. Checks the URL and
 * those of redirects, and limits the time and the size (AUTH-13). `what`
 * describes the response in errors.
 *
 * @throws AuthorizationError with the reason `unsafe-url`, `metadata` (too
 *   large, or too many redirects) or `network`.
 */
export async function authFetch(
  context: Context,
  address: string,
  what: string,
  init: RequestInit,
): Promise<Response> {
  const { server, options, signal } = context;
  const { login } = options;
  const request =
    options.fetch ??
    (login && "fetch" in login ? login.fetch : undefined) ??
    globalThis.fetch;
  const rules: AuthFetchRules = {
    server,
    isAllowed: (ip, serverAddresses) =>
      isAllowedAddress(ip, context.allowPrivate, serverAddresses),
  };
  let redirects = 0;
  let { origin } = checkUrl(address, what, context);
  const follow = (response: Response, url: URL): URL | undefined => {
    const location = response.headers.get("location");
    // In browsers, a redirect that is not followed has no status and no
    // headers.
    const isRedirect =
      response.type === "opaqueredirect" ||
      (response.status >= 300 && response.status < 400 && location !== null);
    if (isRedirect && (init.method ?? "GET") !== "GET")
      throw new AuthorizationError(
        "metadata",
        `${origin} redirects the request for ${what}, which is not followed because it may contain credentials. The operator must publish the URL that answers.`,
        server,
      );
    if (!isRedirect || location === null) return undefined;
    if (redirects++ === maxRedirects || !URL.canParse(location, url.href))
      throw new AuthorizationError(
        "metadata",
        `${origin} redirects the request for ${what} too many times.`,
        server,
      );
    const next = checkUrl(new URL(location, url).href, what, context);
    ({ origin } = next);
    return next;
  };
  try {
    const send = (url: URL, sent: RequestInit): Promise<Response> =>
      request(url, sent, rules);
    return copyOf(
      context,
      await boundedFetch(new URL(address), init, { send, follow, signal }),
    );
  } catch (cause) {
    if (cause instanceof AuthorizationError) throw cause;
    const { why, ...rest } = failureOf(cause, init);
    if (
      cause instanceof Error &&
      "code" in cause &&
      cause.code === "PRIVATE_ADDRESS"
    )
      throw new AuthorizationError(
        "unsafe-url",
        `${server.host} names ${origin} for ${what}, which is not used: ${why}, and the server is not; \`allowPrivate: true\` allows it.`,
        server,
      );
    throw new AuthorizationError(
      "network",
      `${origin} could not be reached for ${what}: ${why}. Check the connection, and try again.`,
      server,
      rest,
    );
  }
}

/** The response with the body that was read. */
function copyOf(
  context: Context,
  { response, url, bytes }: BoundedResponse,
): Response {
  const { status, headers } = response;
  const skew = Date.parse(headers.get("date") ?? "") - Date.now();
  if (Math.abs(skew) > minSkew) context.skews.set(url.origin, skew);
  if (!bytes) {
    const message = `${url.origin} sent more than ${maxResponseBytes} bytes.`;
    throw new AuthorizationError("metadata", message, context.server);
  }
  const isEmpty = bytes.length === 0 || status === 204 || status === 304;
  // In browsers, the status of a redirect that is not followed is 0.
  const text = isEmpty ? null : new TextDecoder().decode(bytes);
  return new Response(text, {
    status: Math.max(200, status),
    headers: new Headers(headers),
  });
}

/**
 * Reads a JSON document. Returns undefined if there is none; some servers then
 * answer 401, 403 or an HTML page. A request that fails temporarily (5xx, 408,
 * 429) is sent once more.
 *
 * @throws AuthorizationError with the reason `network` if the server fails or
 *   cannot be reached.
 */
export async function fetchDocument(
  context: Context,
  address: string,
  what: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonObject | undefined> {
  const init = { headers: { accept: "application/json", ...headers } };
  let response = await authFetch(context, address, what, init);
  if (isTemporary(response))
    response = await authFetch(context, address, what, init);
  if (isTemporary(response)) {
    const message = `${new URL(address).origin} answers ${response.status} to the request for ${what}. Try again later.`;
    throw new AuthorizationError("network", message, context.server);
  }
  if (!response.ok) return undefined;
  const document: unknown = await response.json().catch(() => undefined);
  return isObject(document) ? document : undefined;
}

const isTemporary = ({ status }: Response): boolean =>
  status >= 500 || status === 408 || status === 429;

/**
 * Reads the first document that exists at one of the addresses. JSON without
 * the text `member` is another document. Throws the first error only if there
 * is no document.
 */
export async function firstDocument(
  context: Context,
  addresses: readonly string[],
  what: string,
  member: string,
  headers?: Readonly<Record<string, string>>,
): Promise<readonly [document: JsonObject, address: string] | undefined> {
  let firstError: unknown;
  for (const address of addresses) {
    try {
      const document = await fetchDocument(context, address, what, headers);
      if (typeof document?.[member] === "string") return [document, address];
    } catch (error) {
      context.signal?.throwIfAborted();
      firstError ??= error;
    }
  }
  if (firstError !== undefined) throw firstError;
  return undefined;
}
