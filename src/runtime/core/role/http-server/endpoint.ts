import { defaultDrainTime } from "../../jsonrpc/dispatcher.js";
import type { HttpCluster, HttpSessions } from "../../ports/http-cluster.js";
import type { Admission, Rejection } from "../../ports/protection.js";
import { completeReporting, report } from "../../report.js";
import type { ServerSettings } from "../../session/config.js";
import { type Awaitable, settle } from "../../../../common/timing.js";
import { byEra, chooseServer, isInitialize, type ServersByEra } from "../serve.js";
import type { ServerDefinition } from "../server.js";
import { authOf, callAuthenticate, callerOf, checkAuthOptions, rejectMissingScopes } from "./access.js";
import type { HttpOptions } from "./endpoint-options.js";
import {
  accepts,
  type AdmittedRequest,
  headerOf,
  type Health,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  native,
  type NativeHandler,
  replyError,
} from "./exchange.js";
import { type Body, OpenWork, readJson, rejectOverLimit } from "./open-work.js";
import { crossOrigin, originError, preflight, withOrigins } from "./origins.js";
import { StatelessRequests } from "./post.js";
import { SessionRequests } from "./sessions.js";
import { answerWeb } from "./web.js";

/** The server side of one URL: Streamable HTTP or HTTP+SSE. */
export interface Endpoint {
  /** The HTTP methods that the URL accepts. */
  readonly methods: readonly string[];
  /** Response headers that pages of other origins may read. */
  readonly exposed: readonly string[];
  readonly openWork: OpenWork;
  /** Answers a request that was admitted. */
  answer(request: AdmittedRequest): Promise<void> | void;
  /** Sends keep-alives and ends idle sessions. Returns false if nothing is open, or about to be. */
  tick(): boolean;
  /** Ends all sessions and streams normally. Never rejects. */
  close(): Promise<unknown>;
  /** True if a request can only be for this endpoint, when several share the URL. */
  matches?(request: HttpRequest): boolean;
  /** The other handler on the same URL that answers a request, after this one admitted it. */
  delegate?(request: HttpRequest): NativeHandler | undefined;
}

/** How long the open requests of these servers may take when they close, in milliseconds. */
export const drainTimeOf = ([first]: readonly ServerDefinition[]): number =>
  first?.core.settings.drainTime ?? defaultDrainTime;

/** Creates the handler of an endpoint. Errors go to `onError`; the client only gets a 500. */
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
  const { authenticate, protect } = options;
  checkAuthOptions(options, servers);
  const settings: ServerSettings = servers[0]?.core.settings ?? {};
  const reporting = completeReporting(settings);
  const identify: ((request: HttpRequest) => Awaitable<Admission | Rejection>) | undefined = protect
    ? (request) => protect.admit(request, reporting)
    : authenticate && ((request) => callAuthenticate(authenticate, request.toRequest()));
  const failed: AdmittedRequest["failed"] = (error, response) => {
    report(settings, error, "HTTP");
    response.reply(500);
  };
  /** Passes an admitted request to the endpoint. */
  const pass = (admitted: AdmittedRequest, delegate: NativeHandler | undefined): Awaitable<void> => {
    if (delegate) return delegate(admitted.request, admitted.response, admitted);
    if (!timer) start();
    return endpoint.answer(admitted);
  };
  const identified = (
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
        const full = endpoint.openWork.fullFor(request.method, caller);
        if (full) return rejectOverLimit(response, full);
        if (found.headers) response.headers = { ...response.headers, ...found.headers };
        return pass({ request, response, auth, caller, protection: protect, failed }, delegate);
      });
    });
  const answer: NativeHandler = (request, response, admitted) => {
    try {
      const delegate = endpoint.delegate?.(request);
      if (rejectEarly(request, response, options, endpoint, delegate !== undefined, admitted)) return;
      // A handler on the same URL may have checked the token already; a proof is valid only once.
      const isKnown = !identify || (protect && admitted?.protection === protect);
      const work = isKnown
        ? pass(admitted ?? { request, response, auth: undefined, caller: undefined, failed }, delegate)
        : identified(identify(request), request, response, delegate);
      if (work) Promise.resolve(work).catch((error: unknown) => failed(error, response));
    } catch (error) {
      failed(error, response);
    }
  };
  const matches = (request: HttpRequest): boolean => endpoint.matches?.(request) === true;
  answer.matches = matches;
  const close = async (): Promise<void> => {
    endpoint.openWork.isClosed = true;
    stop();
    await endpoint.close();
  };
  const health = (): Health => ({ isDraining: endpoint.openWork.isClosed, ...settings.cluster?.health() });
  const handler = (request: Request): Promise<Response> => answerWeb(answer, request);
  const drainTime = drainTimeOf(servers);
  return Object.assign(handler, {
    close,
    health,
    drainTime,
    routes: protect?.routes ?? {},
    [native]: answer,
  });
}

