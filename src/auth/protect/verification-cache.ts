interface Entry<T> {
  readonly key: string;
  readonly value: T;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/**
 * A bounded cache of verification results, because verifying a signature takes about a thousand times as long as a look-up. The oldest
 * result is removed first. The key of a token is the header that it comes in: to find it, a request's header need not be parsed.
 */
export class VerificationCache<T> {
  /** By the end of the key: comparing a long key takes much less time than hashing it, and the end of a token is its signature. */
  readonly #entries = new Map<string, Entry<T>>();
  /** The running verifications by key. Requests with the same token share one. */
  readonly #running = new Map<string, Promise<T>>();
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** The cached result for a key; undefined if there is none, or it has expired at `now` (milliseconds since 1970). */
  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(endOf(key));
    if (entry?.key !== key) return undefined;
    if (entry.until > now) return entry.value;
    this.#entries.delete(endOf(key));
    return undefined;
  }

  /**
   * Verifies a token, or waits for its running verification. Caches the result until the time that `untilOf` returns, if any. Rejects if
   * as many verifications are running as the cache has entries, so that invented tokens cannot fill the memory.
   */
  async verify(key: string, work: () => Promise<T>, untilOf: (value: T) => number | undefined): Promise<T> {
    let running = this.#running.get(key);
    if (!running) {
      if (this.#running.size >= this.#maxSize)
        throw new Error(
          `${this.#maxSize} tokens are being verified, so that no other one is accepted. Check that the authorization server answers.`,
        );
      running = work()
        .then((value) => {
          const until = untilOf(value);
          if (until !== undefined) this.#remember({ key, value, until });
          return value;
        })
        .finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }

  /** Replaces a result whose key has the same end. */
  #remember(entry: Entry<T>): void {
    const end = endOf(entry.key);
    this.#entries.delete(end);
    this.#entries.set(end, entry);
    if (this.#entries.size <= this.#maxSize) return;
    for (const oldest of this.#entries.keys()) return void this.#entries.delete(oldest);
  }
}

const endOf = (key: string): string => key.slice(-24);
