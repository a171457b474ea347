import { type Grant, readGrant, type TokenStore } from "./store.js";

type Headers = Readonly<Record<string, string>>;

/** How a token came here: it was stored before, refreshed, or obtained anew. */
export type Source = "store" | "refresh" | "new";

/** A token is refreshed this long before it expires, in milliseconds, but not before nine tenths of its time have passed. */
const maxLead = 30_000;

/** The token that is in use for one server and account, and its place in the store. */
export class CurrentGrant {
  grant: Grant | undefined;
  /** The grant, or the one that has ended: the next sign-in asks for its scopes again. */
  last: Grant | undefined;
  source: Source = "store";
  headers: Headers = {};
  readonly store: TokenStore;
  readonly #key: string;
  /** Until when the token is sent without a look, in milliseconds since 1970. */
  #freshUntil = 0;
  #loading: Promise<void> | undefined;

  constructor(store: TokenStore, key: string) {
    this.store = store;
    this.#key = key;
  }

  get isFresh(): boolean {
    return Date.now() < this.#freshUntil;
  }

  /** Whether there is a token that has not expired. */
  get isLive(): boolean {
    return this.grant !== undefined && Date.now() < (this.grant.expires ?? Infinity);
  }

  /** Reads the store, once. */
  load(): Promise<void> {
    return (this.#loading ??= this.reload());
  }

  /** Takes the token of the store, which another process may have changed. */
  async reload(): Promise<void> {
    const grant = await readGrant(this.store, this.#key);
    if (grant && grant.accessToken !== this.grant?.accessToken) this.#use(grant, "store");
  }

  /** Uses a token from now on, and stores it. Undefined ends the use. */
  async keep(grant: Grant | undefined, source: Source = "store"): Promise<void> {
    this.#use(grant, source);
    await this.store.set(this.#key, grant);
  }

  /** Runs work while no other process changes the token, or while none asks a person to sign in. */
  lock(work: () => Promise<void>, purpose = ""): Promise<void> {
    return this.store.lock ? this.store.lock(this.#key + purpose, work) : work();
  }

  #use(grant: Grant | undefined, source: Source): void {
    this.grant = grant;
    if (grant) this.last = grant;
    this.source = source;
    const scheme = grant?.proofKey ? "DPoP" : "Bearer";
    this.headers = grant ? { authorization: `${scheme} ${grant.accessToken}` } : {};
    const { since, expires } = grant ?? { since: 0, expires: 0 };
    this.#freshUntil = expires === undefined ? Infinity : expires - Math.min(maxLead, (expires - since) / 10);
  }
}
