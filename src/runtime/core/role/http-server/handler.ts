import { defaultDrainTime } from "../../jsonrpc/dispatcher.js";
import type { Admission, Rejection } from "../../ports/protection.js";
import { completeReporting, report } from "../../report.js";
import type { ServerSettings } from "../../session/config.js";
import { type Awaitable, settle } from "../../../../common/timing.js";
import type { ServerDefinition } from "../server.js";
import { authOf, callAuthenticate, callerOf, checkAuthOptions } from "./access.js";
import type { HttpOptions } from "./endpoint-options.js";
import {
  type AdmittedRequest,
  headerOf,
  type Health,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  native,
  type NativeHandler,
} from "./exchange.js";
import { type OpenWork, rejectOverLimit } from "./open-work.js";
import { crossOrigin, originError, preflight, withOrigins } from "./origins.js";
import { answerWeb } from "./web.js";

/** The server side of one URL: Streamable HTTP or HTTP+SSE. */
export interface Endpoint {
  /** The HTTP methods that the URL accepts. */
  readonly methods: readonly string[];
  /** The name of the header that holds the id of a session; undefined without sessions. */
  readonly sessionHeader: string | undefined;
  readonly openWork: OpenWork;
  /** Answers a request that was admitted. */
  answer(request: AdmittedRequest): Promise<void> | void;
  /** Sends keep-alives and ends idle sessions. Returns false if nothing is open, or about to be. */
  tick(): boolean;
  /** Ends all sessions and streams normally. Open requests may finish within this time, in milliseconds. Never rejects. */
  close(drainTime: number): Promise<unknown>;
  /** True if a request can only be for this endpoint, when several share the URL. */
  matches?(request: HttpRequest): boolean;
}

/**
 * Creates the handler of an endpoint. Errors go to `onError`; the client only gets a 500.
 *
 * A request is checked in this order. The first check that it does not pass answers it, and no later check runs.
 *
 * | check                                                       | status        | where                      |
 * | ----------------------------------------------------------- | ------------- | -------------------------- |
 * | host and origin (HTTP-08, HTTP-10); a preflight gets 204    | 403           | `answerEarly`              |
 * | HTTP method (COMPAT-14)                                     | 405           | `answerEarly`              |
 * | limit of open requests                                      | 503           | `answerEarly`              |
 * | caller: `authenticate` or `protect`                         | 401, or other | `answerIdentified`         |
 * | limit of the caller's open requests                         | 429           | `answerIdentified`         |
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
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const start = (): void => {
    timer = setInterval(() => endpoint.tick() || stop(), options.keepAliveTime ?? 15_000);
    // The timer must not keep the process alive; in browsers it has no `unref`.
    (timer as { unref?(): void }).unref?.();
  };
  const { authenticate, protect, allowedHosts, allowedOrigins } = options;
  const { methods, openWork, sessionHeader } = endpoint;
  const legacySse = options.legacySse?.[native];
  checkAuthOptions(options, servers);
  const settings: ServerSettings = servers[0]?.core.settings ?? {};
  const { drainTime = defaultDrainTime } = settings;
  const reporting = completeReporting(settings);
  const identify: ((request: HttpRequest) => Awaitable<Admission | Rejection>) | undefined = protect
    ? (request) => protect.admit(request, reporting)
    : authenticate && ((request) => callAuthenticate(authenticate, request.toRequest()));
  const exposed = [sessionHeader, "WWW-Authenticate", protect && "DPoP-Nonce"].filter(Boolean).join(", ");
  const failed: AdmittedRequest["failed"] = (error, response) => {
    report(settings, error, "HTTP");
    response.reply(500);
  };
  /** Answers a request whose message need not be read (HDR-16). Returns true if it did. */
  const answerEarly = (
    request: HttpRequest,
    response: HttpResponse,
    isDelegated: boolean,
    admitted: AdmittedRequest | undefined,
  ): boolean => {
    // A delegate checks hosts and origins only if its own options set them.
    const checksOrigin = !admitted || allowedHosts !== undefined || allowedOrigins !== undefined;
    const reason = checksOrigin ? originError(request, options) : undefined;
    if (reason) {
      response.reply(403, { "content-type": "text/plain; charset=utf-8" }, reason);
      return true;
    }
    const origin = request.header("origin");
    if (origin !== undefined) response.headers = crossOrigin(origin, exposed);
    const full = openWork.fullFor(request.method, admitted?.caller);
    if (request.method === "OPTIONS") response.reply(204, preflight(request, methods));
    // Clients choose the transport by the status that old servers send (COMPAT-14).
    else if (!isDelegated && !methods.includes(request.method))
      response.reply(405, { allow: methods.join(", ") });
    else if (full) rejectOverLimit(response, full);
    else return false;
    return true;
  };
  const answerIdentified = (
    identity: Awaitable<Admission | Rejection>,
    request: HttpRequest,
    response: HttpResponse,
    delegate: NativeHandler | undefined,
  ): Awaitable<void> =>
    // A body that arrives while a promise resolves takes longer to read.
    settle(identity, (found) => {
      if ("status" in found) {
        if ("error" in found) report(settings, found.error, "protect");
        return response.reply(found.status, found.headers, found.text);
      }
      const auth = authOf(found);
      return settle(callerOf(auth, request), (caller) => {
        // Other requests may have arrived meanwhile.
        const full = openWork.fullFor(request.method, caller);
        if (full) return rejectOverLimit(response, full);
        if (found.headers) response.headers = { ...response.headers, ...found.headers };
        return pass({ request, response, auth, caller, protection: protect, failed }, delegate);
      });
    });
  const pass = (admitted: AdmittedRequest, delegate: NativeHandler | undefined): Awaitable<void> => {
    if (delegate) return delegate(admitted.request, admitted.response, admitted);
    if (!timer) start();
    return endpoint.answer(admitted);
  };
  const answer: NativeHandler = (request, response, admitted) => {
    try {
      // A request of an HTTP+SSE client on the same URL goes to `legacySse` (COMPAT-18).
      const isLegacy = legacySse?.matches?.(request) && headerOf(request, sessionHeader) === undefined;
      const delegate = isLegacy ? legacySse : undefined;
      if (answerEarly(request, response, delegate !== undefined, admitted)) return;
      // A handler on the same URL may have checked the token already; a proof is valid only once.
      const isKnown = !identify || (protect && admitted?.protection === protect);
      const work = isKnown
        ? pass(admitted ?? { request, response, auth: undefined, caller: undefined, failed }, delegate)
        : answerIdentified(identify(request), request, response, delegate);
      if (work) Promise.resolve(work).catch((error: unknown) => failed(error, response));
    } catch (error) {
      failed(error, response);
    }
  };
  const matches = (request: HttpRequest): boolean => endpoint.matches?.(request) === true;
  answer.matches = matches;
  const close = async (): Promise<void> => {
    openWork.isClosed = true;
    stop();
    await endpoint.close(drainTime);
  };
  const health = (): Health => ({ isDraining: openWork.isClosed, ...settings.cluster?.health() });
  const handler = (request: Request): Promise<Response> => answerWeb(answer, request);
  return Object.assign(handler, {
    close,
    health,
    drainTime,
    routes: protect?.routes ?? {},
    [native]: answer,
  });
}
