import { jsonRpcCodes } from "../../errors.js";
import { isObject, type JsonObject } from "../../message.js";
import { serve } from "../serve.js";
import type { ServerCore, ServerDefinition } from "../server.js";
import { HttpCarrier, idOf } from "./carrier.js";
import type { HttpOptions } from "./endpoint-options.js";
import { type HttpSession, Sessions } from "./sessions.js";
import { EventLog, EventStore } from "./event-log.js";
import { type Load, turnAway } from "./load.js";
import { type HttpRequest, refuse } from "./exchange.js";
import type { Alone } from "./stateless.js";
import { accepts, headerOf, type Visit } from "./admission.js";

/** HTTP-01: what comes to the servers of revisions that open with a handshake, each client in its session or all alone. */
export class LegacyPosts {
  readonly sessions: Sessions | undefined;
  /** Undefined where there are no sessions. */
  readonly sessionHeader: string | undefined;
  readonly #servers: readonly ServerDefinition[];
  readonly #alone: Alone;
  readonly #load: Load;
  readonly #events: EventStore;

  constructor(servers: readonly ServerDefinition[], alone: Alone, load: Load, options: HttpOptions) {
    const { sessions = true, sessionIdleTime = 1_800_000 } = options;
    this.#servers = servers;
    this.#alone = alone;
    this.#load = load;
    this.#events = new EventStore(load.limits);
    if (!sessions) return;
    this.sessionHeader = servers.map(({ core }) => core.side.revision.headers.session).find(Boolean);
    if (this.sessionHeader) this.sessions = new Sessions(sessionIdleTime, load.limits);
  }

  get isEmpty(): boolean {
    return this.#servers.length === 0;
  }

  /** Does the request name a session, whichever? */
  names(request: HttpRequest): boolean {
    return headerOf(request, this.sessionHeader) !== undefined;
  }

  /** Does it name one that there is? */
  knows(request: HttpRequest): boolean {
    return this.sessions?.has(headerOf(request, this.sessionHeader) ?? "") === true;
  }

  opens(message: unknown): boolean {
    const method = isObject(message) ? message["method"] : undefined;
    return (
      method !== undefined &&
      this.#servers.some(({ core }) => core.side.revision.wellKnown.initialize === method)
    );
  }

  async post(visit: Visit, message: unknown, stated: string | undefined): Promise<void> {
    const { request, response, auth, caller } = visit;
    if (!this.sessions) {
      const core = this.#coreOf(message, stated);
      return this.#alone.post(core, message, response, { auth, isAlone: true }, caller, statusOf);
    }
    if (this.opens(message) && !this.names(request)) return this.#open(visit, message, this.sessions);
    const session = this.#sessionOf(visit, idOf(message));
    if (session && !(isObject(message) && message["id"] === undefined)) session.isFresh = false;
    session?.carrier.post(message, response, { auth });
  }

  /** HTTP-14, SESS-07, SSE-02: GET listens, DELETE ends the session. */
  async visit(visit: Visit): Promise<void> {
    const { request, response } = visit;
    const isGet = request.method === "GET";
    if (isGet && !accepts(request, "text/event-stream")) return response.reply(406);
    const session = this.#sessionOf(visit);
    if (!session) return;
    session.isFresh = false;
    if (!isGet) {
      // Who ends it wants no answers any more.
      await session.carrier.close();
      return response.reply(204);
    }
    const last = request.header("last-event-id");
    if (last === undefined) session.carrier.listen(response);
    else if (!session.carrier.resume(last, response)) {
      refuse(response, 400, "What followed that event is no longer there.");
    }
  }

  /** HTTP-12, VERS-02: the revision that is stated or offered, else the one that states none, else the newest. */
  #coreOf(message: unknown, stated: string | undefined): ServerCore {
    const params = this.opens(message) ? (message as JsonObject)["params"] : undefined;
    const wanted = isObject(params) ? params["protocolVersion"] : stated;
    const found = this.#servers.find(({ core: { side } }) =>
      wanted === undefined
        ? side.revision.headers.session && !side.revision.headers.version
        : side.revision.revision === wanted,
    );
    return (found ?? (this.#servers[0] as ServerDefinition)).core;
  }

  /** SESS-01, SESS-02: there is a session once a revision has been agreed on. */
  async #open({ response, auth, caller }: Visit, message: unknown, sessions: Sessions): Promise<void> {
    const load = this.#load;
    const id = crypto.randomUUID();
    const carrier = new HttpCarrier({
      load,
      caller,
      log: load.limits.sessionEvents === 0 ? undefined : new EventLog(this.#events),
      maxBatch: this.#servers[0]?.core.config.settings.limits?.batch,
      statusOf,
      onOpen: () => {
        response.headers = { ...response.headers, [String(this.sessionHeader)]: id };
        sessions.open(id, { carrier, caller, serving });
      },
    });
    const serving = await serve(carrier, this.#servers);
    if (load.isClosed) return response.reply(503);
    const full = sessions.makeRoom(caller);
    if (full) {
      turnAway(response, full, 10);
      return serving.close();
    }
    void serving.closed.then(() => sessions.delete(id));
    carrier.post(message, response, { auth });
    if (!sessions.has(id)) await carrier.close();
  }

  /** SESS-04, SESS-05: the session of a request, or undefined when the request has been refused for want of one. */
  #sessionOf({ request, response, caller }: Visit, id?: unknown): HttpSession | undefined {
    const name = headerOf(request, this.sessionHeader);
    if (name === undefined)
      return void refuse(response, 400, `The header ${this.sessionHeader} is missing.`, id);
    const session = this.sessions?.use(name, caller);
    return session ?? void refuse(response, 404, "There is no such session.", id);
  }
}

/** Invalid JSON-RPC is answered with HTTP 400 (LIFE-07, HTTP-06, HTTP-21). */
const statusOf = ({ error }: JsonObject): number =>
  isObject(error) &&
  (error["code"] === jsonRpcCodes.INVALID_REQUEST || error["code"] === jsonRpcCodes.PARSE_ERROR)
    ? 400
    : 200;
