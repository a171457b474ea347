import type { SealingKey } from "./sealing.js";

/** Secrets as options have them: an environment variable may be missing. */
export type Secrets = readonly (Uint8Array | string | undefined)[];

const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * The bytes of secrets.
 *
 * @throws TypeError, whose message begins with `where`, unless there is a secret, and each has at least 32 bytes.
 */
export function secretBytes(secrets: Secrets, where: string): readonly Uint8Array[] {
  if (!Array.isArray(secrets) || secrets.length === 0)
    throw new TypeError(`${where}: secrets: expected at least one secret, got none.`);
  return (secrets as Secrets).map((secret, index) => {
    const bytes = typeof secret === "string" ? encoder.encode(secret) : Uint8Array.from(secret ?? []);
    if (bytes.length >= 32) return bytes;
    throw new TypeError(
      `${where}: secrets[${index}]: expected at least 32 bytes, got ${bytes.length}. Make one with \`openssl rand -base64 32\`.`,
    );
  });
}

/** Bytes for one purpose, made of a secret by HKDF. */
export async function derive(secret: Uint8Array, purpose: string): Promise<Uint8Array> {
  const base = await crypto.subtle.importKey("raw", Uint8Array.from(secret), "HKDF", false, ["deriveBits"]);
  const info = encoder.encode(`mcpgen 1 ${purpose}`);
  const options = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return new Uint8Array(await crypto.subtle.deriveBits(options, base, 256));
}

/** Keys for one purpose, one for each secret. */
export const keysFor = (secrets: readonly Uint8Array[], purpose: string): Promise<readonly SealingKey[]> =>
  Promise.all(
    secrets.map(async (secret) =>
      crypto.subtle.importKey("raw", Uint8Array.from(await derive(secret, purpose)), "AES-GCM", false, [
        "encrypt",
        "decrypt",
      ]),
    ),
  );
