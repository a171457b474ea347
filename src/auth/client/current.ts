import { type Grant, readGrant, type TokenStore } from "./store.js";

type Headers = Readonly<Record<string, string>>;

/** Where the token comes from: the store, a refresh, or a new grant. */
type Source = "store" | "refresh" | "new";

/**
 * A token is refreshed at most this long before it expires, in milliseconds,
 * and not before nine tenths of its lifetime.
 */
const maxLead = 30_000;

/**
 * The token that is in use for one server and account, and its place in the
 * store.
 */
export class CurrentGrant {
  grant: Grant | undefined;
  /**
   * The grant, or the last one after it has ended: the next sign-in requests
   * its scopes again.
   */
  last: Grant | undefined;
  source: Source = "store";
  headers: Headers = {};
  readonly store: TokenStore;
  readonly #key: string;
  /**
   * Until when the token is sent without a refresh, in milliseconds since 1970.
   */
  #freshUntil = 0;
  #loading: Promise<void> | undefined;

  constructor(store: TokenStore, key: string) {
    this.store = store;
    this.#key = key;
  }

  get isFresh(): boolean {
    return Date.now() < this.#freshUntil;
  }

  /** True if there is a token that has not expired. */
  get isLive(): boolean {
    return (
      this.grant !== undefined && Date.now() < (this.grant.expires ?? Infinity)
    );
  }

  /** Reads the store, until that has succeeded once. */
  load(): Promise<void> {
    return (this.#loading ??= this.reload().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    }));
  }

  /** Uses the token of the store, which another process may have changed. */
  async reload(): Promise<void> {
    const grant = await readGrant(this.store, this.#key);
    if (grant && grant.accessToken !== this.grant?.accessToken)
      this.#use(grant, "store");
  }

  /**
   * Uses a token from now on and stores it. Undefined removes the current one.
   */
  async keep(
    grant: Grant | undefined,
    source: Source = "store",
  ): Promise<void> {
    this.#use(grant, source);
    await this.store.set(this.#key, grant);
  }

  /**
   * Runs work under the lock of the store. `purpose` "login" is a lock of its
   * own, for signing in a person.
   */
  lock(work: () => Promise<void>, purpose = ""): Promise<void> {
    return this.store.lock
      ? this.store.lock(this.#key + purpose, work)
      : work();
  }

  #use(grant: Grant | undefined, source: Source): void {
    this.grant = grant;
    if (grant) this.last = grant;
    this.source = source;
    const scheme = grant?.proofKey ? "DPoP" : "Bearer";
    this.headers = grant
      ? { authorization: `${scheme} ${grant.accessToken}` }
      : {};
    const { since, expires } = grant ?? { since: 0, expires: 0 };
    this.#freshUntil =
      expires === undefined
        ? Infinity
        : expires - Math.min(maxLead, (expires - since) / 10);
  }
}
