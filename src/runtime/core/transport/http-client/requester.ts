import { isTransportError, TransportError } from "../../errors.js";
import { toBase64 } from "../../../../common/base64.js";
import type { Authorization } from "../../ports/authorizer.js";
import { isThenable } from "../../../../common/timing.js";
import type { CallerHeaders } from "../headers.js";
import type { Revision } from "../../tables.js";
import type { Receiver } from "../../ports/transport.js";
import type { HttpClientOptions } from "./options.js";
import {
  type ResponseSink,
  type ClientRequest,
  type Drop,
  fetchRequester,
  type HeaderOf,
  nodeRequester,
  type HttpPlatform,
} from "./requests.js";
import { isLost, type ResponseHandler, ResponseReader, unsentError } from "./response-reader.js";

type Headers = Readonly<Record<string, string>>;

/** Maximum number of redirects of one request. */
const maxRedirects = 5;
/** Maximum number of times that a request with `auth` is sent: a nonce of the server, a new token, and a new scope each take one. */
const maxAttempts = 4;

/** Sends the requests of one client with the headers of its user. Follows redirects within the origin, and repeats a request after a challenge. */
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
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${url.protocol} is not an HTTP address.`);
    const { fetch, headers, maxConnections = 256 } = options;
    this.address = url.origin + url.pathname;
    this.options = options;
    this.#staticHeaders = { ...loginOf(url), ...lowerCase(typeof headers === "object" ? headers : {}) };
    this.receiver = receiver;
    this.#url = new URL(url);
    this.#url.username = this.#url.password = this.#url.hash = "";
    const platform = fetch ? undefined : nodeRequester(url, maxConnections);
    this.#platform = platform ?? fetchRequester(fetch ?? ((...args) => globalThis.fetch(...args)));
    this.authorization = options.auth?.connect(this.#url, (isRunning) => receiver().paused?.(isRunning));
  }

  /** Sends a request. `caller` holds the headers of the user if they are resolved already. */
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
    return this.#platform.request({ ...request, headers: { ...headers, ...request.headers } }, sink);
  }

  /** Calls `receiver.renewed` if requests are authorized by another grant than before. */
  identify(): void {
    const identity = this.authorization?.identity;
    if (identity === this.#identity) return;
    this.#identity = identity;
    this.receiver().renewed?.();
  }

  /** The headers of the user. */
  userHeaders(): Headers | Promise<Headers> {
    const { headers } = this.options;
    return typeof headers === "function" ? this.#callHeaders(headers) : this.#staticHeaders;
  }

  close(): void {
    this.authorization?.close();
    this.#platform.close();
  }

  async #callHeaders(make: () => Headers | PromiseLike<Headers>): Promise<Headers> {
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
    if (status === 0 || (status >= 300 && status < 400)) return this.#redirect(status, header("location"));
    // The process behind a balancer that had the request is gone.
    const drop = this.#drop;
    if (status === 502 && this.#repeat()) return drop?.();
    this.#hasHead = true;
    const { authorization, revision: used } = this.#requester;
    authorization?.answered?.(this.#request, header);
    if (!authorization || (status !== 401 && status !== 403) || this.#attempt >= maxAttempts)
      return this.#reader.head(status, header);
    const attempt = this.#attempt++;
    const { method, url } = this.#request;
    const sent = this.#authHeaders;
    this.#caller = undefined;
    this.#drop?.();
    const revision = used?.revision;
    // The rule on PKCE came with the revision in which streams begin with an event id.
    const mayOmitPkce = used?.opening === "initialize" && used.primedStreams !== true;
    const challenge = { method, url, status, header, sent, call: this, attempt, revision, mayOmitPkce };
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
    if (this.#hasHead || !(isStale || isLost(error)) || !this.#repeat()) this.#reader.end(error);
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
    if (!isThenable(headers) && !isThenable(authHeaders)) return this.#send(headers, authHeaders);
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

  /** Follows a redirect within the origin only, since another server must not get the headers and messages (HTTP-22). */
  #redirect(status: number, location: string | undefined): void {
    const { url, method } = this.#request;
    const target =
      location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    const keepsMethod = status === 307 || status === 308 || method === "GET";
    this.#drop?.();
    if (target?.origin === url.origin && keepsMethod && this.#redirects++ < maxRedirects) {
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
    this.#fail(new TransportError(`${url.origin}${url.pathname} redirects ${reason}.`, { status }));
  }

  /** Ends a request that was not sent, or that the server did not accept. */
  #fail(error: unknown): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#reader.end(unsentError(this.#requester.address, error));
  }
}

function lowerCase(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
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
  return { authorization: `Basic ${toBase64(new TextEncoder().encode(login))}` };
}
