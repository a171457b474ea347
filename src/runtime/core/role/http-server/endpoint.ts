import type { HttpCluster, HttpSessions } from "../../ports/http-cluster.js";
import {
  byEra,
  chooseServer,
  isInitialize,
  type ServersByEra,
} from "../serve.js";
import type { ServerDefinition } from "../server.js";
import { rejectMissingScopes } from "./access.js";
import { type HttpOptions, type Endpoint, makeHandler } from "./handler.js";
import {
  accepts,
  type AdmittedRequest,
  headerOf,
  type HttpHandler,
  replyError,
} from "./exchange.js";
import { type Body, OpenWork, readJson } from "./open-work.js";
import { StatelessRequests } from "./post.js";
import { SessionRequests } from "./sessions.js";

/**
 * Creates a function that answers the web requests of one URL, for clients of
 * all given revisions. `servers` is one server, or one for each revision, the
 * newest first.
 *
 * @throws TypeError if there is no server, and if a tool, prompt or resource
 *   has scopes but nobody authenticates callers.
 */
export function createHttpHandler(
  servers: ServerDefinition | readonly ServerDefinition[],
  options: HttpOptions = {},
): HttpHandler {
  const all = [servers].flat();
  if (all.length === 0)
    throw new TypeError("createHttpHandler: there is no server to serve.");
  return makeHandler(all, options, new StreamableEndpoint(all, options));
}

/** The endpoint of one URL, for clients of both eras. */
class StreamableEndpoint implements Endpoint {
  readonly methods: readonly string[];
  readonly sessionHeader: string | undefined;
  readonly openWork: OpenWork;
  readonly #legacySse: HttpHandler | undefined;
  readonly #servers: ServersByEra;
  readonly #versionHeader: string | undefined;
  /**
   * The revision of requests without that header (HTTP-12); if undefined, the
   * newest legacy revision.
   */
  readonly #defaultRevision: string | undefined;
  readonly #stateless: StatelessRequests;
  /** The sessions of this process. Undefined if there are none. */
  readonly #own: SessionRequests | undefined;
  /** The same, or those of a cluster. */
  readonly #sessions: HttpSessions | undefined;
  readonly #cluster: ReturnType<HttpCluster["enter"]> | undefined;

  constructor(servers: readonly ServerDefinition[], options: HttpOptions) {
    const { limits, sessions = true, sessionIdleTime, legacySse } = options;
    this.#servers = byEra(servers.map(({ core }) => core));
    this.openWork = new OpenWork(limits);
    this.#stateless = new StatelessRequests(
      this.#servers.supported,
      this.openWork,
    );
    this.#legacySse = legacySse;
    const revisions = servers.map(({ core }) => core.side.revision);
    this.#versionHeader = revisions
      .map(({ headers }) => headers.version)
      .find(Boolean);
    this.#defaultRevision = revisions.find(
      ({ headers }) => headers.session && !headers.version,
    )?.revision;
    const legacy = servers.filter(({ core }) =>
      this.#servers.legacy.includes(core),
    );
    const header = legacy
      .map(({ core }) => core.side.revision.headers.session)
      .find(Boolean);
    // `cluster` makes both kinds.
    const {
      cluster = servers[0]?.core.settings.cluster as HttpCluster | undefined,
    } = options;
    if (sessions && header)
      this.#own = new SessionRequests(
        legacy,
        header,
        this.openWork,
        sessionIdleTime,
      );
    this.#cluster = cluster?.enter(servers, this.#own);
    this.#sessions = this.#cluster?.sessions ?? this.#own;
    this.methods = this.#sessions?.methods ?? ["POST"];
    this.sessionHeader = this.#own?.header;
  }

  answer(admitted: AdmittedRequest): Promise<void> | void {
    const { request, response } = admitted;
    if (request.method === "POST") {
      // A client must accept both media types (HTTP-03).
      if (accepts(request, "json") && accepts(request, "eventStream"))
        return readJson(admitted, this.openWork, this.#message);
      return replyError(
        response,
        406,
        "Expected Accept: application/json, text/event-stream.",
      );
    }
    if (!this.#isSupported(headerOf(request, this.#versionHeader), admitted))
      return;
    return request.method === "GET"
      ? this.#sessions?.get(admitted)
      : this.#sessions?.delete(admitted);
  }

  tick(): boolean {
    this.#stateless.keepAlive();
    const hasSessions = this.#sessions?.keepAlive() ?? false;
    return hasSessions || !this.openWork.isIdle;
  }

  close(drainTime: number): Promise<unknown> {
    const drained = [
      this.#legacySse?.close(),
      this.#own?.close(),
      this.#stateless.drain(drainTime),
    ];
    return Promise.all(drained).then(() => this.#cluster?.leave());
  }

  readonly #message = (
    admitted: AdmittedRequest,
    body: Body,
  ): Promise<void> | void => {
    const { message } = body;
    const servers = this.#servers;
    const headerRevision = headerOf(admitted.request, this.#versionHeader);
    const isInSession = this.#sessions?.knows(admitted.request) === true;
    const core = chooseServer(
      servers,
      message,
      headerRevision ?? this.#defaultRevision,
      isInSession,
    );
    const { protection } = admitted;
    if (
      protection &&
      rejectMissingScopes(admitted, protection, [core], message)
    )
      return;
    const isModern = core.side.revision.opening === "per-request";
    if (!isModern && !this.#isSupported(headerRevision, admitted)) return;
    if (!isModern && this.#sessions)
      return this.#sessions.post(
        admitted,
        body,
        isInitialize(servers, message),
      );
    this.#stateless.serve(core, body, admitted);
  };

  /** Rejects a request whose header names an unsupported revision (HTTP-13). */
  #isSupported(
    headerRevision: string | undefined,
    { response }: AdmittedRequest,
  ): boolean {
    const { supported } = this.#servers;
    if (headerRevision === undefined || supported.includes(headerRevision))
      return true;
    const text = `Revision ${JSON.stringify(headerRevision)} is not supported; this server supports ${supported.join(", ")}.`;
    replyError(response, 400, text);
    return false;
  }
}
