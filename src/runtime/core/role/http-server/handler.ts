import { defaultDrainTime } from "../../jsonrpc/dispatcher.js";
import type {
  Admission,
  Rejection,
  Protection,
} from "../../ports/protection.js";
import { completeReporting, report } from "../../report.js";
import type { ServerSettings } from "../../session/config.js";
import { type Awaitable, settle } from "../../../../common/timing.js";
import type { ServerDefinition } from "../server.js";
import {
  authOf,
  callAuthenticate,
  callerOf,
  checkAuthOptions,
  type Authenticate,
} from "./access.js";
import {
  type AdmittedRequest,
  headerOf,
  type Health,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  native,
  type NativeHandler,
  type DisconnectListener,
  type HttpHeaders,
  type IncomingBody,
  urlOf,
  rejectOverLimit,
} from "./exchange.js";
import { type OpenWork, type HttpLimits } from "./open-work.js";
import {
  crossOrigin,
  originCheck,
  preflight,
  withOrigins,
  type OriginOptions,
} from "./origins.js";
import type { HttpCluster } from "../../ports/http-cluster.js";

/** Options of every HTTP endpoint. */
interface EndpointOptions extends OriginOptions {
  /**
   * Returns the caller as a plain object such as `{ principal: "ada" }`, or the
   * `Response` that rejects the request, such as 401 with `WWW-Authenticate`.
   * Anything else is answered with 500 and reported to `onError`. Called for
   * every request, before `legacySse`. Without a `principal`, a session belongs
   * to the Authorization header that opened it.
   */
  readonly authenticate?: Authenticate | undefined;
  /**
   * Accepts only requests with an access token: `protect` of
   * `@mcpgen/auth/protect`. Excludes `authenticate`.
   */
  readonly protect?: Protection | undefined;
  /** Limits for all clients together. */
  readonly limits?: HttpLimits | undefined;
  /**
   * The interval of keep-alive comments on open streams, in milliseconds;
   * 15,000 by default.
   */
  readonly keepAliveTime?: number | undefined;
}

/** Options of `createHttpHandler`. */
export interface HttpOptions extends EndpointOptions {
  /**
   * True, the default, to open a session for clients that send `initialize`.
   * Without sessions, the server cannot send requests or announcements to these
   * clients, and any process can answer any request.
   */
  readonly sessions?: boolean | undefined;
  /**
   * The time after which an unused session ends, in milliseconds; 1,800,000 by
   * default. In a cluster only this process forgets it then: see `sessionTime`
   * of `cluster`.
   */
  readonly sessionIdleTime?: number | undefined;
  /**
   * The cluster of the servers, which they have as an option too: `cluster` of
   * `@mcpgen/runtime/cluster`.
   */
  readonly cluster?: HttpCluster | undefined;
  /**
   * The handler of `createSseHandler` for clients of HTTP+SSE on the same URL;
   * none by default. Closing this handler closes both.
   */
  readonly legacySse?: HttpHandler | undefined;
}

/** Options of `createSseHandler`. */
export interface SseOptions extends EndpointOptions {
  /**
   * The path or URL that clients use for their POSTs; by default the URL of the
   * stream.
   */
  readonly postUrl?: string | undefined;
}

/** The server side of one URL: Streamable HTTP or HTTP+SSE. */
export interface Endpoint {
  /** The HTTP methods that the URL accepts. */
  readonly methods: readonly string[];
  /**
   * The name of the header that holds the id of a session; undefined without
   * sessions.
   */
  readonly sessionHeader: string | undefined;
  readonly openWork: OpenWork;
  /** Answers a request that was admitted. */
  answer(request: AdmittedRequest): Promise<void> | void;
  /**
   * Sends keep-alives and ends idle sessions. Returns false if nothing is open,
   * or about to be.
   */
  tick(): boolean;
  /**
   * Ends all sessions and streams normally. Open requests may finish within
   * this time, in milliseconds. Never rejects.
   */
  close(drainTime: number): Promise<unknown>;
  /**
   * True if a request can only be for this endpoint, when several share the
   * URL.
   */
  matches?(request: HttpRequest): boolean;
}

