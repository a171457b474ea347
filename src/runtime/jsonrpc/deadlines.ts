/** In how many steps a time is measured; what waits is let go at most one step late. */
const steps = 8;

type Timer = ReturnType<typeof setTimeout> & { ref?(): unknown; unref?(): unknown };

/** Ends what has waited for a certain time. All of it shares one timer: one for each would cost more than the rest of a call. */
export class Deadlines<T> {
  readonly #step: number;
  readonly #expire: (one: T) => void;
  readonly #waiting = new Map<T, number>();
  #now = 0;
  #timer: Timer | undefined;

  /** The time is in milliseconds. */
  constructor(time: number, expire: (one: T) => void) {
    this.#step = time / steps;
    this.#expire = expire;
  }

  /** Begins to wait, or begins again. */
  add(one: T): void {
    this.#waiting.delete(one);
    this.#waiting.set(one, this.#now);
    if (this.#timer === undefined) this.#timer = setTimeout(this.#tick, this.#step);
    else if (this.#waiting.size === 1) this.#timer.ref?.();
  }

  /** Waits no longer. The timer runs out by itself, and keeps no process alive. */
  delete(one: T): void {
    if (this.#waiting.delete(one) && this.#waiting.size === 0) this.#timer?.unref?.();
  }

  /** Has it been some time since anything waited? */
  get idle(): boolean {
    return this.#timer === undefined;
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #tick = (): void => {
    this.#timer = this.#waiting.size > 0 ? setTimeout(this.#tick, this.#step) : undefined;
    this.#now++;
    // What came first is what is let go first.
    for (const [one, since] of this.#waiting) {
      if (this.#now - since <= steps) return;
      this.#waiting.delete(one);
      this.#expire(one);
    }
  };
}
