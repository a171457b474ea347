import { Quota } from "../../quota.js";
import type { SessionTransport } from "./session-transport.js";
import type { Full, Load } from "./load.js";

/** One session and the client that opened it. */
export interface HttpSession {
  readonly transport: SessionTransport;
  /** The key of the client: see `callerOf` (SESS-08). */
  readonly caller: string | undefined;
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
    this.#quota = new Quota(load.limits.sessions ?? 10_000, 10);
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
    if (!session || session.caller !== caller) return undefined;
    const now = performance.now();
    // Moving the entry for each request would cost more than the request.
    if (now - session.lastUse < this.#idleTime / 100) return session;
    super.delete(id);
    this.set(id, session);
    session.lastUse = now;
    return session;
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
