import type { Reporting } from "../../runtime/core/report.js";
import type { Awaitable } from "../../common/timing.js";
import type { Auth } from "../../runtime/core/ports/transport.js";

/** The claims of an access token, with the names of RFC 9068 and RFC 7662. */
export interface Claims {
  /** The authorization server that issued the token. */
  readonly iss?: unknown;
  /** The user, or the client if it acts for itself. */
  readonly sub?: unknown;
  readonly client_id?: unknown;
  /** The server or servers that the token is for. */
  readonly aud?: unknown;
  /** When the token expires, in seconds since 1970. */
  readonly exp?: unknown;
  /** From when the token is valid, in seconds since 1970. */
  readonly nbf?: unknown;
  /** The scopes, separated by spaces; or a list under `scp` or `scopes`. */
  readonly scope?: unknown;
  readonly scp?: unknown;
  readonly scopes?: unknown;
  /**
   * `jkt` is the thumbprint of the key that the token is bound to (RFC 9449).
   */
  readonly cnf?: unknown;
  readonly [claim: string]: unknown;
}

/** The configuration of the server, for a verifier. */
export interface VerifierContext {
  /** The identifier of the server. */
  readonly resource: string;
  /**
   * The authorization servers whose tokens are accepted; an empty list if the
   * option `issuers` is a function.
   */
  readonly issuers: readonly string[];
  /** The option `issuers` if it is a function. */
  readonly accepts?: ((issuer: string) => Awaitable<boolean>) | undefined;
  /** The handlers of errors and warnings of the server. */
  readonly reporting?: Reporting | undefined;
}

/**
 * Verifies an access token: `jwt()`, `introspection()` or a function of the
 * user. Returns the claims of a token that is authentic, or undefined for any
 * other token. An error means that the token could not be verified, for example
 * because the authorization server does not answer: the request gets status 503
 * and the error goes to `onError`. `protect` itself checks issuer, audience and
 * times.
 */
export type Verifier = (
  token: string,
  context: VerifierContext,
) => Awaitable<Claims | undefined>;

/** The caller of a request, as `context.auth`. */
export interface ProtectedAuth extends Auth {
  /**
   * Identifies issuer, user and client together. It does not change when the
   * token is refreshed.
   */
  readonly principal: string;
  readonly issuer: string;
  /**
   * The user, or the client if it acts for itself; undefined if the token names
   * only a client.
   */
  readonly subject: string | undefined;
  readonly clientId: string | undefined;
  /** The scopes of the token, with those that they imply. */
  readonly scopes: readonly string[];
  /** All claims of the token. */
  readonly claims: Claims;
  /** When the token expires, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** The token itself, only with the option `keepToken`. */
  readonly token?: string | undefined;
}

/** How proofs of possession are checked: `dpop()`. */
export interface Dpop {
  /** True if a token that is bound to no key is rejected. */
  readonly isRequired: boolean;
  /** The signature algorithms that a proof may have. */
  readonly algorithms: readonly string[];
  /**
   * Checks the proof of one request whose token is valid (RFC 9449, section
   * 4.3). Rejects if the check is not possible.
   */
  check(proof: string | undefined, use: DpopUse): Promise<DpopResult>;
}

/** The request that a proof must match. */
export interface DpopUse {
  /** The HTTP method of the request. */
  readonly method: string;
  /**
   * The identifier of the server: the URL that clients use, never one that a
   * request names.
   */
  readonly url: string;
  readonly token: string;
  /** The thumbprint of the key that the token is bound to. */
  readonly thumbprint: string;
  /** The caller that the token names. */
  readonly principal: string;
}

/** The result of the check of a proof. Without `error` the proof is valid. */
export interface DpopResult {
  readonly error?: "invalid_dpop_proof" | "use_dpop_nonce" | undefined;
  /**
   * Why the proof is rejected, as a sentence that contains nothing of the
   * request.
   */
  readonly reason?: string | undefined;
  /**
   * The value of the response header `DPoP-Nonce`, if the client needs a new
   * one.
   */
  readonly nonce?: string | undefined;
}
