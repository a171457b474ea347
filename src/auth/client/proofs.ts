import type { JWK } from "jose";
import { sha256 } from "../../common/base64.js";
import type { AuthorizationMetadata } from "./model.js";

/**
 * The private key of bound tokens, as JSON, so that it can be stored with them.
 */
export type ProofKey = Readonly<Record<string, unknown>>;

/**
 * The algorithm of all proofs; authorization servers that support DPoP support
 * it.
 */
const alg = "ES256";

/** True if an authorization server can bind tokens to a key. */
export const bindsTokens = ({
  dpop_signing_alg_values_supported: algs,
}: AuthorizationMetadata): boolean => Array.isArray(algs) && algs.includes(alg);

/** The maximum number of servers whose nonces are kept. */
const maxNonces = 100;

/**
 * Creates proofs that this client has the key which its tokens are bound to
 * (RFC 9449; AUTH-80).
 */
export class Proofs {
  readonly #skews: Map<string, number>;
  /** The last nonce of each server, by origin. */
  readonly #nonces = new Map<string, string>();
  #key: Promise<ProofKey> | undefined;

  /**
   * `skews`: how far the clocks of servers are ahead, in milliseconds, by
   * origin.
   */
  constructor(skews: Map<string, number>) {
    this.#skews = skews;
  }

  /** The key; created on first use if none was set. */
  key(): Promise<ProofKey> {
    return (this.#key ??= makeKey());
  }

  /** Uses the key of a stored token. */
  use(key: ProofKey): void {
    this.#key = Promise.resolve(key);
  }

  /** Stores the nonce that a server requires in the next proof. */
  read(origin: string, nonce: string | null | undefined): void {
    if (!nonce) return;
    this.#nonces.delete(origin);
    this.#nonces.set(origin, nonce);
    const [oldest] = this.#nonces.keys();
    if (this.#nonces.size > maxNonces) this.#nonces.delete(String(oldest));
  }

  /**
   * Creates a proof for one request. `token` is set for a request to an MCP
   * server.
   */
  async make(
    method: string,
    { origin, pathname }: URL,
    token?: string,
  ): Promise<string> {
    const { importJWK, SignJWT } = await import("jose");
    const secret = await this.key();
    const { d: _, ...jwk } = secret;
    const claims = {
      jti: crypto.randomUUID(),
      htm: method,
      htu: origin + pathname,
      nonce: this.#nonces.get(origin),
      ath: token === undefined ? undefined : await sha256(token),
    };
    const now = Date.now() + (this.#skews.get(origin) ?? 0);
    return new SignJWT(claims)
      .setProtectedHeader({ alg, typ: "dpop+jwt", jwk: jwk as JWK })
      .setIssuedAt(Math.floor(now / 1000))
      .sign(await importJWK(secret as unknown as JWK, alg));
  }
}

async function makeKey(): Promise<ProofKey> {
  const { exportJWK, generateKeyPair } = await import("jose");
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)) };
}