/**
 * Answers a request whose message need not be read: from a foreign origin, a preflight, with an unknown HTTP method, or above a limit
 * (HDR-16). Returns true if it did. A delegate checks hosts and origins only if its own options set them.
 */
function rejectEarly(
  request: HttpRequest,
  response: HttpResponse,
  options: HttpOptions,
  { methods, exposed, openWork }: Endpoint,
  isDelegated: boolean,
  admitted: AdmittedRequest | undefined,
): boolean {
  const checksOrigin =
    !admitted || options.allowedHosts !== undefined || options.allowedOrigins !== undefined;
  const reason = checksOrigin ? originError(request, options) : undefined;
  if (reason) {
    response.reply(403, { "content-type": "text/plain; charset=utf-8" }, reason);
    return true;
  }
  const origin = request.header("origin");
  if (origin !== undefined) response.headers = crossOrigin(origin, exposed, options.protect !== undefined);
  const full = openWork.fullFor(request.method, admitted?.caller);
  if (request.method === "OPTIONS") response.reply(204, preflight(request, methods));
  // Clients choose the transport by the status that old servers send (COMPAT-14).
  else if (!isDelegated && !methods.includes(request.method))
    response.reply(405, { allow: methods.join(", ") });
  else if (full) rejectOverLimit(response, full);
  else return false;
  return true;
}

/**
 * Creates a function that answers the web requests of one URL, for clients of all given revisions. `servers` is one server, or
 * one for each revision, the newest first.
 *
 * @throws TypeError if there is no server, and if a tool, prompt or resource has scopes but nobody authenticates callers.
 */
export function createHttpHandler(
  servers: ServerDefinition | readonly ServerDefinition[],
  options: HttpOptions = {},
): HttpHandler {
  const all = [servers].flat();
  if (all.length === 0) throw new TypeError("createHttpHandler: there is no server to serve.");
  return makeHandler(all, options, new StreamableEndpoint(all, options));
}

/** The endpoint of one URL, for clients of both eras. */
class StreamableEndpoint implements Endpoint {
  readonly methods: readonly string[];
  readonly exposed: readonly string[];
  readonly openWork: OpenWork;
  readonly #legacySse: HttpHandler | undefined;
  readonly #servers: ServersByEra;
  readonly #versionHeader: string | undefined;
  /** The revision of requests without that header (HTTP-12); if undefined, the newest legacy revision. */
  readonly #defaultRevision: string | undefined;
  readonly #stateless: StatelessRequests;
  readonly #drainTime: number;
  /** The sessions of this process. Undefined if there are none. */
  readonly #own: SessionRequests | undefined;
  /** The same, or those of a cluster. */
  readonly #sessions: HttpSessions | undefined;
  readonly #cluster: ReturnType<HttpCluster["enter"]> | undefined;

