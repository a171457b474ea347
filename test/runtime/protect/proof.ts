import { createHash } from "node:crypto";
import type { DpopUse } from "@mcpgen/auth/protect";
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWK,
  SignJWT,
} from "jose";
import { vi } from "vitest";

/** A key of a client. */
export interface ProofKey {
  readonly alg: string;
  readonly privateKey: CryptoKeyLike;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
  readonly thumbprint: string;
}
type CryptoKeyLike = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];

export async function makeKey(alg = "ES256"): Promise<ProofKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, {
    extractable: true,
  });
  const [publicJwk, privateJwk] = await Promise.all([
    exportJWK(publicKey),
    exportJWK(privateKey),
  ]);
  return {
    alg,
    privateKey,
    privateJwk,
    publicJwk,
    thumbprint: await calculateJwkThumbprint(publicJwk),
  };
}

export const url = "https://mcp.example.com/mcp";
export const token = "an-access-token";

/** The expected claims of a proof of this key. */
export const useOf = (
  { thumbprint }: ProofKey,
  changes: Partial<DpopUse> = {},
): DpopUse => ({
  method: "POST",
  url,
  token,
  thumbprint,
  principal: "ada",
  ...changes,
});

/** The claims of a valid proof; undefined leaves one out. */
export type Claims = Readonly<Record<string, unknown>>;

export const claimsOf = (changes: Claims = {}): Record<string, unknown> => ({
  jti: crypto.randomUUID(),
  htm: "POST",
  htu: url,
  iat: Math.floor(Date.now() / 1000),
  ath: hashOf(token),
  ...changes,
});

/**
 * The SHA-256 of a text as base64url, by another implementation than the one
 * under test.
 */
const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("base64url");

/** A proof, as `jose` makes it. */
export const proofOf = (
  { alg, privateKey, publicJwk }: ProofKey,
  claims: Claims = {},
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> =>
  new SignJWT(claimsOf(claims))
    .setProtectedHeader({ alg, typ: "dpop+jwt", jwk: publicJwk, ...header })
    .sign(privateKey);

/**
 * Stops the clock at the beginning of a second, and returns it in seconds since
 * 1970.
 */
export function stopClock(): number {
  vi.useFakeTimers({
    toFake: ["Date"],
    now: Math.floor(Date.now() / 1000) * 1000,
  });
  return Math.floor(Date.now() / 1000);
}
export const wait = (seconds: number): void =>
  void vi.setSystemTime(Date.now() + seconds * 1000);
