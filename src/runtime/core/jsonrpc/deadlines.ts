/** The number of timer ticks per deadline. An entry expires at most one tick late. */
const steps = 8;

type Timer = ReturnType<typeof setTimeout> & { ref?(): unknown; unref?(): unknown };

/** What waits in a `Deadlines`; the members are its own. */
export interface Entry<T> {
  previous?: T | undefined;
  next?: T | undefined;
  /** The number of ticks before it was added. */
  since?: number | undefined;
}

/**
 * Expires entries after a fixed time. They share one timer, because one timer each would cost more than the rest of a call, and form a list
 * from the oldest to the newest: the table of a Map would keep removed entries in memory for long. An entry is in one list at most.
 */
export class Deadlines<T extends Entry<T>> {
  readonly #step: number;
  readonly #expire: (entry: T) => void;
  readonly #clock: { readonly isPaused: boolean };
  #first: T | undefined;
  #last: T | undefined;
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
    this.#remove(entry);
    entry.since = this.#now;
    entry.previous = this.#last;
    if (this.#last) this.#last.next = entry;
    else this.#first = entry;
    this.#last = entry;
    if (this.#timer === undefined) this.#timer = setTimeout(this.#tick, this.#step);
    else if (this.#first === entry) this.#timer.ref?.();
  }

  /** Removes an entry. The timer then no longer keeps the process alive. */
  delete(entry: T): void {
    if (this.#remove(entry) && !this.#first) this.#timer?.unref?.();
  }

  /** True if no timer runs, because there have been no entries for at least one tick. */
  get idle(): boolean {
    return this.#timer === undefined;
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  /** Returns false if the entry does not wait. */
  #remove(entry: T): boolean {
    const { previous, next, since } = entry;
    if (since === undefined) return false;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    entry.previous = entry.next = entry.since = undefined;
    return true;
  }

  #tick = (): void => {
    this.#timer = this.#first ? setTimeout(this.#tick, this.#step) : undefined;
    if (this.#clock.isPaused) return;
    this.#now++;
    for (let entry = this.#first; entry; entry = this.#first) {
      if (this.#now - (entry.since ?? 0) <= steps) return;
      this.#remove(entry);
      this.#expire(entry);
    }
  };
}
