import type { Serving } from "../../index.js";
import type { HttpCarrier } from "./carrier.js";

/** One legacy session and who opened it. */
export interface HttpSession {
  readonly carrier: HttpCarrier;
  /** Who opened it, as `callerOf` says. SESS-08 */
  readonly caller: string | undefined;
  readonly serving: Serving;
  /** When it was last used, in milliseconds. */
  used: number;
}

/** The open sessions by their ids, those used longest ago first. */
export class Sessions extends Map<string, HttpSession> {
  readonly #idleTime: number;

  /** The time is in milliseconds. */
  constructor(idleTime: number) {
    super();
    this.#idleTime = idleTime;
  }

  open(id: string, session: Omit<HttpSession, "used">): void {
    this.set(id, { ...session, used: performance.now() });
  }

  /** SESS-05, SESS-08: undefined also for somebody else's. */
  use(id: string, caller: string | undefined): HttpSession | undefined {
    const session = this.get(id);
    if (!session || session.caller !== caller) return undefined;
    const now = performance.now();
    // To be moved for each request would cost more than the request.
    if (now - session.used < this.#idleTime / 100) return session;
    this.delete(id);
    this.set(id, session);
    session.used = now;
    return session;
  }

  /** Ends what nobody has used for a while. */
  sweep(): void {
    const now = performance.now();
    for (const [id, { used, carrier, caller, serving }] of this) {
      if (now - used < this.#idleTime) return;
      if (carrier.isBusy) this.use(id, caller);
      else void serving.close();
    }
  }
}
