import {
  isObject,
  jsonRpcCodes,
  type JsonObject,
  serve,
  type ServerCore,
  type ServerDefinition,
} from "../../index.js";
import { HttpCarrier } from "../../transport/http/carrier.js";
import type { HttpOptions } from "../../transport/http/endpoint-options.js";
import { EventLog } from "../../transport/http/log.js";
import { type HttpSession, Sessions } from "../../transport/http/sessions.js";
import type { Alone } from "./alone.js";
import { accepts, headerOf, idOf, refuse, type Visit } from "./visit.js";

/** HTTP-01: what comes to the servers of revisions that open with a handshake, each client in its session or all alone. */
export class LegacyPosts {
  readonly sessions: Sessions | undefined;
  /** The name of the header that names a session; undefined when none of the revisions has one. */
  readonly sessionHeader: string | undefined;
  readonly #servers: readonly ServerDefinition[];
  readonly #cores: readonly ServerCore[];
  readonly #alone: Alone;
  readonly #options: HttpOptions;

  constructor(servers: readonly ServerDefinition[], alone: Alone, options: HttpOptions) {
    this.#servers = servers;
    this.#cores = servers.map(({ core }) => core);
    this.#alone = alone;
    this.#options = options;
    this.sessionHeader = this.#cores.map(({ side }) => side.revision.headers.session).find(Boolean);
    if (this.sessionHeader && (options.sessions ?? true)) {
      this.sessions = new Sessions(options.sessionIdleTime ?? 1_800_000);
    }
  }

  get isEmpty(): boolean {
    return this.#cores.length === 0;
  }

  opens(message: unknown): boolean {
    const method = isObject(message) ? message["method"] : undefined;
    return method !== undefined && this.#cores.some(({ side }) => side.revision.jobs.initialize === method);
  }

  async post(visit: Visit, message: unknown, stated: string | undefined): Promise<void> {
    const { request, response, headers, auth } = visit;
    if (!this.sessions) {
      const carrier = this.#alone.carry(this.#coreOf(message, stated), { headers, statusOf });
      return carrier.post(message, response, { auth, isAlone: true });
    }
    const isNew = this.opens(message) && headerOf(request, this.sessionHeader) === undefined;
    const session = isNew ? await this.#open(visit, this.sessions) : this.#sessionOf(visit, idOf(message));
    session?.carrier.post(message, response, { auth });
  }

  /** HTTP-14, SESS-07, SSE-02: GET listens, DELETE ends the session. COMPAT-14 */
  async visit(visit: Visit): Promise<void> {
    const { request, response, headers } = visit;
    if (!this.sessions || (request.method !== "GET" && request.method !== "DELETE")) {
      const allow = this.sessions ? "GET, POST, DELETE" : "POST";
      return response.reply(405, { ...headers, allow });
    }
    const isGet = request.method === "GET";
    if (isGet && !accepts(request, "text/event-stream")) return response.reply(406, headers);
    const session = this.#sessionOf(visit);
    if (!session) return;
    if (!isGet) {
      await session.close();
      return response.reply(204, headers);
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

  /** SESS-01, SESS-02 */
  async #open({ response, headers, auth }: Visit, sessions: Sessions): Promise<HttpSession | undefined> {
    const { maxSessions = 10_000, maxEvents, maxWaitingBytes = 4_194_304 } = this.#options;
    if (sessions.size >= maxSessions) return void response.reply(503, { ...headers, "retry-after": "10" });
    const id = crypto.randomUUID();
    const carrier = new HttpCarrier({
      log: maxEvents === 0 ? undefined : new EventLog(this.#options),
      headers: { ...headers, [String(this.sessionHeader).toLowerCase()]: id },
      hasStandalone: true,
      maxWaitingBytes,
      statusOf,
    });
    const serving = await serve(carrier, this.#servers);
    const session = { id, carrier, principal: auth?.principal, close: () => serving.close() };
    sessions.add(session);
    void serving.closed.then(() => sessions.delete(id));
    return session;
  }

  /** SESS-04, SESS-05: the session of a request, or undefined when the request has been refused for want of one. */
  #sessionOf(visit: Visit, id?: unknown): HttpSession | undefined {
    const name = headerOf(visit.request, this.sessionHeader);
    const session = name === undefined ? undefined : this.sessions?.get(name, visit.auth?.principal);
    if (session) return session;
    const [status, text] =
      name === undefined
        ? [400, `The header ${this.sessionHeader} is missing.`]
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