/**
 * Creates the handler of an endpoint. Errors go to `onError`; the client only
 * gets a 500.
 *
 * A request is checked in this order. The first check that it does not pass
 * answers it, and no later check runs.
 *
 * | check                                                       | status        | where                      |
 * | ----------------------------------------------------------- | ------------- | -------------------------- |
 * | host and origin (HTTP-08, HTTP-10); a preflight gets 204    | 403           | `earlyAnswers`             |
 * | HTTP method (COMPAT-14)                                     | 405           | `earlyAnswers`             |
 * | limit of open requests                                      | 503           | `earlyAnswers`             |
 * | caller: `authenticate` or `protect`                         | 401, or other | `identifier`               |
 * | limit of the caller's open requests                         | 429           | `identifier`               |
 * | Accept (HTTP-03)                                            | 406           | `StreamableEndpoint`       |
 * | Content-Type, Content-Encoding (HTTP-04)                    | 415           | `readJson`                 |
 * | length of the body, and of all bodies                       | 413, 429, 503 | `Body`                     |
 * | UTF-8 and JSON (HTTP-21)                                    | 400           | `Body`                     |
 * | scopes of the message (AUTH-56)                             | 403           | `StreamableEndpoint`       |
 * | revision in the header (HTTP-13)                            | 400           | `StreamableEndpoint`       |
 * | session (SESS-04, SESS-05)                                  | 400, 404      | `SessionRequests`          |
 * | headers that repeat the message (HTTP-40, HTTP-41)          | 400           | `StatelessRequests`        |
 * | id that is in use (JRPC-03)                                 | 400           | `openPost`                 |
 * | limits of the requests in the body                          | 429, 503      | `openPost`                 |
 * | JSON-RPC, method, params: answered as a message             | see `statusOf` | `Connection`, the engines |
 */
export function makeHandler(
  servers: readonly ServerDefinition[],
  declared: HttpOptions,
  endpoint: Endpoint,
): HttpHandler {
  const options = withOrigins(declared);
  const { protect } = options;
  const { openWork, sessionHeader } = endpoint;
  const legacySse = options.legacySse?.[native];
  checkAuthOptions(options, servers);
  const settings: ServerSettings = servers[0]?.core.settings ?? {};
  const { drainTime = defaultDrainTime } = settings;
  const answerEarly = earlyAnswers(endpoint, options, settings);
  const ticking = ticker(endpoint, options.keepAliveTime);
  const failed: AdmittedRequest["failed"] = (error, response) => {
    report(settings, error, "HTTP");
    response.reply(500);
  };
  const identified = identifier(options, openWork, settings, failed);
  const pass: Pass = (admitted, delegate) => {
    if (delegate)
      return delegate(admitted.request, admitted.response, admitted);
    ticking.start();
    return endpoint.answer(admitted);
  };
  const answer: NativeHandler = (request, response, admitted) => {
    try {
      // A request of an HTTP+SSE client on the same URL goes to `legacySse`
      // (COMPAT-18).
      const isLegacy =
        legacySse?.matches?.(request) &&
        headerOf(request, sessionHeader) === undefined;
      const delegate = isLegacy ? legacySse : undefined;
      if (answerEarly(request, response, delegate !== undefined, admitted))
        return;
      // A handler on the same URL may have checked the token already; a proof
      // is valid only once.
      const isKnown =
        !identified || (protect && admitted?.protection === protect);
      const work = isKnown
        ? pass(
            admitted ?? {
              request,
              response,
              auth: undefined,
              caller: undefined,
              failed,
            },
            delegate,
          )
        : identified(request, response, pass, delegate);
      if (work)
        Promise.resolve(work).catch((error: unknown) =>
          failed(error, response),
        );
    } catch (error) {
      failed(error, response);
    }
  };
  const matches = (request: HttpRequest): boolean =>
    endpoint.matches?.(request) === true;
  answer.matches = matches;
  const close = async (): Promise<void> => {
    openWork.isClosed = true;
    ticking.stop();
    await endpoint.close(drainTime);
  };
  const health = (): Health => ({
    isDraining: openWork.isClosed,
    ...settings.cluster?.health(),
  });
  const handler = (request: Request): Promise<Response> =>
    answerWeb(answer, request);
  return Object.assign(handler, {
    close,
    health,
    drainTime,
    routes: protect?.routes ?? {},
    [native]: answer,
  });
}

