import { warn } from "../report.js";
import { type Bytes, fromBase64, toBase64 } from "../../shared/base64.js";
import type { ServerSettings } from "./config.js";

// Not all type libraries declare `CryptoKey` globally.
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Maximum length of an encrypted state, in characters, because the client carries it. */
const maxLength = 65_536;

/** The keys of each server. A call may continue on another connection, so all connections of a server share them. */
const keyCache = /* @__PURE__ */ new WeakMap<ServerSettings, Promise<readonly Key[]>>();

/** The keys of a server; the first one encrypts. */
function keysOf(settings: ServerSettings): Promise<readonly Key[]> {
  let keys = keyCache.get(settings);
  if (!keys) keyCache.set(settings, (keys = load(settings)));
  return keys;
}

function load(settings: ServerSettings): Promise<readonly Key[]> {
  const { stateKeys = [] } = settings;
  const secrets = stateKeys.length > 0 ? stateKeys : [crypto.getRandomValues(new Uint8Array(32))];
  if (secrets !== stateKeys) {
    warn(
      settings,
      "stateKeys is not set, so a random key encrypts the state of calls that wait for input. After a restart, or on another replica, these calls fail.",
    );
  }
  return Promise.all(secrets.map(importKey));
}

/**
 * Encrypts and authenticates text with AES-GCM (MRTR-10). `unseal` needs the same `context`. Rejects if the result is longer than
 * `maxLength`.
 */
export async function seal(settings: ServerSettings, text: string, context: string): Promise<string> {
  const [key] = await keysOf(settings);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const bytes = await crypto.subtle.encrypt(algorithm(iv, context), key as Key, encoder.encode(text));
  const sealed = encode(iv) + encode(new Uint8Array(bytes));
  if (sealed.length <= maxLength) return sealed;
  throw new Error(`The state of one call has ${sealed.length} characters; at most ${maxLength} are allowed.`);
}

/** Decrypts text of `seal`. Returns undefined if it was changed, has another context, or its key is not among the keys. */
export async function unseal(
  settings: ServerSettings,
  sealed: string,
  context: string,
): Promise<string | undefined> {
  if (sealed.length > maxLength || !/^[\w-]{16,}$/.test(sealed)) return undefined;
  const iv = decode(sealed.slice(0, 16));
  const bytes = decode(sealed.slice(16));
  // Different base64 texts can decode to the same bytes. Only the original text is valid.
  if (!iv || !bytes || encode(iv) + encode(bytes) !== sealed) return undefined;
  for (const key of await keysOf(settings)) {
    try {
      return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm(iv, context), key, bytes));
    } catch {
      // Tries the next key.
    }
  }
  return undefined;
}

const encoder = /* @__PURE__ */ new TextEncoder();

const algorithm = (iv: Bytes, context: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: encoder.encode(context),
});

async function importKey(secret: Uint8Array | string): Promise<Key> {
  const bytes = typeof secret === "string" ? encoder.encode(secret) : Uint8Array.from(secret);
  if (bytes.length < 32) throw new TypeError("A state key must have at least 32 bytes.");
  return crypto.subtle.importKey("raw", await crypto.subtle.digest("SHA-256", bytes), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
}

/** Bytes as base64url without padding. */
const encode = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const decode = (text: string): Bytes | undefined =>
  fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
