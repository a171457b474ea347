import type { HttpCarrier } from "./carrier.js";

/** One legacy session and who opened it. */
export interface HttpSession {
  readonly id: string;
  readonly carrier: HttpCarrier;
  /** SESS-08 */
  readonly principal: string | undefined;
  close(): Promise<void>;
}

/** The open sessions, those used longest ago first. */
export class Sessions {
  readonly #idleTime: number;
  readonly #sessions = new Map<string, { readonly session: HttpSession; used: number }>();

  /** The time is in milliseconds. */
  constructor(idleTime: number) {
    this.#idleTime = idleTime;
  }

  get size(): number {
    return this.#sessions.size;
  }

  add(session: HttpSession): void {
    this.#sessions.set(session.id, { session, used: performance.now() });
  }

  /** SESS-05, SESS-08: undefined also for somebody else's. */
  get(id: string, principal: string | undefined): HttpSession | undefined {
    const entry = this.#sessions.get(id);
    if (!entry || entry.session.principal !== principal) return undefined;
    const now = performance.now();
    // To be moved for each request would cost more than the request.
    if (now - entry.used < this.#idleTime / 100) return entry.session;
    this.#sessions.delete(id);
    this.#sessions.set(id, entry);
    entry.used = now;
    return entry.session;
  }

  has(id: string | undefined): boolean {
    return id !== undefined && this.#sessions.has(id);
  }

  delete(id: string): void {
    this.#sessions.delete(id);
  }

  /** Ends what nobody has used for a while. */
  sweep(): void {
    const now = performance.now();
    for (const entry of this.#sessions.values()) {
      if (now - entry.used < this.#idleTime) return;
      if (entry.session.carrier.isBusy) this.get(entry.session.id, entry.session.principal);
      else void entry.session.close();
    }
  }

  *[Symbol.iterator](): IterableIterator<HttpSession> {
    for (const { session } of this.#sessions.values()) yield session;
  }
}