/** Passes a request to the endpoint, or to the handler that shares its URL. */
type Pass = (
  admitted: AdmittedRequest,
  delegate: NativeHandler | undefined,
) => Awaitable<void>;

/**
 * A function that passes a request on once its caller is known, or rejects it.
 * Undefined if any caller may send requests.
 */
function identifier(
  { authenticate, protect }: HttpOptions,
  openWork: OpenWork,
  settings: ServerSettings,
  failed: AdmittedRequest["failed"],
) {
  const reporting = completeReporting(settings);
  const identify:
    ((request: HttpRequest) => Awaitable<Admission | Rejection>) | undefined =
    protect
      ? (request) => protect.admit(request, reporting)
      : authenticate &&
        ((request) => callAuthenticate(authenticate, request.toRequest()));
  if (!identify) return undefined;
  return (
    request: HttpRequest,
    response: HttpResponse,
    pass: Pass,
    delegate: NativeHandler | undefined,
  ): Awaitable<void> =>
    // A body that arrives while a promise resolves takes longer to read.
    settle(identify(request), (found) => {
      if ("status" in found) {
        if ("error" in found) report(settings, found.error, "protect");
        return response.reply(found.status, found.headers, found.text);
      }
      const auth = authOf(found);
      return settle(callerOf(auth, request), (caller) => {
        // Other requests may have arrived meanwhile.
        const full = openWork.fullFor(request.method, caller);
        if (full) return rejectOverLimit(response, full);
        if (found.headers)
          response.headers = { ...response.headers, ...found.headers };
        return pass(
          { request, response, auth, caller, protection: protect, failed },
          delegate,
        );
      });
    });
}

/**
 * Sends keep-alives from the first request on, until nothing is open. An idle
 * server has no timer.
 */
function ticker(endpoint: Endpoint, time = 15_000) {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const start = (): void => {
    if (timer) return;
    timer = setInterval(() => endpoint.tick() || stop(), time);
    // The timer must not keep the process alive; in browsers it has no `unref`.
    (timer as { unref?(): void }).unref?.();
  };
  return { start, stop };
}

/**
 * A function that answers a request whose message need not be read (HDR-16).
 * Returns true if it did.
 */
function earlyAnswers(
  { methods, openWork, sessionHeader }: Endpoint,
  options: HttpOptions,
  settings: ServerSettings,
) {
  const { protect, allowedHosts, allowedOrigins } = options;
  const exposed = [sessionHeader, "WWW-Authenticate", protect && "DPoP-Nonce"]
    .filter(Boolean)
    .join(", ");
  const originError = originCheck(options, settings);
  return (
    request: HttpRequest,
    response: HttpResponse,
    isDelegated: boolean,
    admitted: AdmittedRequest | undefined,
  ): boolean => {
    // A delegate checks hosts and origins only if its own options set them.
    const reason =
      (!admitted || allowedHosts || allowedOrigins) && originError(request);
    if (reason) {
      response.reply(
        403,
        { "content-type": "text/plain; charset=utf-8" },
        reason,
      );
      return true;
    }
    const origin = request.header("origin");
    if (origin !== undefined) response.headers = crossOrigin(origin, exposed);
    const full = openWork.fullFor(request.method, admitted?.caller);
    if (request.method === "OPTIONS")
      response.reply(204, preflight(request, methods));
    // Clients choose the transport by the status that old servers send
    // (COMPAT-14).
    else if (!isDelegated && !methods.includes(request.method))
      response.reply(405, { allow: methods.join(", ") });
    else if (full) rejectOverLimit(response, full);
    else return false;
    return true;
  };
}

