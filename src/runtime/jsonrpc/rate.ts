/** Bounds how often each of several callers may do something in a period, which is one second by default. */
export class RateLimit {
  readonly #most: number;
  readonly #period: number;
  #current = 0;
  readonly #counts = new Map<unknown, number>();

  /** `period` is in milliseconds. */
  constructor(most: number, period = 1000) {
    this.#most = most;
    this.#period = period;
  }

  /** Counts one more time for the caller, and returns false when the bound of this period is exceeded. */
  allows(caller: unknown): boolean {
    const current = Math.trunc(Date.now() / this.#period);
    if (current !== this.#current) {
      this.#current = current;
      this.#counts.clear();
    }
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return count <= this.#most;
  }
}
