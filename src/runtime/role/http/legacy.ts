import {
  isObject,
  jsonRpcCodes,
  type JsonObject,
  serve,
  type ServerCore,
  type ServerDefinition,
} from "../../index.js";
import { HttpCarrier, type Load } from "../../transport/http/carrier.js";
import type { HttpOptions } from "../../transport/http/endpoint-options.js";
import { EventLog } from "../../transport/http/log.js";
import { type HttpSession, Sessions } from "../../transport/http/sessions.js";
import type { HttpRequest } from "../../transport/http/wire.js";
import type { Alone } from "./alone.js";
import { accepts, headerOf, idOf, refuse, type Visit } from "./visit.js";

/** What the endpoint has settled for all its sessions. */
export interface LegacyOptions extends HttpOptions {
  readonly maxWaitingBytes: number;
  readonly load: Load;
}

/** HTTP-01: what comes to the servers of revisions that open with a handshake, each client in its session or all alone. */
export class LegacyPosts {
  readonly sessions: Sessions | undefined;
  readonly #sessionHeader: string | undefined;
  readonly #servers: readonly ServerDefinition[];
  readonly #cores: readonly ServerCore[];
  readonly #alone: Alone;
  readonly #options: LegacyOptions;

  /** Without the name of a header for them there are no sessions. */
  constructor(
    servers: readonly ServerDefinition[],
    alone: Alone,
    sessionHeader: string | undefined,
    options: LegacyOptions,
  ) {
    this.#servers = servers;
    this.#cores = servers.map(({ core }) => core);
    this.#alone = alone;
    this.#sessionHeader = sessionHeader;
    this.#options = options;
    if (sessionHeader) this.sessions = new Sessions(options.sessionIdleTime ?? 1_800_000);
  }

  get isEmpty(): boolean {
    return this.#cores.length === 0;
  }

  /** Does the request name a session, whichever? */
  names(request: HttpRequest): boolean {
    return headerOf(request, this.#sessionHeader) !== undefined;
  }

  /** Does it name one that there is? */
  knows(request: HttpRequest): boolean {
    return this.sessions?.has(headerOf(request, this.#sessionHeader)) === true;
  }

  opens(message: unknown): boolean {
    const method = isObject(message) ? message["method"] : undefined;
    return method !== undefined && this.#cores.some(({ side }) => side.revision.jobs.initialize === method);
  }

  async post(visit: Visit, message: unknown, stated: string | undefined): Promise<void> {
    const { request, response, auth } = visit;
    if (!this.sessions) {
      const core = this.#coreOf(message, stated);
      return this.#alone.post(core, message, response, { auth, isAlone: true }, { statusOf });
    }
    if (this.opens(message) && !this.names(request)) return this.#open(visit, message, this.sessions);
    this.#sessionOf(visit, idOf(message))?.carrier.post(message, response, { auth });
  }

  /** HTTP-14, SESS-07, SSE-02: GET listens, DELETE ends the session. */
  async visit(visit: Visit): Promise<void> {
    const { request, response } = visit;
    const isGet = request.method === "GET";
    if (isGet && !accepts(request, "text/event-stream")) return response.reply(406);
    const session = this.#sessionOf(visit);
    if (!session) return;
    if (!isGet) {
      // Who ends it wants no answers any more.
      await session.carrier.close();
      return response.reply(204);
    }
    const last = request.header("last-event-id");
    if (last === undefined) session.carrier.listen(response);
    else if (!session.carrier.resume(last, response)) {
      refuse(visit, 400, jsonRpcCodes.INVALID_REQUEST, "What followed that event is no longer there.");
    }
  }

  /** HTTP-12, VERS-02: the revision that is stated or offered, else the one that states none, else the newest. */
  #coreOf(message: unknown, stated: string | undefined): ServerCore {
    const params = this.opens(message) ? (message as JsonObject)["params"] : undefined;
    const wanted = isObject(params) ? params["protocolVersion"] : stated;
    const found = this.#cores.find(({ side: { revision } }) =>
      wanted === undefined
        ? revision.headers.session && !revision.headers.version
        : revision.revision === wanted,
    );
    return found ?? (this.#cores[0] as ServerCore);
  }

  /** SESS-01, SESS-02: there is a session once a revision has been agreed on. */
  async #open({ response, auth }: Visit, message: unknown, sessions: Sessions): Promise<void> {
    const { maxSessions = 10_000, maxEvents, maxWaitingBytes, load } = this.#options;
    if (sessions.size >= maxSessions) return response.reply(503, { "retry-after": "10" });
    const id = crypto.randomUUID();
    const carrier = new HttpCarrier({
      load,
      log: maxEvents === 0 ? undefined : new EventLog(this.#options),
      hasStandalone: true,
      maxWaitingBytes,
      maxBatch: this.#cores[0]?.host.settings.maxBatch,
      statusOf,
      onOpen: () => {
        response.headers = { ...response.headers, [String(this.#sessionHeader)]: id };
        sessions.add({ id, carrier, principal: auth?.principal, close: () => serving.close() });
      },
    });
    const serving = await serve(carrier, this.#servers);
    if (load.isClosed) return response.reply(503);
    void serving.closed.then(() => sessions.delete(id));
    carrier.post(message, response, { auth });
    if (!sessions.has(id)) await carrier.close();
  }

  /** SESS-04, SESS-05: the session of a request, or undefined when the request has been refused for want of one. */
  #sessionOf(visit: Visit, id?: unknown): HttpSession | undefined {
    const name = headerOf(visit.request, this.#sessionHeader);
    const session = name === undefined ? undefined : this.sessions?.get(name, visit.auth?.principal);
    if (session) return session;
    const [status, text] =
      name === undefined
        ? [400, `The header ${this.#sessionHeader} is missing.`]
        : [404, "There is no such session."];
    return void refuse(visit, status, jsonRpcCodes.INVALID_REQUEST, text, id);
  }
}

/** LIFE-07, HTTP-06, HTTP-21: what is no request is no good HTTP either. */
const statusOf = ({ error }: JsonObject): number =>
  isObject(error) &&
  (error["code"] === jsonRpcCodes.INVALID_REQUEST || error["code"] === jsonRpcCodes.PARSE_ERROR)
    ? 400
    : 200;
