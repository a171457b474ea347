import { warn } from "../report.js";
import { type Bytes, fromBase64, toBase64 } from "../base64.js";
import type { ServerSettings } from "./config.js";

// Not every set of types names it globally.
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A sealed state may be this long, in characters; a client has to carry it. */
const maxLength = 65_536;

/** A call may come back on another connection, so that all connections of a server share its keys. */
const loaded = /* @__PURE__ */ new WeakMap<ServerSettings, Promise<readonly Key[]>>();

/** The keys of a server; the first one seals. */
function keysOf(settings: ServerSettings): Promise<readonly Key[]> {
  let keys = loaded.get(settings);
  if (!keys) loaded.set(settings, (keys = load(settings)));
  return keys;
}

function load(settings: ServerSettings): Promise<readonly Key[]> {
  const { stateKeys = [] } = settings;
  const secrets = stateKeys.length > 0 ? stateKeys : [crypto.getRandomValues(new Uint8Array(32))];
  if (secrets !== stateKeys) {
    warn(
      settings,
      "No stateKeys are set: a random key seals the state of calls that wait for input, so that after a restart, or on a second replica, they will be refused.",
    );
  }
  return Promise.all(secrets.map(importKey));
}

/**
 * Seals text so that only this server can read it, and only in the place it was made for: the same is needed to open it. Throws
 * for more than a client can carry. MRTR-10: AES-GCM encrypts and authenticates.
 */
export async function seal(settings: ServerSettings, text: string, place: string): Promise<string> {
  const [key] = await keysOf(settings);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const bytes = await crypto.subtle.encrypt(algorithm(iv, place), key as Key, encoder.encode(text));
  const sealed = coded(iv) + coded(new Uint8Array(bytes));
  if (sealed.length <= maxLength) return sealed;
  throw new Error(
    `The answers of one call take ${sealed.length} characters; at most ${maxLength} can be carried.`,
  );
}

/** Undefined when the text was changed, belongs elsewhere, or was sealed with a key that is gone. */
export async function unseal(
  settings: ServerSettings,
  sealed: string,
  place: string,
): Promise<string | undefined> {
  if (sealed.length > maxLength || !/^[\w-]{16,}$/.test(sealed)) return undefined;
  const iv = decoded(sealed.slice(0, 16));
  const bytes = decoded(sealed.slice(16));
  // Some texts differ from what was given out and yet stand for the same bytes.
  if (!iv || !bytes || coded(iv) + coded(bytes) !== sealed) return undefined;
  for (const key of await keysOf(settings)) {
    try {
      return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm(iv, place), key, bytes));
    } catch {
      // Another key may fit.
    }
  }
  return undefined;
}

const encoder = /* @__PURE__ */ new TextEncoder();

const algorithm = (iv: Bytes, place: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: encoder.encode(place),
});

async function importKey(secret: Uint8Array | string): Promise<Key> {
  const bytes = typeof secret === "string" ? encoder.encode(secret) : Uint8Array.from(secret);
  if (bytes.length < 32) throw new TypeError("A state key has at least 32 bytes.");
  return crypto.subtle.importKey("raw", await crypto.subtle.digest("SHA-256", bytes), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
}

/** Base64 as it may stand in a URL. */
const coded = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const decoded = (text: string): Bytes | undefined =>
  fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
