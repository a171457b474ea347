import { countingTransport } from "../core/role/http-server/counting-transport.js";
import { OpenWork, readJson } from "../core/role/http-server/open-work.js";
import {
  endWithToken,
  rejectMissingScopes,
} from "../core/role/http-server/access.js";
import {
  type Endpoint,
  makeHandler,
  type SseOptions,
} from "../core/role/http-server/handler.js";
import { Quota } from "../core/quota.js";
import { serve, type Serving } from "../core/role/serve.js";
import type { ServerDefinition } from "../core/role/server.js";
import { adopt } from "../core/role/http-server/sessions.js";
import { EventStream } from "../core/role/http-server/stream.js";
import { TransportError } from "../core/errors.js";
import type { Auth, Receiver, Transport } from "../core/ports/transport.js";
import {
  accepts,
  type AdmittedRequest,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  replyError,
  urlOf,
  rejectOverLimit,
} from "../core/role/http-server/exchange.js";

/**
 * Creates a function that answers the web requests of HTTP+SSE clients: a GET
 * opens a stream, whose first event names the URL for messages. Serve it at its
 * own URL, or pass it as the option `legacySse` of `createHttpHandler`.
 *
 * @throws TypeError if no server has a revision with `initialize`, which
 *   HTTP+SSE requires, and if a tool, prompt or resource has scopes but nobody
 *   authenticates callers.
 */
export function createSseHandler(
  servers: ServerDefinition | readonly ServerDefinition[],
  options: SseOptions = {},
): HttpHandler {
  const fit = [servers]
    .flat()
    .filter(({ core }) => core.side.revision.opening === "initialize");
  if (fit.length === 0)
    throw new TypeError(
      "createSseHandler: no server has a revision with `initialize`, which HTTP+SSE requires.",
    );
  return makeHandler(fit, options, sseEndpoint(fit, options));
}

/**
 * One session: sends the messages of the server over one stream; those of the
 * client arrive by POSTs (HSSE-03, HSSE-07).
 */
class SseSession implements Transport {
  readonly carrier = "http";
  /** The response with the stream. */
  readonly response: HttpResponse;
  /** The caller, with the token of the client that ends last. */
  auth: Auth | undefined;
  /**
   * The key of the client: see `callerOf` (SESS-08). One without credentials
   * gets the key of the first that it sends.
   */
  client: string | undefined;
  serving!: Serving;
  readonly stream: EventStream;
  receiver: Receiver | undefined;

  constructor({ response, auth, caller }: AdmittedRequest, openWork: OpenWork) {
    this.response = response;
    this.auth = auth;
    this.client = caller;
    this.stream = new EventStream("", openWork, undefined, "event: message\n");
  }

  start(receiver: Receiver): void {
    this.receiver = receiver;
    const disconnected = (): void => {
      this.stream.ended = true;
      receiver.closed(new TransportError("The client disconnected."));
    };
    this.stream.onDisconnect = { disconnected };
  }

  send(message: unknown): Promise<void> | undefined {
    if (this.stream.ended)
      throw new TransportError("The connection is closed.");
    return this.stream.push(JSON.stringify(message));
  }

  /**
   * Takes over a token that ends later: the client may have refreshed its own,
   * and a new stream would be a new session.
   */
  renew(admitted: AdmittedRequest): void {
    const { auth } = admitted;
    if (auth === this.auth || endOf(auth) < endOf(this.auth)) return;
    this.auth = auth;
    endWithToken(admitted, this.response);
  }

  async close(): Promise<void> {
    if (this.stream.ended) return;
    this.stream.end();
    this.receiver?.closed();
  }
}

/** The endpoint of one URL. */
function sseEndpoint(
  servers: readonly ServerDefinition[],
  { limits, postUrl }: SseOptions,
): Endpoint {
  const cores = servers.map(({ core }) => core);
  const openWork = new OpenWork(limits);
  const quota = new Quota(openWork.limits.sessions, 10);
  const sessions = new Map<string, SseSession>();

  /** Opens a session and its stream (HSSE-01). */
  async function open(admitted: AdmittedRequest): Promise<void> {
    const { request, response, caller } = admitted;
    if (!accepts(request, "eventStream")) return response.reply(406);
    const id = crypto.randomUUID();
    const full = quota.fullFor(caller);
    if (full) return rejectOverLimit(response, full, 10);
    quota.add(caller, 1);
    const session = new SseSession(admitted, openWork);
    session.serving = await serve(
      countingTransport(session, openWork, caller),
      servers,
    );
    const { closed, close } = session.serving;
    void closed.then(() => quota.add(session.client, -1));
    if (openWork.isClosed) {
      await close();
      return response.reply(503);
    }
    sessions.set(id, session);
    void closed.then(() => sessions.delete(id));
    endWithToken(admitted);
    session.stream.attach(response);
    const url = messageUrl(request.url, postUrl, id);
    session.stream.raw(`event: endpoint\ndata: ${url}\n\n`);
  }

  /**
   * Passes a message to its session. The response goes over the stream
   * (HSSE-05).
   */
  function post(admitted: AdmittedRequest): void {
    const { request, response, auth, caller, protection } = admitted;
    const id = idIn(request);
    const session = sessions.get(id ?? "");
    // Nobody else knows the id of a session that a client opened before it
    // signed in.
    if (
      !session ||
      (session.client !== caller && !adopt(session, caller, quota))
    )
      return id === null
        ? replyError(response, 400, `The parameter ${idParam} is missing.`)
        : replyError(response, 404, "There is no such session.");
    readJson(admitted, openWork, (_, body) => {
      const { bytes, message } = body;
      openWork.endAll(body);
      if (
        protection &&
        rejectMissingScopes(admitted, protection, cores, message)
      )
        return;
      session.renew(admitted);
      response.reply(202);
      session.receiver?.message(message, { auth, bytes });
    });
  }

  return {
    methods: ["GET", "POST"],
    sessionHeader: undefined,
    openWork,
    matches,
    answer: (admitted) =>
      admitted.request.method === "GET" ? open(admitted) : post(admitted),
    tick() {
      for (const session of sessions.values()) session.stream.keepAlive();
      return sessions.size > 0;
    },
    close: () =>
      Promise.all([...sessions.values()].map(({ serving }) => serving.close())),
  };
}

/**
 * The URL for the messages of a session: a whole one only if the server has a
 * whole one.
 */
function messageUrl(
  requested: string,
  postUrl: string | undefined,
  id: string,
): string {
  const url = urlOf(postUrl ?? requested);
  url.searchParams.set(idParam, id);
  return postUrl !== undefined && URL.canParse(postUrl)
    ? url.href
    : url.pathname + url.search;
}

/** The id of a session that a request names. */
const idIn = ({ url }: HttpRequest): string | null =>
  urlOf(url).searchParams.get(idParam);

/** True for a request that only a client of HTTP+SSE sends. */
function matches(request: HttpRequest): boolean {
  if (request.method === "GET") return accepts(request, "eventStream");
  return request.method === "POST" && idIn(request) !== null;
}

/** When the token of a caller expires, in milliseconds since 1970. */
const endOf = (auth: Auth | undefined): number =>
  Number(auth?.["expiresAt"] ?? 0);

/** The query parameter with the id of a session. */
const idParam = "sessionId";
