import { isObject } from "../../../../common/object.js";
import { newTexts, warn } from "../../report.js";
import type { HttpSessions } from "../../ports/http-cluster.js";
import type { HttpSharedSession } from "../../ports/http-cluster.js";
import { serve } from "../serve.js";
import type { ServerDefinition } from "../server.js";
import { endWithToken } from "./access.js";
import { accepts, headerOf, type ReadBody } from "./body.js";
import { EventLog, type EventStore, newEventStore } from "./event-log.js";
import { type AdmittedRequest, type HttpRequest, replyError } from "./exchange.js";
import { type Load, rejectOverLimit } from "./load.js";
import { idOf } from "../../message.js";
import { SessionTransport } from "./session-transport.js";
import { type HttpSession, Sessions } from "./sessions.js";

/** Answers requests in sessions, for the servers of legacy revisions, the newest first (HTTP-01). */
export class SessionRequests implements HttpSessions {
  readonly methods: readonly string[] = ["GET", "POST", "DELETE"];
  readonly sessions: Sessions;
  /** The name of the header that holds the id of a session. */
  readonly header: string;
  readonly #servers: readonly ServerDefinition[];
  readonly #load: Load;
  readonly #events: EventStore;
  readonly #isNew = newTexts();

  /** `idleTime` is in milliseconds. */
  constructor(
    servers: readonly ServerDefinition[],
    header: string,
    load: Load,
    idleTime: number = 1_800_000,
  ) {
    this.#servers = servers;
    this.header = header;
    this.#load = load;
    this.#events = newEventStore(load.limits.bytes);
    this.sessions = new Sessions(idleTime, load);
  }

  /** True if the request has the id of an open session. */
  knows(request: HttpRequest): boolean {
    return this.sessions.has(headerOf(request, this.header) ?? "");
  }

  /** Passes a message to its session; `isInitialize` opens a new one, also if the request names one that has ended. */
  post(admitted: AdmittedRequest, body: ReadBody, isInitialize: boolean): Promise<void> | void {
    const { request, response, auth } = admitted;
    const { message } = body;
    if (isInitialize && !this.knows(request)) return this.open(admitted, body);
    const session = this.#sessionOf(admitted, idOf(message));
    if (!session) return;
    // A notification, such as `notifications/initialized`, does not count as use.
    if (!(isObject(message) && message["id"] === undefined)) session.isFresh = false;
    session.transport.post(body, response, { auth });
  }

  /** Opens the stream of messages that belong to no request (HTTP-14), or resumes a stream (SSE-02). */
  get(admitted: AdmittedRequest): void {
    const { request, response } = admitted;
    if (!accepts(request, "text/event-stream")) return response.reply(406);
    const session = this.#sessionOf(admitted);
    if (!session) return;
    session.isFresh = false;
    endWithToken(admitted);
    // Without a text, the client has received no event.
    const lastEventId = request.header("last-event-id") || undefined;
    if (lastEventId === undefined) session.transport.listen(response);
    else if (!session.transport.resume(lastEventId, response)) {
      replyError(response, 400, "The events after that one are no longer available.");
    }
  }

  /** Ends the session (SESS-07). Its open requests get no response. */
  async delete(admitted: AdmittedRequest): Promise<void> {
    const session = this.#sessionOf(admitted);
    if (!session) return;
    await session.transport.close();
    admitted.response.reply(204);
  }

  keepAlive(): boolean {
    this.sessions.sweep();
    for (const { transport } of this.sessions.values()) transport.keepAlive();
    return this.sessions.size > 0;
  }

  close(): Promise<unknown> {
    return Promise.all([...this.sessions.values()].map(({ serving }) => serving.close()));
  }

  /** Opens a session. It begins when client and server have agreed on a revision (SESS-01, SESS-02). */
  async open(admitted: AdmittedRequest, body: ReadBody, shared?: HttpSharedSession): Promise<void> {
    const { response, auth, caller } = admitted;
    const id = shared?.id ?? crypto.randomUUID();
    const transport = await this.make(id, caller, shared, () => {
      response.headers = { ...response.headers, [this.header]: id };
    });
    const full = this.sessions.makeRoom(caller);
    if (full) rejectOverLimit(response, full, 10);
    else transport.post(body, response, { auth });
    if (!this.sessions.has(id)) await transport.close();
  }

  /** Makes the transport of a session, which is open once client and server have agreed on a revision. */
  async make(
    id: string,
    caller: string | undefined,
    shared?: HttpSharedSession,
    onOpen?: () => void,
  ): Promise<SessionTransport> {
    const load = this.#load;
    const { sessions } = this;
    const transport: SessionTransport = new SessionTransport({
      load,
      session: shared?.key ?? id,
      log: new EventLog(this.#events),
      maxBatch: this.#servers[0]?.core.settings.limits?.batch,
      shared,
      onListen: (hasGap) => (shared ? shared.listened(hasGap) : hasGap && this.#warnOfGap()),
      onOpen: () => {
        onOpen?.();
        sessions.open(id, { transport, caller, serving });
      },
    });
    const serving = await serve(transport, this.#servers);
    // The same session may be open again by then, if other processes have it too.
    void serving.closed.then(() => sessions.get(id)?.transport === transport && sessions.delete(id));
    return transport;
  }

  /** Warns once, because a client could do it at will. */
  #warnOfGap(): void {
    const text =
      "A client that reconnected has missed notifications: they have more than 1 MiB, or those of all clients more than limits.bytes.";
    if (this.#isNew(text)) warn(this.#servers[0]?.core.settings ?? {}, text);
  }

  /** The session that a request names; undefined if the request was rejected (SESS-04, SESS-05). */
  #sessionOf({ request, response, caller }: AdmittedRequest, id?: unknown): HttpSession | undefined {
    const name = headerOf(request, this.header);
    if (name === undefined)
      return void replyError(response, 400, `The header ${this.header} is missing.`, id);
    return this.sessions.use(name, caller) ?? void replyError(response, 404, "There is no such session.", id);
  }
}
