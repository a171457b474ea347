import {
  isTransportError,
  TransportError,
  TimeoutError,
} from "../../errors.js";
import { toBase64 } from "../../../../common/base64.js";
import type { Authorization, Authorizer } from "../../ports/authorizer.js";
import {
  isThenable,
  withTimeout,
  type Awaitable,
} from "../../../../common/timing.js";
import type { CallerHeaders, Receiver } from "../../ports/transport.js";
import type { Revision } from "../../tables.js";
import type { ClientRequest, Drop, Fetch, HttpPlatform } from "./requests.js";
import { fetchRequester, nodeRequester } from "./requests.js";
import type {
  HeaderOf,
  ResponseHandler,
  ResponseSink,
} from "./response-reader.js";
import {
  isLost,
  responseError,
  ResponseReader,
  unsentError,
} from "./response-reader.js";

/** Options of `http` and `sse`. */
export interface HttpClientOptions {
  /**
   * Headers of every request, or a function that is called before each request.
   * Headers of the protocol take precedence.
   */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Awaitable<Readonly<Record<string, string>>>);
  /**
   * Obtains tokens and sends them with each request: `oauth` of `@mcpgen/auth`,
   * or an `Authorizer` of your own. A request is sent at most four times.
   */
  readonly auth?: Authorizer;
  /**
   * Sends the requests. By default `node:http` on Node, and `fetch` elsewhere.
   * It must not follow redirects.
   */
  readonly fetch?: Fetch;
  /** Closes the connection when it aborts. */
  readonly signal?: AbortSignal;
  /** Maximum length of a message, in bytes; 64 MiB by default. */
  readonly maxMessageBytes?: number;
  /**
   * Maximum number of connections for open calls, on Node; 256 by default.
   * Answers, cancellations and the stream of notifications have others.
   */
  readonly maxConnections?: number;
  /**
   * Maximum number of attempts in a row to resume a stream that broke; 5 by
   * default. After them, the stream of notifications is opened again when a
   * call succeeds, at most once in `maxReconnectTime`.
   */
  readonly maxReconnects?: number;
  /**
   * The wait before the first attempt, if the server names none, in
   * milliseconds; it doubles with each; 1,000 by default.
   */
  readonly reconnectTime?: number;
  /** The maximum wait, in milliseconds; 30,000 by default. */
  readonly maxReconnectTime?: number;
  /**
   * The maximum wait for the server to end the session, in milliseconds; 1,000
   * by default.
   */
  readonly shutdownTime?: number;
}

type Headers = Readonly<Record<string, string>>;

/** Maximum number of redirects of one request. */
const maxRedirects = 5;
/**
 * Maximum number of times that a request with `auth` is sent: a nonce of the
 * server, a new token, and a new scope each take one.
 */
const maxAttempts = 4;

/**
 * Sends the requests of one client with the headers of its user. Follows
 * redirects within the origin, and repeats a request after a challenge.
 */
export class HttpRequester {
  /** The address for messages, without login and query, which may be secret. */
  readonly address: string;
  readonly options: HttpClientOptions;
  readonly authorization: Authorization | undefined;
  /** The revision that the client uses or offers. */
  revision: Revision | undefined;
  readonly #platform: HttpPlatform;
  readonly #url: URL;
  readonly receiver: () => Receiver;
  #identity: string | undefined;
  /** The headers of the user that never change. */
  readonly #staticHeaders: Headers;

