import { isObject } from "../../../../common/object.js";
import { idOf } from "../../message.js";
import { type Full, Quota } from "../../quota.js";
import { newTexts, warn } from "../../report.js";
import type {
  HttpSharedSession,
  OwnHttpSessions,
} from "../../ports/http-cluster.js";
import { serve } from "../serve.js";
import type { ServerDefinition } from "../server.js";
import { endWithToken } from "./access.js";
import {
  accepts,
  type AdmittedRequest,
  headerOf,
  type HttpRequest,
  rejectOverLimit,
  replyError,
} from "./exchange.js";
import type { Body, OpenWork } from "./open-work.js";
import { type SessionHost, SessionTransport } from "./session-transport.js";
import { Events, type EventStore } from "./stream.js";

/** The open sessions by id, the least recently used first. */
class Sessions extends Map<string, SessionTransport> {
  readonly #idleTime: number;
  readonly #openWork: OpenWork;
  readonly #quota: Quota;

  /** `idleTime` is in milliseconds. */
  constructor(idleTime: number, openWork: OpenWork) {
    super();
    this.#idleTime = idleTime;
    this.#openWork = openWork;
    this.#quota = new Quota(openWork.limits.sessions, 10);
  }

  /**
   * Ends sessions that only initialized if one more would exceed a limit.
   * Returns the limit that a new session would still exceed.
   */
  makeRoom(caller: string | undefined): Full | undefined {
    if (this.#openWork.isClosed) return "all";
    for (const [id, session] of this) {
      const full = this.#quota.fullFor(caller);
      if (!full) return undefined;
      const { isFresh, isBusy, shared } = session;
      const mayEnd = (isFresh || shared) && !isBusy;
      if (!mayEnd || (full === "caller" && session.client !== caller)) continue;
      if (isFresh) shared?.dropped();
      this.delete(id);
      void session.serving.close();
    }
    return this.#quota.fullFor(caller);
  }

  open(id: string, session: SessionTransport): void {
    session.lastUse = performance.now();
    this.set(id, session);
    this.#quota.add(session.client, 1);
  }

  override delete(id: string): boolean {
    const session = this.get(id);
    if (session) this.#quota.add(session.client, -1);
    return super.delete(id);
  }

  /**
   * Returns the session of a caller; undefined also for the id of another
   * caller's session (SESS-05, SESS-08).
   */
  use(id: string, caller: string | undefined): SessionTransport | undefined {
    const session = this.get(id);
    if (
      !session ||
      (session.client !== caller && !this.#adopt(session, caller))
    )
      return undefined;
    const now = performance.now();
    // Moving the entry for each request would cost more than the request.
    if (now - session.lastUse < this.#idleTime / 100) return session;
    super.delete(id);
    this.set(id, session);
    session.lastUse = now;
    return session;
  }

  /**
   * Gives a session that a client opened without credentials to the caller that
   * it has signed in as. From then on, nobody can use it without them: its open
   * stream ends, so that the client opens another one. In a cluster, a client
   * opens another session instead.
   */
  #adopt(session: SessionTransport, caller: string | undefined): boolean {
    if (session.shared || !adopt(session, caller, this.#quota)) return false;
    session.hangUp();
    return true;
  }

  /** Ends sessions that were idle for longer than the limit. */
  sweep(): void {
    const now = performance.now();
    for (const [id, session] of this) {
      if (now - session.lastUse < this.#idleTime) return;
      if (session.isBusy) this.use(id, session.client);
      else void session.serving.close();
    }
  }
}

/**
 * Makes a caller the owner of a session without one, which then counts in the
 * caller's share. Returns false if it has an owner, or the share is full.
 */
export function adopt(
  session: { client: unknown },
  caller: string | undefined,
  quota: Quota,
): boolean {
  if (session.client !== undefined || quota.fullFor(caller) === "caller")
    return false;
  quota.add(undefined, -1);
  quota.add(caller, 1);
  session.client = caller;
  return true;
}

/**
 * Answers requests in sessions, for the servers of legacy revisions, the newest
 * first (HTTP-01).
 */
export class SessionRequests implements OwnHttpSessions, SessionHost {
  readonly methods: readonly string[] = ["GET", "POST", "DELETE"];
  readonly sessions: Sessions;
  readonly openWork: OpenWork;
  readonly events: EventStore = new Events();
  /** The name of the header that holds the id of a session. */
  readonly header: string;
  readonly #servers: readonly ServerDefinition[];
  readonly #isNew = newTexts();

  /** `idleTime` is in milliseconds. */
  constructor(
    servers: readonly ServerDefinition[],
    header: string,
    openWork: OpenWork,
    idleTime: number = 1_800_000,
  ) {
    this.#servers = servers;
    this.header = header;
    this.openWork = openWork;
    this.sessions = new Sessions(idleTime, openWork);
  }

  /** True if the request has the id of an open session. */
  knows(request: HttpRequest): boolean {
    return this.sessions.has(headerOf(request, this.header) ?? "");
  }

  /**
   * Passes a message to its session; `isInitialize` opens a new one, also if
   * the request names one that has ended.
   */
  post(
    admitted: AdmittedRequest,
    body: Body,
    isInitialize: boolean,
  ): Promise<void> | void {
    const { request, response, auth } = admitted;
    const { message } = body;
    if (isInitialize && !this.knows(request)) return this.open(admitted, body);
    const session = this.#sessionOf(admitted, idOf(message));
    if (!session) return;
    // A notification, such as `notifications/initialized`, does not count as
    // use.
    if (!(isObject(message) && message["id"] === undefined))
      session.isFresh = false;
    session.post(body, response, { auth });
  }

  /**
   * Opens the stream of messages that belong to no request (HTTP-14), or
   * resumes a stream (SSE-02).
   */
  get(admitted: AdmittedRequest): void {
    const { request, response } = admitted;
    if (!accepts(request, "eventStream")) return response.reply(406);
    const session = this.#sessionOf(admitted);
    if (!session) return;
    session.isFresh = false;
    endWithToken(admitted);
    // Without a text, the client has received no event.
    const lastEventId = request.header("last-event-id") || undefined;
    if (lastEventId === undefined) session.listen(response);
    else if (!session.resume(lastEventId, response)) {
      replyError(
        response,
        400,
        "The events after that one are no longer available.",
      );
    }
  }

  /** Ends the session (SESS-07). Its open requests get no response. */
  async delete(admitted: AdmittedRequest): Promise<void> {
    const session = this.#sessionOf(admitted);
    if (!session) return;
    await session.close();
    admitted.response.reply(204);
  }

  keepAlive(): boolean {
    this.sessions.sweep();
    for (const session of this.sessions.values()) session.keepAlive();
    return this.sessions.size > 0;
  }

  close(): Promise<unknown> {
    return Promise.all(
      [...this.sessions.values()].map(({ serving }) => serving.close()),
    );
  }

  /**
   * Opens a session. It begins when client and server have agreed on a revision
   * (SESS-01, SESS-02).
   */
  async open(
    admitted: AdmittedRequest,
    body: Body,
    shared?: HttpSharedSession,
  ): Promise<void> {
    const { response, auth, caller } = admitted;
    const id = shared?.id ?? crypto.randomUUID();
    const session = await this.make(id, caller, shared, () => {
      response.headers = { ...response.headers, [this.header]: id };
    });
    const full = this.sessions.makeRoom(caller);
    if (full) rejectOverLimit(response, full, 10);
    else session.post(body, response, { auth });
    if (!this.sessions.has(id)) await session.close();
  }

  /**
   * Makes a session, which is open once client and server have agreed on a
   * revision.
   */
  async make(
    id: string,
    caller: string | undefined,
    shared?: HttpSharedSession,
    onOpen?: () => void,
  ): Promise<SessionTransport> {
    const { sessions } = this;
    const session: SessionTransport = new SessionTransport(
      this,
      shared?.key ?? id,
      caller,
      shared,
      () => {
        onOpen?.();
        sessions.open(id, session);
      },
    );
    const serving = await serve(session, this.#servers);
    session.serving = serving;
    // The same session may be open again by then, if other processes have it
    // too.
    void serving.closed.then(
      () => sessions.get(id) === session && sessions.delete(id),
    );
    return session;
  }

  /** Warns once, because a client could do it at will. */
  warnOfGap(): void {
    const text =
      "A client that reconnected missed notifications of more than 1 MiB, or limits.bytes of all clients.";
    if (this.#isNew(text)) warn(this.#servers[0]?.core.settings ?? {}, text);
  }

  /**
   * The session that a request names; undefined if the request was rejected
   * (SESS-04, SESS-05).
   */
  #sessionOf(
    { request, response, caller }: AdmittedRequest,
    id?: unknown,
  ): SessionTransport | undefined {
    const name = headerOf(request, this.header);
    if (name === undefined)
      return void replyError(
        response,
        400,
        `The header ${this.header} is missing.`,
        id,
      );
    return (
      this.sessions.use(name, caller) ??
      void replyError(response, 404, "There is no such session.", id)
    );
  }
}
