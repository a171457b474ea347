/**
 * A bounded cache of verification results, because verifying a signature takes about a thousand times as long as a look-up. The oldest
 * result is removed first.
 */
export class VerificationCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();
  /** The running verifications by token. Requests with the same token share one. */
  readonly #running = new Map<string, Promise<T>>();
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** The cached result for a token; undefined if there is none, or it has expired at `now` (milliseconds since 1970). */
  get(token: string, now: number): T | undefined {
    const entry = this.#entries.get(token);
    if (!entry || entry.until > now) return entry?.value;
    this.#entries.delete(token);
    return undefined;
  }

  /** Verifies a token, or waits for its running verification. Caches the result until the time that `untilOf` returns, if any. */
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