  constructor(servers: readonly ServerDefinition[], options: HttpOptions) {
    const { limits, sessions = true, sessionIdleTime, legacySse } = options;
    this.#servers = byEra(servers.map(({ core }) => core));
    this.openWork = new OpenWork(limits);
    this.#stateless = new StatelessRequests(this.#servers.supported, this.openWork);
    this.#legacySse = legacySse;
    this.#drainTime = drainTimeOf(servers);
    const revisions = servers.map(({ core }) => core.side.revision);
    this.#versionHeader = revisions.map(({ headers }) => headers.version).find(Boolean);
    this.#defaultRevision = revisions.find(({ headers }) => headers.session && !headers.version)?.revision;
    const legacy = servers.filter(({ core }) => this.#servers.legacy.includes(core));
    const header = legacy.map(({ core }) => core.side.revision.headers.session).find(Boolean);
    // `cluster` makes both kinds.
    const { cluster = servers[0]?.core.settings.cluster as HttpCluster | undefined } = options;
    if (sessions && header) this.#own = new SessionRequests(legacy, header, this.openWork, sessionIdleTime);
    this.#cluster = cluster?.enter(servers, this.#own);
    this.#sessions = this.#cluster?.sessions ?? this.#own;
    this.methods = this.#sessions?.methods ?? ["POST"];
    this.exposed = this.#own ? [this.#own.header] : [];
  }

  /** A request of an HTTP+SSE client on the same URL goes to `legacySse` (COMPAT-18). */
  delegate(request: HttpRequest): NativeHandler | undefined {
    const other = this.#legacySse?.[native];
    const hasSession = headerOf(request, this.#own?.header) !== undefined;
    return other?.matches?.(request) && !hasSession ? other : undefined;
  }

  answer(admitted: AdmittedRequest): Promise<void> | void {
    const { request, response } = admitted;
    if (request.method === "POST") {
      // A client must accept both media types (HTTP-03).
      if (accepts(request, "application/json") && accepts(request, "text/event-stream"))
        return readJson(admitted, this.openWork, this.#message);
      return replyError(response, 406, "Expected Accept: application/json, text/event-stream.");
    }
    if (!this.#isSupported(headerOf(request, this.#versionHeader), response)) return;
    return request.method === "GET" ? this.#sessions?.get(admitted) : this.#sessions?.delete(admitted);
  }

  tick(): boolean {
    this.#stateless.keepAlive();
    const hasSessions = this.#sessions?.keepAlive() ?? false;
    return hasSessions || !this.openWork.isIdle;
  }

  close(): Promise<unknown> {
    const drained = [this.#legacySse?.close(), this.#own?.close(), this.#stateless.drain(this.#drainTime)];
    return Promise.all(drained).then(() => this.#cluster?.leave());
  }

  readonly #message = (admitted: AdmittedRequest, body: Body): Promise<void> | void => {
    const { message } = body;
    const servers = this.#servers;
    const headerRevision = headerOf(admitted.request, this.#versionHeader);
    const core = chooseServer(servers, message, {
      headerRevision: headerRevision ?? this.#defaultRevision,
      isInSession: this.#sessions?.knows(admitted.request) === true,
    });
    const { protection } = admitted;
    if (protection && rejectMissingScopes(admitted, protection, [core], message)) return;
    const isModern = core.side.revision.opening === "per-request";
    if (!isModern && !this.#isSupported(headerRevision, admitted.response)) return;
    if (!isModern && this.#sessions)
      return this.#sessions.post(admitted, body, isInitialize(servers, message));
    this.#stateless.serve(core, body, admitted);
  };

  /** Rejects a request whose header names an unsupported revision (HTTP-13). */
  #isSupported(headerRevision: string | undefined, response: HttpResponse): boolean {
    const { supported } = this.#servers;
    if (headerRevision === undefined || supported.includes(headerRevision)) return true;
    const text = `Revision ${JSON.stringify(headerRevision)} is not supported; this server supports ${supported.join(", ")}.`;
    replyError(response, 400, text);
    return false;
  }
}
