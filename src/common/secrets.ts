import type { Bytes } from "./base64.js";
import { type SealingKey, sealWith, unsealWith } from "./sealing.js";

/** Secrets as options have them: an environment variable may be missing. */
export type Secrets = readonly (Uint8Array | string | undefined)[];

/**
 * The bytes of secrets.
 *
 * @throws TypeError, whose message begins with `where`, unless there is a
 *   secret, and each has at least 32 bytes.
 */
export function secretBytes(secrets: Secrets, where: string): readonly Bytes[] {
  const all = [secrets].flat();
  return (all.length > 0 ? all : [""]).map((secret = "", index) => {
    const bytes = Uint8Array.from(
      typeof secret === "string" ? new TextEncoder().encode(secret) : secret,
    );
    if (bytes.length >= 32) return bytes;
    throw new TypeError(
      `${where}[${index}]: expected at least 32 bytes, got ${bytes.length}. Make one with \`openssl rand -base64 32\`.`,
    );
  });
}

/** Keys for one purpose, one for each secret, made of it by HKDF. */
const keysFor = (
  secrets: readonly Bytes[],
  purpose: string,
): Promise<readonly SealingKey[]> =>
  Promise.all(
    secrets.map(async (secret) => {
      const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, [
        "deriveKey",
      ]);
      const info = new TextEncoder().encode(`mcpgen 1 ${purpose}`) as Bytes;
      const options = {
        name: "HKDF",
        hash: "SHA-256",
        salt: new Uint8Array(),
        info,
      };
      const kind = { name: "AES-GCM", length: 256 };
      return crypto.subtle.deriveKey(options, base, kind, false, [
        "encrypt",
        "decrypt",
      ]);
    }),
  );

/**
 * Encrypts for one purpose. `context` is authenticated: a text that was sealed
 * with another one does not open.
 */
export interface Sealer {
  seal(text: string, context: string): Promise<string>;
  /** Resolves with undefined for a text that none of the secrets has sealed. */
  open(sealed: string, context: string): Promise<string | undefined>;
}

/**
 * Encrypts with the keys for this purpose: the first secret seals, all of them
 * open.
 */
export function sealerFor(secrets: readonly Bytes[], purpose: string): Sealer {
  let loading: Promise<readonly SealingKey[]> | undefined;
  const keys = (): Promise<readonly SealingKey[]> =>
    (loading ??= keysFor(secrets, purpose));
  return {
    seal: async (text, context) =>
      sealWith((await keys())[0] as SealingKey, text, context),
    open: async (sealed, context) => unsealWith(await keys(), sealed, context),
  };
}
