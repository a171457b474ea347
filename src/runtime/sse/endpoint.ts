import type { ServerSessionConfig } from "../core/session/config.js";
import { countingTransport } from "../core/role/http-server/counting-transport.js";
import { Load, readJson, rejectOverLimit } from "../core/role/http-server/load.js";
import { endWithToken, rejectMissingScopes } from "../core/role/http-server/access.js";
import { type Endpoint, makeHandler } from "../core/role/http-server/endpoint.js";
import { Quota } from "../core/quota.js";
import { serve, type Serving } from "../core/role/serve.js";
import type { ServerDefinition } from "../core/role/server.js";
import type { SseOptions } from "../core/role/http-server/endpoint-options.js";
import type { Auth } from "../core/ports/transport.js";
import { SseTransport } from "./server-transport.js";
import {
  accepts,
  type AdmittedRequest,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  replyError,
  urlOf,
} from "../core/role/http-server/exchange.js";

/**
 * Creates a function that answers the web requests of HTTP+SSE clients: a GET opens a stream, whose first event names the URL for
 * messages. Serve it at its own URL, or pass it as the option `legacySse` of `createHttpHandler`.
 *
 * @throws TypeError if no server has a revision with `initialize`, which HTTP+SSE requires, and if a tool, prompt or resource has scopes
 * but nobody authenticates callers.
 */
export function createSseHandler(
  servers: ServerDefinition | readonly ServerDefinition[],
  options: SseOptions = {},
): HttpHandler {
  const fit = [servers].flat().filter(({ core }) => core.side.revision.opening === "initialize");
  if (fit.length === 0)
    throw new TypeError(
      "createSseHandler: no server has a revision with `initialize`, which HTTP+SSE requires.",
    );
  return makeHandler(fit, options, new SseEndpoint(fit, options));
}

interface SseSession {
  readonly transport: SseTransport;
  /** The response with the stream. */
  readonly stream: HttpResponse;
  /** The caller, with the token of the client that ends last. */
  auth: Auth | undefined;
  /** The key of the client: see `callerOf` (SESS-08). One without credentials gets the key of the first that it sends. */
  caller: string | undefined;
  readonly serving: Serving;
}

class SseEndpoint implements Endpoint {
  readonly methods: readonly string[] = ["GET", "POST"];
  readonly exposed: readonly string[] = [];
  readonly load: Load;
  readonly #quota: Quota;
  readonly #servers: readonly ServerDefinition[];
  readonly #cores: readonly ServerSessionConfig[];
  readonly #options: SseOptions;
  readonly #sessions = new Map<string, SseSession>();

  constructor(servers: readonly ServerDefinition[], options: SseOptions) {
    this.#servers = servers;
    this.#cores = servers.map(({ core }) => core);
    this.#options = options;
    this.load = new Load(options.limits);
    this.#quota = new Quota(this.load.limits.sessions, 10);
  }

  matches(request: HttpRequest): boolean {
    if (request.method === "GET") return accepts(request, "text/event-stream");
    return request.method === "POST" && urlOf(request.url).searchParams.has(idParam);
  }

  answer(admitted: AdmittedRequest): Promise<void> | void {
    return admitted.request.method === "GET" ? this.#open(admitted) : this.#post(admitted);
  }

  tick(): boolean {
    for (const { transport } of this.#sessions.values()) transport.keepAlive();
    return this.#sessions.size > 0;
  }

  close(): Promise<unknown> {
    return Promise.all([...this.#sessions.values()].map(({ serving }) => serving.close()));
  }

  /** Opens a session and its stream (HSSE-01). */
  async #open(admitted: AdmittedRequest): Promise<void> {
    const { request, response, auth, caller } = admitted;
    const { postUrl } = this.#options;
    if (!accepts(request, "text/event-stream")) return response.reply(406);
    const id = crypto.randomUUID();
    const url = urlOf(postUrl ?? request.url);
    url.searchParams.set(idParam, id);
    const transport = new SseTransport(this.load);
    const full = this.#quota.fullFor(caller);
    if (full) return rejectOverLimit(response, full, 10);
    this.#quota.add(caller, 1);
    const serving = await serve(countingTransport(transport, this.load, caller), this.#servers);
    const session: SseSession = { transport, stream: response, auth, caller, serving };
    void serving.closed.then(() => this.#quota.add(session.caller, -1));
    if (this.load.isClosed) {
      await serving.close();
      return response.reply(503);
    }
    this.#sessions.set(id, session);
    void serving.closed.then(() => this.#sessions.delete(id));
    endWithToken(admitted);
    transport.open(
      response,
      postUrl !== undefined && URL.canParse(postUrl) ? url.href : url.pathname + url.search,
    );
  }

  /** Passes a message to its session. The response goes over the stream (HSSE-05). */
  #post(admitted: AdmittedRequest): void {
    const { request, response, auth, caller } = admitted;
    const id = urlOf(request.url).searchParams.get(idParam);
    const session = this.#sessions.get(id ?? "");
    if (!session || (session.caller !== caller && !this.#adopt(session, caller))) {
      const text = id === null ? `The parameter ${idParam} is missing.` : "There is no such session.";
      return replyError(response, id === null ? 400 : 404, text);
    }
    readJson(admitted, this.load, (_, body) => {
      const { bytes, message } = body;
      this.load.end(body);
      const { protection } = admitted;
      if (protection && rejectMissingScopes(admitted, protection, this.#cores, message)) return;
      // The client may have refreshed its token, and a new stream would be a new session.
      if (auth !== session.auth && endOf(auth) >= endOf(session.auth)) {
        session.auth = auth;
        endWithToken(admitted, session.stream);
      }
      response.reply(202);
      session.transport.receive(message, { auth, bytes });
    });
  }

  /** Gives a session that a client opened without credentials to the caller that it has signed in as. Nobody else knows its id. */
  #adopt(session: SseSession, caller: string | undefined): boolean {
    if (session.caller !== undefined || this.#quota.fullFor(caller) === "caller") return false;
    this.#quota.add(undefined, -1);
    this.#quota.add(caller, 1);
    session.caller = caller;
    return true;
  }
}

/** When the token of a caller expires, in milliseconds since 1970. */
const endOf = (auth: Auth | undefined): number => Number(auth?.["expiresAt"] ?? 0);

/** The query parameter with the id of a session. */
const idParam = "sessionId";
