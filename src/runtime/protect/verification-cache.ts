/**
 * Remembers the results of verifications, because a signature takes a thousand times longer to verify than a map to read. It is bounded:
 * the oldest result is forgotten first.
 */
export class VerificationCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();
  /** Verifications that run; requests with the same token wait for the same one. */
  readonly #running = new Map<string, Promise<T>>();
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** The remembered result for a token at this time, in milliseconds since 1970. */
  get(token: string, now: number): T | undefined {
    const entry = this.#entries.get(token);
    if (!entry || entry.until > now) return entry?.value;
    this.#entries.delete(token);
    return undefined;
  }

  /** Verifies a token unless that is being done already. Remembers the result until the time that `untilOf` returns, if any. */
  verify(token: string, work: () => Promise<T>, untilOf: (value: T) => number | undefined): Promise<T> {
    let running = this.#running.get(token);
    if (!running) {
      running = work()
        .then((value) => {
          const until = untilOf(value);
          if (until !== undefined) this.#remember(token, { value, until });
          return value;
        })
        .finally(() => this.#running.delete(token));
      this.#running.set(token, running);
    }
    return running;
  }

  #remember(token: string, entry: { readonly value: T; readonly until: number }): void {
    this.#entries.delete(token);
    this.#entries.set(token, entry);
    if (this.#entries.size <= this.#maxSize) return;
    for (const oldest of this.#entries.keys()) return void this.#entries.delete(oldest);
  }
}
