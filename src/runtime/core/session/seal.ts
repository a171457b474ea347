import { warn } from "../report.js";
import { type SealingKey, sealWith, unsealWith } from "../../../common/sealing.js";
import type { ServerSettings } from "./config.js";

/** Maximum length of an encrypted state, in characters, because the client carries it. */
const maxLength = 65_536;

/** The keys of each server. A call may continue on another connection, so all connections of a server share them. */
const keyCache = /* @__PURE__ */ new WeakMap<ServerSettings, Promise<readonly SealingKey[]>>();

/** The keys of a server; the first one encrypts. */
function keysOf(settings: ServerSettings): Promise<readonly SealingKey[]> {
  let keys = keyCache.get(settings);
  if (!keys) keyCache.set(settings, (keys = load(settings)));
  return keys;
}

async function load(settings: ServerSettings): Promise<readonly SealingKey[]> {
  const { stateKeys = [], cluster } = settings;
  if (stateKeys.length > 0) return Promise.all(stateKeys.map(importKey));
  if (cluster) return cluster.stateKeys();
  warn(
    settings,
    "stateKeys is not set, so a random key encrypts the state of calls that wait for input. After a restart, or on another replica, these calls fail.",
  );
  return [await importKey(crypto.getRandomValues(new Uint8Array(32)))];
}

/**
 * Encrypts and authenticates text (MRTR-10). `unseal` needs the same `context`. Rejects if the result is longer than `maxLength`.
 */
export async function seal(settings: ServerSettings, text: string, context: string): Promise<string> {
  const [key] = await keysOf(settings);
  const sealed = await sealWith(key as SealingKey, text, context);
  if (sealed.length <= maxLength) return sealed;
  throw new Error(`The state of one call has ${sealed.length} characters; at most ${maxLength} are allowed.`);
}

/** Decrypts text of `seal`. Returns undefined if it was changed, has another context, or its key is not among the keys. */
export async function unseal(
  settings: ServerSettings,
  sealed: string,
  context: string,
): Promise<string | undefined> {
  return sealed.length > maxLength ? undefined : unsealWith(await keysOf(settings), sealed, context);
}

async function importKey(secret: Uint8Array | string): Promise<SealingKey> {
  const bytes = typeof secret === "string" ? new TextEncoder().encode(secret) : Uint8Array.from(secret);
  if (bytes.length < 32) throw new TypeError("A state key must have at least 32 bytes.");
  return crypto.subtle.importKey("raw", await crypto.subtle.digest("SHA-256", bytes), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
}
