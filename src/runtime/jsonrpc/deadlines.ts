/** The number of timer ticks per deadline. An entry expires at most one tick late. */
const steps = 8;

type Timer = ReturnType<typeof setTimeout> & { ref?(): unknown; unref?(): unknown };

/** Expires entries after a fixed time. They share one timer, because one timer each would cost more than the rest of a call. */
export class Deadlines<T> {
  readonly #step: number;
  readonly #expire: (entry: T) => void;
  readonly #clock: { readonly isPaused: boolean };
  readonly #waiting = new Map<T, number>();
  #now = 0;
  #timer: Timer | undefined;

  /** `time` is in milliseconds. It does not elapse while the clock is paused. */
  constructor(time: number, expire: (entry: T) => void, clock: { readonly isPaused: boolean }) {
    this.#clock = clock;
    this.#step = time / steps;
    this.#expire = expire;
  }

  /** Starts the time of an entry, or starts it again. */
  add(entry: T): void {
    this.#waiting.delete(entry);
    this.#waiting.set(entry, this.#now);
    if (this.#timer === undefined) this.#timer = setTimeout(this.#tick, this.#step);
    else if (this.#waiting.size === 1) this.#timer.ref?.();
  }

  /** Removes an entry. The timer then no longer keeps the process alive. */
  delete(entry: T): void {
    if (this.#waiting.delete(entry) && this.#waiting.size === 0) this.#timer?.unref?.();
  }

  /** True if no timer runs, because there have been no entries for at least one tick. */
  get idle(): boolean {
    return this.#timer === undefined;
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #tick = (): void => {
    this.#timer = this.#waiting.size > 0 ? setTimeout(this.#tick, this.#step) : undefined;
    if (this.#clock.isPaused) return;
    this.#now++;
    // A Map is in the order of insertion, so the oldest entries come first.
    for (const [entry, since] of this.#waiting) {
      if (this.#now - since <= steps) return;
      this.#waiting.delete(entry);
      this.#expire(entry);
    }
  };
}
