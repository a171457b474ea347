import type { IncomingHttpHeaders } from "node:http";
import type * as undici from "undici";
import { either } from "../../common/timing.js";
import {
  checkedLookup,
  notConnected,
  redirectProblem,
  unreachable,
  UnreachableError,
} from "./address.js";
import {
  basic,
  type Environment,
  loadUndici,
  proxyAgent,
  ProxyError,
  proxyFor,
  refusal,
} from "../../cli/live/proxy.js";

/** What requests of one run have in common. */
export interface Requests {
  /**
   * The maximum time without any data, in milliseconds; a whole request may
   * take ten times as long.
   */
  readonly timeout: number;
  /** Aborted by an interrupt. */
  readonly signal: AbortSignal;
  /** Sent to its own server only. */
  readonly token: Token | null;
  readonly userAgent: string;
  readonly environment: Environment;
  /** True if a file names the source: nothing private is requested. */
  readonly isPublic?: boolean;
  status(text: string | null): void;
}

/** A secret, and the origin of the server that it is for. */
export interface Token {
  readonly origin: string;
  readonly value: string;
}

/** What is requested. */
interface Query {
  readonly maxBytes: number;
  /**
   * The known entity tag of the file: the result is null if it still has it.
   */
  readonly etag?: string | undefined;
  /** True if the result is null for a file that does not exist. */
  readonly isOptional?: boolean;
  /**
   * The URL in the message of a server that denies it; that of the file by
   * default.
   */
  readonly shown?: URL;
}

const maxRedirects = 5;

/**
 * Sends a GET request, follows redirects, each of which is checked, and reads
 * the body, which is not decompressed and ends with an error if the connection
 * is cut, stalls, or sends more than the limit.
 *
 * @throws UnreachableError
 */
export async function get<T>(
  url: URL,
  { maxBytes, etag, isOptional = false, shown = url }: Query,
  requests: Requests,
  read: (
    body: AsyncIterable<Uint8Array>,
    headers: IncomingHttpHeaders,
  ) => Promise<T>,
): Promise<T | null> {
  const end = AbortSignal.timeout(requests.timeout * 10);
  let target = url;
  for (let hops = 0; ; hops++) {
    const signal = either(requests.signal, end);
    let agent: undici.Dispatcher | null = null;
    try {
      agent = await agentFor(target, url, requests, signal);
      const { origin, pathname, search } = target;
      const headers = {
        accept: "*/*",
        "accept-encoding": "identity",
        "user-agent": requests.userAgent,
        ...(etag !== undefined && { "if-none-match": etag }),
        ...credentials(target, requests.token),
      };
      const path = pathname + search;
      const reply = await agent.request({
        origin,
        path,
        method: "GET",
        headers,
        signal,
      });
      const status = reply.statusCode;
      if (status === 200)
        return await read(
          limited(reply.body, target, maxBytes, requests),
          reply.headers,
        );
      if (
        (status === 304 && etag !== undefined) ||
        (status === 404 && isOptional)
      )
        return null;
      if (![301, 302, 303, 307, 308].includes(status))
        throw statusError(shown, status);
      if (hops === maxRedirects)
        throw unreachable(
          `${target.host} redirects more than ${maxRedirects} times`,
          "check the URL",
        );
      const server = requests.isPublic === true ? null : url;
      target = redirectTarget(reply.headers["location"], target, server);
    } catch (error) {
      throw explain(error, target, requests, end);
    } finally {
      // The connection ends here, whether the body was read or not.
      void agent?.destroy();
      requests.status(null);
    }
  }
}

/**
 * The error for an HTTP status that is not a success. A query may contain a
 * secret.
 */
export function statusError(
  { host, origin, pathname }: URL,
  status: number,
): Error {
  if (status === 404 || status === 401 || status === 403) {
    const reason =
      status === 404 ? "does not exist, or is not public" : "denies access";
    return unreachable(
      `${origin}${pathname} ${reason} (HTTP status ${status})`,
      "check the URL; GITHUB_TOKEN gives access to a private repository of GitHub",
    );
  }
  return unreachable(
    `${host} answers with HTTP status ${status}`,
    "try again later",
  );
}

function redirectTarget(location: unknown, from: URL, server: URL | null): URL {
  if (typeof location !== "string" || !URL.canParse(location, from.href))
    throw unreachable(
      `${from.host} redirects to an invalid URL`,
      "check the URL",
    );
  const target = new URL(location, from.href);
  const problem = redirectProblem(target, server);
  if (problem === null) return target;
  throw unreachable(
    `${from.host} redirects to ${target.protocol}//${target.host}, which is not followed: ${problem}`,
    "check the URL, or use a copy in a folder: --from <folder>",
  );
}

/** Git servers take a token as a password, and so do archives of GitHub. */
function credentials(target: URL, token: Token | null): Record<string, string> {
  if (token === null || target.origin !== token.origin) return {};
  return { authorization: basic(`x-access-token:${token.value}`) };
}

/**
 * Connections to a server, or to a proxy, which resolves the name of the server
 * itself.
 */
async function agentFor(
  target: URL,
  server: URL,
  { timeout, environment, isPublic = false }: Requests,
  signal: AbortSignal,
): Promise<undici.Dispatcher> {
  const limits = { headersTimeout: timeout, bodyTimeout: timeout };
  const connect = { timeout, signal };
  const proxy = proxyFor(target, environment);
  if (proxy === null) {
    const { Agent } = await loadUndici();
    const isOther = isPublic || target.hostname !== server.hostname;
    return new Agent({
      ...limits,
      connect: {
        ...connect,
        ...(isOther && { lookup: checkedLookup(isPublic ? null : server) }),
      },
    });
  }
  return await proxyAgent(proxy, { ...limits, connect });
}

async function* limited(
  body: AsyncIterable<Uint8Array>,
  { host }: URL,
  maxBytes: number,
  { status }: Requests,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw unreachable(
        `${host} sends more than ${maxBytes / 1_000_000} MB, the maximum`,
      );
    status(`${host}: ${(bytes / 1_000_000).toFixed(1)} MB`);
    yield chunk;
  }
}

/**
 * The diagnostic of a network error. Any other error is a bug and is returned
 * unchanged.
 */
function explain(
  error: unknown,
  target: URL,
  { timeout, environment, signal }: Requests,
  end: AbortSignal,
): unknown {
  const hint = "give it more time with --timeout <seconds>";
  if (error instanceof UnreachableError || signal.aborted) return error;
  if (error instanceof ProxyError)
    return notConnected(target.host, error.message);
  if (end.aborted)
    return unreachable(
      `${target.host} took longer than ${timeout / 100} s`,
      hint,
    );
  if (!(
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string"
  ))
    return error;
  const { code } = error;
  if (/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code))
    return unreachable(
      `${target.host} sent nothing for ${timeout / 1000} s`,
      hint,
    );
  const reason =
    refusal(error, proxyFor(target, environment)) ?? reasons[code] ?? code;
  return notConnected(target.host, reason);
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused (ECONNREFUSED)",
  ECONNRESET: "the connection was cut (ECONNRESET)",
  EPIPE: "the connection was cut (EPIPE)",
  UND_ERR_SOCKET: "the connection was cut (ECONNRESET)",
  ENOTFOUND: "there is no host of this name (ENOTFOUND)",
  EAI_AGAIN: "its name cannot be resolved now (EAI_AGAIN)",
  ETIMEDOUT: "the connection timed out (ETIMEDOUT)",
  EHOSTUNREACH: "there is no route to it (EHOSTUNREACH)",
  ENETUNREACH: "there is no network (ENETUNREACH)",
};