  constructor(url: URL, options: HttpClientOptions, receiver: () => Receiver) {
    if (!/^https?:$/.test(url.protocol))
      throw new TypeError(`${url.protocol} is not an HTTP address.`);
    const { fetch, headers, maxConnections = 256 } = options;
    this.address = url.origin + url.pathname;
    this.options = options;
    this.#staticHeaders = {
      ...loginOf(url),
      ...lowerCase(typeof headers === "object" ? headers : {}),
    };
    this.receiver = receiver;
    this.#url = new URL(url);
    this.#url.username = this.#url.password = this.#url.hash = "";
    const platform = fetch ? undefined : nodeRequester(url, maxConnections);
    this.#platform =
      platform ??
      fetchRequester(fetch ?? ((...args) => globalThis.fetch(...args)));
    this.authorization = options.auth?.connect(this.#url, (isRunning) =>
      receiver().paused?.(isRunning),
    );
  }

  /**
   * Sends a request. `caller` holds the headers of the user if they are
   * resolved already.
   */
  request(
    request: Omit<ClientRequest, "url">,
    handler: ResponseHandler,
    url: URL = this.#url,
    caller?: CallerHeaders,
  ): Drop {
    const reader = new ResponseReader(handler, this.options.maxMessageBytes);
    return new HttpAttempt(this, { ...request, url }, reader, caller).drop;
  }

  /** Sends one request with the headers of the user. */
  send(request: ClientRequest, headers: Headers, sink: ResponseSink): Drop {
    this.identify();
    return this.#platform.request(
      { ...request, headers: { ...headers, ...request.headers } },
      sink,
    );
  }

  /**
   * Calls `receiver.renewed` if requests are authorized by another grant than
   * before.
   */
  identify(): void {
    const identity = this.authorization?.identity;
    if (identity === this.#identity) return;
    this.#identity = identity;
    this.receiver().renewed?.();
  }

  /** The headers of the user. */
  userHeaders(): Headers | Promise<Headers> {
    const { headers } = this.options;
    return typeof headers === "function"
      ? this.#callHeaders(headers)
      : this.#staticHeaders;
  }

  close(): void {
    this.authorization?.close();
    this.#platform.close();
  }

  async #callHeaders(
    make: () => Headers | PromiseLike<Headers>,
  ): Promise<Headers> {
    return { ...this.#staticHeaders, ...lowerCase(await make()) };
  }
}

/** One request, with its redirects and its repetitions after challenges. */
class HttpAttempt implements ResponseSink {
  readonly #requester: HttpRequester;
  readonly #reader: ResponseReader;
  #request: ClientRequest;
  #caller: CallerHeaders | undefined;
  #drop: Drop | undefined;
  #redirects = 0;
  /** The headers of the authorization. */
  #authHeaders!: Headers;
  #attempt = 1;
  #isRepeated = false;
  #hasHead = false;
  #isDropped = false;

  constructor(
    requester: HttpRequester,
    request: ClientRequest,
    reader: ResponseReader,
    caller: CallerHeaders | undefined,
  ) {
    this.#requester = requester;
    this.#caller = caller;
    this.#request = request;
    this.#reader = reader;
    this.#start();
  }

  readonly drop = (): void => {
    this.#isDropped = true;
    this.#drop?.();
  };

