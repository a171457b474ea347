/** Counts what is held, in all and by each caller. What callers hold that nobody knows counts only in all. */
export class Quota {
  #size = 0;
  readonly #max: number;
  readonly #maxEach: number;
  readonly #callers = new Map<unknown, number>();

  constructor(max: number, maxEach: number) {
    this.#max = max;
    this.#maxEach = maxEach;
  }

  /** Which bound forbids so much more for this caller; undefined when none does. */
  fullFor(caller: unknown, count = 1): "caller" | "all" | undefined {
    if (caller !== undefined && (this.#callers.get(caller) ?? 0) + count > this.#maxEach) return "caller";
    return this.#size + count > this.#max ? "all" : undefined;
  }

  /** Counts more, or less where `count` is negative. */
  add(caller: unknown, count: number): void {
    this.#size += count;
    if (caller === undefined) return;
    const held = (this.#callers.get(caller) ?? 0) + count;
    if (held > 0) this.#callers.set(caller, held);
    else this.#callers.delete(caller);
  }
}

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
