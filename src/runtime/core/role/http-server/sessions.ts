import { Quota } from "../../quota.js";
import type { SessionTransport } from "./session-transport.js";
import type { Full, Load } from "./load.js";

/** One session and the client that opened it. */
export interface HttpSession {
  readonly transport: SessionTransport;
  /** The key of the client: see `callerOf` (SESS-08). One without credentials gets the key of the first that it sends. */
  caller: string | undefined;
  readonly serving: { close(): Promise<void> };
  /** True while only `initialize` was sent: the session may be ended to make room for another, as one may that other processes have too. */
  isFresh: boolean;
  /** The time of the last use, in milliseconds. */
  lastUse: number;
}

/** The open sessions by id, the least recently used first. */
export class Sessions extends Map<string, HttpSession> {
  readonly #idleTime: number;
  readonly #load: Load;
  readonly #quota: Quota;

  /** `idleTime` is in milliseconds. */
  constructor(idleTime: number, load: Load) {
    super();
    this.#idleTime = idleTime;
    this.#load = load;
    this.#quota = new Quota(load.limits.sessions, 10);
  }

  /** Ends sessions that only initialized if one more would exceed a limit. Returns the limit that a new session would still exceed. */
  makeRoom(caller: string | undefined): Full | undefined {
    if (this.#load.isClosed) return "all";
    for (const [id, session] of this) {
      const full = this.#quota.fullFor(caller);
      if (!full) return undefined;
      const { isFresh, transport } = session;
      const mayEnd = (isFresh || transport.shared) && !transport.isBusy;
      if (!mayEnd || (full === "caller" && session.caller !== caller)) continue;
      if (isFresh) transport.shared?.dropped();
      this.delete(id);
      void session.serving.close();
    }
    return this.#quota.fullFor(caller);
  }

  open(id: string, session: Omit<HttpSession, "lastUse" | "isFresh">): void {
    this.set(id, { ...session, lastUse: performance.now(), isFresh: true });
    this.#quota.add(session.caller, 1);
  }

  override delete(id: string): boolean {
    const session = this.get(id);
    if (session) this.#quota.add(session.caller, -1);
    return super.delete(id);
  }

  /** Returns the session of a caller; undefined also for the id of another caller's session (SESS-05, SESS-08). */
  use(id: string, caller: string | undefined): HttpSession | undefined {
    const session = this.get(id);
    if (!session || (session.caller !== caller && !this.#adopt(session, caller))) return undefined;
    const now = performance.now();
    // Moving the entry for each request would cost more than the request.
    if (now - session.lastUse < this.#idleTime / 100) return session;
    super.delete(id);
    this.set(id, session);
    session.lastUse = now;
    return session;
  }

  /**
   * Gives a session that a client opened without credentials to the caller that it has signed in as. From then on, nobody can use it without
   * them: its open stream ends, so that the client opens another one. In a cluster, a client opens another session instead.
   */
  #adopt(session: HttpSession, caller: string | undefined): boolean {
    const { transport } = session;
    if (session.caller !== undefined || transport.shared || this.#quota.fullFor(caller) === "caller")
      return false;
    this.#quota.add(undefined, -1);
    this.#quota.add(caller, 1);
    session.caller = caller;
    transport.hangUp();
    return true;
  }

  /** Ends sessions that were idle for longer than the limit. */
  sweep(): void {
    const now = performance.now();
    for (const [id, { lastUse, transport, caller, serving }] of this) {
      if (now - lastUse < this.#idleTime) return;
      if (transport.isBusy) this.use(id, caller);
      else void serving.close();
    }
  }
}
