/**
 * A bounded cache of verification results, because verifying a signature takes about a thousand times as long as a look-up. The oldest
 * result is removed first. The key of a token is the header that it comes in: to find it, a request's header need not be parsed.
 */
export class VerificationCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();
  /** The running verifications by key. Requests with the same token share one. */
  readonly #running = new Map<string, Promise<T>>();
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** The cached result for a key; undefined if there is none, or it has expired at `now` (milliseconds since 1970). */
  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry || entry.until > now) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Verifies a token, or waits for its running verification. Caches the result until the time that `untilOf` returns, if any. */
  verify(key: string, work: () => Promise<T>, untilOf: (value: T) => number | undefined): Promise<T> {
    let running = this.#running.get(key);
    if (!running) {
      running = work()
        .then((value) => {
          const until = untilOf(value);
          if (until !== undefined) this.#remember(key, { value, until });
          return value;
        })
        .finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }

  #remember(key: string, entry: { readonly value: T; readonly until: number }): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size <= this.#maxSize) return;
    for (const oldest of this.#entries.keys()) return void this.#entries.delete(oldest);
  }
}
