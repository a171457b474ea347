import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { checkedAddresses, knownLookup, PrivateAddressError, redirectProblem } from "./address.js";
import { type Environment, openTunnel, ProxyError, proxyFor } from "./tunnel.js";
import { unreachable, UnreachableError } from "./unreachable.js";

/** What requests of one run have in common. */
export interface Requests {
  /** The maximum time without any data, in milliseconds; a whole request may take ten times as long. */
  readonly timeout: number;
  /** Aborted by an interrupt. */
  readonly signal: AbortSignal;
  /** Sent to its own server only. */
  readonly token: Token | null;
  readonly userAgent: string;
  /** The variables that name a proxy. */
  readonly environment: Environment;
  status(text: string | null): void;
}

/** A secret, and the origin of the server that it is for. */
export interface Token {
  readonly origin: string;
  readonly value: string;
}

/** A response with any status except a redirect. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Ends with an error if the connection is cut, stalls, or sends more than the limit. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the connection. Must be called, whether the body was read or not. */
  close(): void;
}

const maxRedirects = 5;

/** Sends a GET request and follows redirects, each of which is checked. */
export async function get(
  url: URL,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  requests: Requests,
): Promise<Reply> {
  let target = url;
  const clock = new Clock(requests);
  try {
    for (let hops = 0; ; hops++) {
      const response = await send(
        target,
        url,
        { "accept-encoding": "identity", ...headers, ...credentials(target, requests) },
        clock,
      );
      const { statusCode: status = 0, headers: responseHeaders } = response;
      if (![301, 302, 303, 307, 308].includes(status)) {
        const body = readBody(response, target, maxBytes, clock);
        const close = (): void => {
          clock.stop();
          response.destroy();
          requests.status(null);
        };
        return { status, headers: responseHeaders, body, close };
      }
      response.destroy();
      if (hops === maxRedirects)
        throw unreachable(`${target.host} redirects more than ${maxRedirects} times`, "check the URL");
      target = redirectTarget(responseHeaders.location, target, url);
    }
  } catch (error) {
    clock.stop();
    throw explain(error, target, clock);
  }
}

/** Git servers take a token as a password, and so do archives of GitHub. */
function credentials(target: URL, { token, userAgent }: Requests): Record<string, string> {
  if (token === null || target.origin !== token.origin) return { "user-agent": userAgent };
  const basic = Buffer.from(`x-access-token:${token.value}`).toString("base64");
  return { "user-agent": userAgent, authorization: `Basic ${basic}` };
}

function redirectTarget(location: string | undefined, from: URL, server: URL): URL {
  if (location === undefined || !URL.canParse(location, from.href)) {
    throw unreachable(`${from.host} redirects to an invalid URL`, "check the URL");
  }
  const target = new URL(location, from.href);
  const problem = redirectProblem(target, server);
  if (problem === null) return target;
  throw unreachable(
    `${from.host} redirects to ${target.protocol}//${target.host}, which is not followed: ${problem}`,
    "check the URL, or use a copy in a folder: --from <folder>",
  );
}

async function send(
  target: URL,
  server: URL,
  headers: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<IncomingMessage> {
  const proxy = proxyFor(target, clock.requests.environment);
  // A proxy resolves the host name itself.
  const route =
    proxy === null
      ? { agent: false, lookup: knownLookup(await checkedAddresses(target, server, clock.signal)) }
      : await throughProxy(target, proxy, clock.signal);
  const request = (target.protocol === "https:" ? requestHttps : requestHttp)(target, {
    headers,
    signal: clock.signal,
    ...route,
  });
  return await new Promise((resolve, reject) => {
    request.once("response", resolve).once("error", reject).end();
  });
}

async function throughProxy(target: URL, proxy: URL, signal: AbortSignal) {
  const socket = await openTunnel(target, proxy, signal);
  // An agent would open a connection of its own.
  return { createConnection: () => socket };
}

async function* readBody(
  response: IncomingMessage,
  target: URL,
  maxBytes: number,
  clock: Clock,
): AsyncGenerator<Uint8Array> {
  const { requests } = clock;
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      clock.restart();
      bytes += chunk.byteLength;
      if (bytes > maxBytes) {
        throw unreachable(`${target.host} sends more than ${maxBytes / 1_000_000} MB, the maximum`);
      }
      requests.status(`${target.host}: ${(bytes / 1_000_000).toFixed(1)} MB`);
      yield chunk;
    }
  } catch (error) {
    throw explain(error, target, clock);
  }
}

class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/** Ends a request that stalls or takes too long, or after an interrupt. */
class Clock {
  readonly requests: Requests;
  readonly #controller = new AbortController();
  readonly #end: NodeJS.Timeout;
  readonly #onAbort = (): void => this.#controller.abort(this.requests.signal.reason);
  #idle: NodeJS.Timeout;

  constructor(requests: Requests) {
    const { timeout, signal } = requests;
    this.requests = requests;
    this.#end = this.#after(timeout * 10, `took longer than ${(timeout * 10) / 1000} s`);
    this.#idle = this.#idleTimer();
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    clearTimeout(this.#idle);
    this.#idle = this.#idleTimer();
  }

  stop(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#end);
    this.requests.signal.removeEventListener("abort", this.#onAbort);
  }

  #idleTimer(): NodeJS.Timeout {
    return this.#after(this.requests.timeout, `sent nothing for ${this.requests.timeout / 1000} s`);
  }

  #after(time: number, reason: string): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(new TimeoutError(reason)), time);
  }
}

/** The diagnostic of a network error. Any other error is a bug and is returned unchanged. */
function explain(error: unknown, { host }: URL, { signal, requests }: Clock): unknown {
  if (error instanceof UnreachableError || requests.signal.aborted) return error;
  const cause: unknown = signal.aborted ? signal.reason : error;
  if (!(cause instanceof Error)) return error;
  const local = "check the connection, or use a copy in a folder: --from <folder>";
  if (cause instanceof TimeoutError) {
    return unreachable(`${host} ${cause.message}`, "give it more time with --timeout <seconds>");
  }
  if (cause instanceof PrivateAddressError) {
    return unreachable(`${cause.message}, and the server that redirects to it is not`, local);
  }
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : null;
  if (code === null && !(cause instanceof ProxyError)) return error;
  const reason = code === null ? cause.message : (reasons[code] ?? code);
  return unreachable(`${host} cannot be reached: ${reason}`, local);
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused (ECONNREFUSED)",
  ECONNRESET: "the connection was cut (ECONNRESET)",
  EPIPE: "the connection was cut (EPIPE)",
  ENOTFOUND: "there is no host of this name (ENOTFOUND)",
  EAI_AGAIN: "its name cannot be resolved now (EAI_AGAIN)",
  ETIMEDOUT: "the connection timed out (ETIMEDOUT)",
  EHOSTUNREACH: "there is no route to it (EHOSTUNREACH)",
  ENETUNREACH: "there is no network (ENETUNREACH)",
};