  head(status: number, header: HeaderOf): void {
    if (status === 0 || (status >= 300 && status < 400))
      return this.#redirect(status, header("location"));
    // The process behind a balancer that had the request is gone.
    const drop = this.#drop;
    if (status === 502 && this.#repeat()) return drop?.();
    this.#hasHead = true;
    const { authorization, revision: used } = this.#requester;
    authorization?.answered?.(this.#request, header, status);
    if (
      !authorization ||
      (status !== 401 && status !== 403) ||
      this.#attempt >= maxAttempts
    )
      return this.#reader.head(status, header);
    const attempt = this.#attempt++;
    const sent = this.#authHeaders;
    this.#caller = undefined;
    this.#drop?.();
    const revision = used?.revision;
    // The rule on PKCE came with the revision in which streams begin with an
    // event id.
    const mayOmitPkce =
      used?.opening === "initialize" && used.primedStreams !== true;
    const challenge = {
      ...this.#request,
      status,
      header,
      sent,
      call: this,
      attempt,
      revision,
      mayOmitPkce,
    };
    authorization.challenged(challenge).then(
      (isAnswered) => {
        if (isAnswered) return this.#start();
        if (this.#isDropped) return;
        this.#reader.head(status, header);
        this.#reader.end();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  data(chunk: Uint8Array): void {
    this.#reader.data(chunk);
  }

  end(error?: Error): void {
    const isStale = isTransportError(error) && error.isRetryable;
    if (this.#hasHead || !(isStale || isLost(error)) || !this.#repeat())
      this.#reader.end(error);
  }

  /** Sends a safe request again, once. Returns false if it does not. */
  #repeat(): boolean {
    if (!this.#request.isSafe || this.#isRepeated) return false;
    this.#isRepeated = true;
    this.#start();
    return true;
  }

  #start(): void {
    if (this.#isDropped) return;
    const { authorization } = this.#requester;
    const headers = this.#caller ?? this.#requester.userHeaders();
    const authHeaders = authorization?.headers(this.#request);
    if (!isThenable(headers) && !isThenable(authHeaders))
      return this.#send(headers, authHeaders);
    Promise.all([headers, authHeaders]).then(
      ([headers, authHeaders]) => this.#send(headers, authHeaders),
      (error: unknown) => this.#fail(error),
    );
  }

  #send(headers: Headers, authHeaders: Headers | undefined): void {
    if (this.#isDropped) return;
    this.#authHeaders = authHeaders ?? {};
    const sent = authHeaders ? { ...headers, ...authHeaders } : headers;
    this.#reader.sent = sent;
    try {
      this.#drop = this.#requester.send(this.#request, sent, this);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Follows a redirect within the origin only, since another server must not
   * get the headers and messages (HTTP-22).
   */
  #redirect(status: number, location: string | undefined): void {
    const { url, method } = this.#request;
    const target =
      location !== undefined && URL.canParse(location, url.href)
        ? new URL(location, url)
        : undefined;
    const keepsMethod = status === 307 || status === 308 || method === "GET";
    this.#drop?.();
    if (
      target?.origin === url.origin &&
      keepsMethod &&
      this.#redirects++ < maxRedirects
    ) {
      this.#request = { ...this.#request, url: target };
      return this.#start();
    }
    const reason = !target
      ? "without a valid location"
      : target.origin !== url.origin
        ? `to another origin, ${target.origin}, which this client does not follow`
        : keepsMethod
          ? "too many times"
          : `with status ${status}, which would drop the message`;
    this.#fail(
      new TransportError(`${url.origin}${url.pathname} redirects ${reason}.`, {
        status,
      }),
    );
  }

  /** Ends a request that was not sent, or that the server did not accept. */
  #fail(error: unknown): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#reader.end(unsentError(this.#requester.address, error));
  }
}

function lowerCase(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** The `Authorization` header of the login in an address (RFC 7617). */
function loginOf({ username, password, origin }: URL): Headers {
  if (username === "") return {};
  let login: string;
  try {
    login = decodeURIComponent(`${username}:${password}`);
  } catch {
    // The message must not show the login.
    throw new TypeError(
      `The login in the address of ${origin} has a "%" that does not begin a UTF-8 character: write it as %25.`,
    );
  }
  return {
    authorization: `Basic ${toBase64(new TextEncoder().encode(login))}`,
  };
}

/** The maximum time (ms) to read the body of a response that has no message. */
const bodyTime = 1000;

/** Sends one message, and passes what arrives to the handler. */
type Send = (handler: Required<Pick<ResponseHandler, "head" | "end">>) => Drop;

export type Deliveries = ReturnType<typeof deliveriesOf>;

/**
 * Sends messages whose responses have no answer, one after the other unless
 * their order does not matter.
 * `acceptTime` is the maximum wait (ms) for the server to accept a message; by
 * default there is none.
 */
export function deliveriesOf(
  { address, receiver }: HttpRequester,
  acceptTime?: number,
) {
  let last: Promise<unknown> = Promise.resolve();
  /** The messages that are not yet accepted. */
  const unsettled = new Set<Promise<unknown>>();
  /** Cancel the messages that are being sent. */
  const open = new Set<(error: Error) => void>();

  function deliver(send: Send): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve();
      };
      const giveUp = (error?: Error): void => {
        open.delete(giveUp);
        cancel();
        settle(error);
      };
      const onTimeout = (): void => {
        if (receiver().isPaused) timer = setTimeout(onTimeout, acceptTime);
        else
          giveUp(
            new TimeoutError(
              `${address} did not accept a message within ${acceptTime} ms.`,
            ),
          );
      };
      let timer =
        acceptTime === undefined
          ? undefined
          : setTimeout(onTimeout, acceptTime);
      open.add(giveUp);
      const cancel = send({
        head: ({ isSuccess }) => {
          if (!isSuccess) return;
          settle();
          // A body that does not end must not keep its connection.
          timer = setTimeout(giveUp, bodyTime);
        },
        end: (response, error) => {
          open.delete(giveUp);
          settle(
            response.isSuccess
              ? undefined
              : responseError(address, response, error),
          );
        },
      });
    });
  }

  return {
    /**
     * Sends a message when all earlier ones are accepted or have failed, or at
     * once if its order does not matter; no other waits for it then. Resolves
     * when the server has accepted it.
     */
    add(send: Send, isOrdered = true): Promise<void> {
      const delivery = isOrdered
        ? last.then(() => deliver(send))
        : deliver(send);
      const settled: Promise<unknown> = delivery
        .catch(() => {})
        .then(() => unsettled.delete(settled));
      unsettled.add(settled);
      if (isOrdered) last = settled;
      return delivery;
    },
    /** Resolves when no message is left, or after a time in milliseconds. */
    idle: (time: number): Promise<unknown> =>
      withTimeout(time, Promise.all(unsettled)),
    /** Cancels the messages that are being sent. */
    drop(error: Error): void {
      for (const giveUp of open) giveUp(error);
    },
  };
}
