interface Entry<T> {
  readonly key: string;
  readonly value: T;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** How long a result is used, and whether it accepts the token. */
interface Use {
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly isAccepted: boolean;
}

/**
 * The maximum number of new tokens that are verified at the same time. It
 * leaves room for new callers beside 1,000 invented tokens. A token takes 3 KB
 * of memory meanwhile, and one as long as a header may be 31 KB.
 */
const maxNew = 4000;

/**
 * A bounded cache of verification results, because verifying a signature takes
 * about a thousand times as long as a look-up. The oldest result is removed
 * first. The key of a token is the header that it comes in: to find it, a
 * request's header need not be parsed.
 *
 * Anybody can invent tokens, so what is rejected takes no room of what is
 * accepted: neither in the cache nor among the verifications.
 */
export class VerificationCache<T> {
  /**
   * By the end of the key: comparing a long key takes much less time than
   * hashing it, and the end of a token is its signature.
   */
  readonly #accepted = new Map<string, Entry<T>>();
  readonly #rejected = new Map<string, Entry<T>>();
  /**
   * The running verifications by key. Requests with the same token share one.
   */
  readonly #running = new Map<string, Promise<T>>();
  /**
   * The number of running verifications of tokens that were not accepted
   * before.
   */
  #newCount = 0;
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /**
   * The cached result for a key; undefined if there is none, or it has expired
   * at `now` (milliseconds since 1970).
   */
  get(key: string, now: number): T | undefined {
    const end = endOf(key);
    let entry = this.#accepted.get(end);
    if (entry?.key !== key) entry = this.#rejected.get(end);
    // An accepted token stays known after that time, for its next verification.
    return entry?.key === key && entry.until > now ? entry.value : undefined;
  }

  /**
   * Verifies a token, or waits for its running verification. Caches the result
   * as `useOf` says. Rejects if `maxNew` new tokens are being verified, so that
   * invented tokens cannot fill the memory.
   */
  async verify(
    key: string,
    work: () => Promise<T>,
    useOf: (value: T) => Use,
  ): Promise<T> {
    let running = this.#running.get(key);
    if (!running) {
      const isNew = this.#accepted.get(endOf(key))?.key !== key;
      if (isNew && this.#newCount >= maxNew)
        throw new Error(
          `${maxNew} new tokens are being verified, so that no other one is accepted. Check that the authorization server answers.`,
        );
      if (isNew) this.#newCount++;
      running = work()
        .then((value) => {
          this.#remember(key, value, useOf(value));
          return value;
        })
        .finally(() => {
          this.#running.delete(key);
          if (isNew) this.#newCount--;
        });
      this.#running.set(key, running);
    }
    return running;
  }

  /** Replaces a result whose key has the same end. */
  #remember(key: string, value: T, { until, isAccepted }: Use): void {
    const end = endOf(key);
    if (isAccepted || this.#accepted.get(end)?.key === key)
      this.#accepted.delete(end);
    const entries = isAccepted ? this.#accepted : this.#rejected;
    entries.delete(end);
    entries.set(end, { key, value, until });
    if (entries.size <= this.#maxSize) return;
    for (const oldest of entries.keys()) return void entries.delete(oldest);
  }
}

const endOf = (key: string): string => key.slice(-24);
