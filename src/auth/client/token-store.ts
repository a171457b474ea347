import { sealerFor, secretBytes } from "../../common/secrets.js";
import { sha256 } from "../../common/base64.js";
import { pause } from "../../common/timing.js";
import type { SharedValues } from "../shared-store.js";
import type { StoreEntry, TokenStore } from "./store.js";

/** Options of `tokenStore`. */
export interface TokenStoreOptions {
  /**
   * Secrets of at least 32 bytes, the same in all processes. The first one
   * seals, all of them open. To replace it, first deploy the new one as the
   * second, then as the first.
   */
  readonly secrets: readonly (Uint8Array | string | undefined)[];
}

/** How long a lock lasts that is not renewed, in milliseconds. */
const lease = 10_000;
/**
 * The maximum base of the random wait between two attempts to get a lock, in
 * milliseconds.
 */
const maxWait = 250;
/**
 * How long what does not expire by itself is stored, in milliseconds: ten
 * years.
 */
const longTime = 315_360_000_000;

/**
 * Stores tokens, registrations and pending sign-ins in a store that several
 * processes share, encrypted by the secrets. The processes refresh a token
 * once, and let a person sign in once; a process that is killed meanwhile
 * blocks the others for at most ten seconds.
 *
 * @throws TypeError unless there is a secret, and each has at least 32 bytes.
 */
export function tokenStore(
  store: SharedValues,
  { secrets }: TokenStoreOptions,
): TokenStore {
  const { seal, open } = sealerFor(
    secretBytes(secrets, "tokenStore: secrets"),
    "tokens",
  );
  /**
   * For each lock that is held, the version of the value of its key, as its
   * holder knows it: what another process writes has another one.
   */
  const held = new Map<string, { version?: string }>();
  return {
    async get(key) {
      const name = await nameOf("token/1", key);
      const stored = await store.get(name);
      const holder = held.get(key);
      if (holder) holder.version ??= stored?.version ?? "";
      if (!stored) return undefined;
      const text = await open(stored.value, name);
      if (text !== undefined) return JSON.parse(text) as StoreEntry;
      throw new Error(
        "The store has tokens that other secrets encrypted. Give all processes the same secrets.",
      );
    },
    async set(key, value) {
      const name = await nameOf("token/1", key);
      const sealed = value && (await seal(JSON.stringify(value), name));
      const ttl =
        value?.kind === "sign-in"
          ? Math.max(1, value.expires - Date.now())
          : longTime;
      const holder = held.get(key);
      const version = crypto.randomUUID();
      // A lock may have been lost, and another process may have refreshed the
      // token since: then its token stays.
      const isWritten = await store.put(name, sealed, {
        ttl,
        version,
        replaces: holder?.version,
      });
      if (holder && isWritten)
        holder.version = sealed === undefined ? "" : version;
    },
    async lock(key, work) {
      const name = await nameOf("lock/1", key);
      const id = crypto.randomUUID();
      const holder = {};
      const take = (replaces: string): Promise<boolean> =>
        store.put(name, "", { ttl: lease, version: id, replaces });
      for (
        let wait = 10;
        !(await take(""));
        wait = Math.min(maxWait, wait * 1.5)
      )
        await pause(wait * (0.5 + Math.random()));
      held.set(key, holder);
      // A renewal that fails is tried again; if all do, the lock is lost.
      const renewal = setInterval(
        () => void take(id).catch(() => {}),
        lease / 4,
      );
      try {
        return await work();
      } finally {
        clearInterval(renewal);
        if (held.get(key) === holder) held.delete(key);
        const options = {
          ttl: lease,
          version: crypto.randomUUID(),
          replaces: id,
        };
        // Without this, the lock ends by itself.
        await store.put(name, undefined, options).catch(() => {});
      }
    },
  };
}

/** The key in the store, which does not show which server it is about. */
const nameOf = async (kind: string, key: string): Promise<string> =>
  `${kind}/${await sha256(key)}`;
