/** Bounds how often each of several callers may do something in one second. */
export class RateLimit {
  readonly #perSecond: number;
  #second = 0;
  readonly #counts = new Map<unknown, number>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Counts one more time for the caller, and returns false when the bound of this second is exceeded. */
  allows(caller: unknown): boolean {
    const second = Math.trunc(Date.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts.clear();
    }
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return count <= this.#perSecond;
  }
}
