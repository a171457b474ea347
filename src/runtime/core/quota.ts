/**
 * The number of callers without anything that a quota keeps: adding and
 * deleting an entry with each request is slow.
 */
const maxIdle = 1000;

interface Entry {
  readonly caller: unknown;
  size: number;
}

/** The limit that is exceeded: that of one caller, or that of all. */
export type Full = "caller" | "all";

/**
 * Limits a quantity in total and per caller. An undefined caller counts only in
 * the total.
 */
export class Quota {
  /** The total. Only the quota changes it. */
  size = 0;
  readonly #max: number;
  readonly #maxEach: number;
  /**
   * Each caller's number is an object, because changing one is faster than
   * setting an entry.
   */
  readonly #entries = new Map<unknown, Entry>();
  /**
   * The entry that was used last: a request uses the one of its caller several
   * times.
   */
  #last: Entry | undefined;

  /** A caller has at most the part of the total that `share` divides it by. */
  constructor(max: number, share: number) {
    this.#max = max;
    this.#maxEach = Math.ceil(max / share);
  }

  /**
   * The limit that `count` more for this caller would exceed; undefined if
   * none.
   */
  fullFor(caller: unknown, count = 1): Full | undefined {
    if (
      caller !== undefined &&
      (this.#entryOf(caller)?.size ?? 0) + count > this.#maxEach
    )
      return "caller";
    return this.size + count > this.#max ? "all" : undefined;
  }

  /** Adds `count`, which may be negative. */
  add(caller: unknown, count: number): void {
    this.size += count;
    if (caller === undefined) return;
    let entry = this.#entryOf(caller);
    if (!entry) {
      entry = { caller, size: 0 };
      this.#entries.set(caller, entry);
    }
    entry.size += count;
    if (entry.size !== 0 || this.#entries.size <= maxIdle) return;
    this.#entries.delete(caller);
    this.#last = undefined;
  }

  #entryOf(caller: unknown): Entry | undefined {
    if (this.#last?.caller !== caller) this.#last = this.#entries.get(caller);
    return this.#last;
  }
}

/**
 * Limits the uses of each caller per period, which is one second by default.
 */
export class RateLimit {
  readonly #max: number;
  readonly #period: number;
  #current = 0;
  readonly #counts = new Map<unknown, number>();

  /** `period` is in milliseconds. */
  constructor(max: number, period = 1000) {
    this.#max = max;
    this.#period = period;
  }

  /**
   * Counts one more use by the caller. Returns false if that exceeds the limit
   * of this period.
   */
  allows(caller: unknown): boolean {
    const current = Math.trunc(Date.now() / this.#period);
    if (current !== this.#current) {
      this.#current = current;
      this.#counts.clear();
    }
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return count <= this.#max;
  }
}