/** Answers a web `Request`. */
function answerWeb(answer: NativeHandler, request: Request): Promise<Response> {
  return new Promise((resolve) =>
    answer(webRequest(request), new WebResponse(request.signal, resolve)),
  );
}

function webRequest(request: Request): HttpRequest {
  const { method, url, headers } = request;
  return {
    method,
    url,
    header: (name) =>
      headers.get(name) ?? (name === "host" ? urlOf(url).host : undefined),
    read: (body) => void readAll(request.body, body),
    toRequest: () => new Request(url, { method, headers }),
  };
}

async function readAll(
  stream: ReadableStream<Uint8Array> | null,
  body: IncomingBody,
): Promise<void> {
  const reader = stream?.getReader();
  const cancel = (): void => void reader?.cancel().catch(ignore);
  body.cancel = cancel;
  try {
    for (
      let part = await reader?.read();
      part?.value;
      part = await reader?.read()
    )
      body.add(part.value);
    body.complete();
  } catch (error) {
    body.fail(error as Error);
  }
}

class WebResponse implements HttpResponse {
  headers: HttpHeaders = {};
  refuse: HttpResponse["refuse"];
  onEnd: (() => void) | undefined;
  hasEnded = false;
  readonly #resolve: (response: Response) => void;
  readonly #signal: AbortSignal;
  #onDisconnect: DisconnectListener | undefined;
  #out: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #isDisconnected = false;

  constructor(signal: AbortSignal, resolve: (response: Response) => void) {
    this.#resolve = resolve;
    this.#signal = signal;
    if (signal.aborted) this.#disconnect();
    else signal.addEventListener("abort", this.#disconnect);
  }

  set onDisconnect(listener: DisconnectListener) {
    this.#onDisconnect = listener;
    if (this.#isDisconnected) listener.disconnected();
  }

  reply(status: number, headers?: HttpHeaders, body?: string): void {
    this.#end();
    this.#respond(body ?? null, status, headers);
  }

  disconnect(): void {
    this.#disconnect();
    this.#out?.close().catch(ignore);
  }

  stream(headers: HttpHeaders): void {
    const strategy = new ByteLengthQueuingStrategy({
      highWaterMark: highWater,
    });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
      {},
      strategy,
    );
    this.#out = writable.getWriter();
    this.#out.closed.catch(this.#disconnect);
    this.#respond(readable, 200, headers);
  }

  get waiting(): number {
    return this.hasEnded
      ? 0
      : highWater - (this.#out?.desiredSize ?? highWater);
  }

  write(text: string): Promise<void> | undefined {
    const out = this.#out;
    if (this.hasEnded || !out) return undefined;
    out.write(new TextEncoder().encode(text)).catch(ignore);
    return (out.desiredSize ?? 1) > 0 ? undefined : out.ready.catch(ignore);
  }

  end(byForce?: boolean): void {
    if (this.hasEnded) return;
    this.#end();
    const closing = byForce
      ? this.#out?.abort(new Error("The client reads too slowly."))
      : this.#out?.close();
    closing?.catch(ignore);
  }

  #respond(
    body: string | ReadableStream | null,
    status: number,
    headers?: HttpHeaders,
  ): void {
    this.#resolve(
      new Response(body, { status, headers: { ...this.headers, ...headers } }),
    );
  }

  #end(): void {
    this.hasEnded = true;
    this.#signal.removeEventListener("abort", this.#disconnect);
    this.onEnd?.();
  }

  #disconnect = (): void => {
    if (this.hasEnded) return;
    this.#end();
    this.#isDisconnected = true;
    this.#onDisconnect?.disconnected();
    // The platform still waits for a response, although the client has gone.
    this.#respond(null, 499);
  };
}

const ignore = (): void => {};

/**
 * The number of bytes that a stream buffers before `write` returns a promise.
 */
const highWater = 65_536;
