import { type Bytes, fromBase64Url, toBase64Url } from "./base64.js";

/** A key of AES-GCM. Not all type libraries declare `CryptoKey` globally. */
export type SealingKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const encode = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;

const algorithm = (iv: Bytes | undefined, context: string) => ({
  name: "AES-GCM",
  // Without one, decryption rejects.
  iv: iv as Bytes,
  additionalData: encode(context),
});

/**
 * Encrypts and authenticates text with AES-GCM, as base64url. `unsealWith`
 * needs the same `context`.
 */
export async function sealWith(
  key: SealingKey,
  text: string,
  context: string,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12)) as Bytes;
  const bytes = await crypto.subtle.encrypt(
    algorithm(iv, context),
    key,
    encode(text),
  );
  return toBase64Url(iv) + toBase64Url(new Uint8Array(bytes));
}

/**
 * Decrypts text of `sealWith`. Resolves with undefined if it was changed, has
 * another context, or its key is not among the keys.
 */
export async function unsealWith(
  keys: readonly SealingKey[],
  sealed: string,
  context: string,
): Promise<string | undefined> {
  const iv = fromBase64Url(sealed.slice(0, 16));
  const bytes = fromBase64Url(sealed.slice(16));
  for (const key of keys) {
    try {
      const text = await crypto.subtle.decrypt(
        algorithm(iv, context),
        key,
        bytes as Bytes,
      );
      return new TextDecoder().decode(text);
    } catch {
      // `sealWith` did not make this text, or it used another key.
    }
  }
  return undefined;
}
