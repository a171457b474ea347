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
