import {
  calculateJwkThumbprint,
  EmbeddedJWK,
  type JWTPayload,
  jwtVerify,
} from "jose";
import { sha256 } from "../../common/base64.js";
import { checkedAlgorithms } from "./algorithms.js";
import type { Dpop, DpopResult, DpopUse } from "./model.js";
import { createNonces, nonceLife } from "./nonce.js";
import { memoryReplayStore, type ReplayStore } from "./replay.js";

/** How proofs of possession are checked. */
export interface DpopOptions {
  /** Reject tokens that are bound to no key. False by default. */
  readonly required?: boolean | undefined;
  /**
   * Remembers the proofs that were used. By default a `memoryReplayStore()`;
   * replicas need one that they share.
   */
  readonly replay?: ReplayStore | undefined;
  /**
   * Require a nonce of this server in each proof, which bounds the age of
   * proofs by the clock of the server. Replicas share `keys`, secrets of at
   * least 32 bytes: the first one makes nonces, all are accepted. False by
   * default.
   */
  readonly nonce?:
    boolean | { readonly keys: readonly (string | Uint8Array)[] } | undefined;
  /**
   * The signature algorithms that are accepted. By default those of RFC 7518
   * and RFC 8037 that have a public key.
   */
  readonly algorithms?: readonly string[] | undefined;
}

/** The maximum length of a proof, in characters. */
const maxLength = 8192;
/** The maximum length of the identifier of a proof, in characters. */
const maxId = 256;
/**
 * The maximum difference between the time of a proof and the clock of the
 * server, in seconds.
 */
const maxSkew = 300;

/**
 * Checks that the sender of a request has the key that its token is bound to,
 * by the proof in the header `DPoP` (RFC 9449). Each proof is accepted once,
 * within 5 minutes of its time.
 *
 * @throws TypeError if an algorithm has no public key, or a key of `nonce` is
 *   too short.
 */
export function dpop(options: DpopOptions = {}): Dpop {
  const {
    required = false,
    replay = memoryReplayStore(),
    nonce = false,
  } = options;
  const algorithms = checkedAlgorithms(options.algorithms);
  const nonces =
    nonce === false
      ? undefined
      : createNonces(nonce === true ? undefined : nonce.keys);

  async function check(
    proof: string | undefined,
    use: DpopUse,
  ): Promise<DpopResult> {
    if (proof === undefined)
      return {
        ...invalid("The request has no DPoP proof."),
        nonce: await nonces?.issue(),
      };
    const claims = await verify(proof, use, algorithms);
    if (typeof claims === "string") return invalid(claims);
    const issue = await claimsIssue(claims, use);
    if (issue !== undefined) return invalid(issue);
    const age = await nonces?.ageOf(claims["nonce"]);
    if (nonces && age === undefined)
      return {
        error: "use_dpop_nonce",
        reason: "The proof must have the nonce of the header DPoP-Nonce.",
        nonce: await nonces.issue(),
      };
    const nextNonce =
      age !== undefined && age > nonceLife / 2
        ? { nonce: await nonces?.issue() }
        : {};
    const key = await sha256(`${use.thumbprint} ${claims.jti}`);
    const isNew = await replay.add(
      key,
      (Number(claims.iat) + maxSkew + 1) * 1000,
      use.principal,
    );
    return isNew ? nextNonce : invalid("The proof was used before.");
  }

  return { isRequired: required, algorithms, check };
}

const invalid = (reason: string): DpopResult => ({
  error: "invalid_dpop_proof",
  reason,
});

/**
 * Verifies the signature of a proof with the key of the token. Returns its
 * claims, or the reason to reject it as a sentence.
 */
async function verify(
  proof: string,
  { thumbprint }: DpopUse,
  algorithms: readonly string[],
): Promise<JWTPayload | string> {
  if (proof.length > maxLength)
    return `The proof has more than ${maxLength} characters.`;
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(proof))
    return "The header DPoP must hold exactly one signed JWT.";
  let reason =
    "The proof must be a JWT of type dpop+jwt, signed with its public jwk and an algorithm that the server supports.";
  try {
    const { payload } = await jwtVerify(
      proof,
      async (header, jws) => {
        const jwk = header.jwk ?? {};
        if (Object.keys(jwk).some((name) => privateMembers.test(name)))
          throw new TypeError(
            (reason = "The jwk of the proof must not have a private part."),
          );
        // Before the signature is verified, so that a client cannot choose a
        // key that is slow to verify.
        if ((await calculateJwkThumbprint(jwk)) !== thumbprint)
          throw new TypeError(
            (reason =
              "The key of the proof is not the key that the token is bound to."),
          );
        return EmbeddedJWK(header, jws);
      },
      // The tolerance is for `exp` and `nbf`, which a proof may have.
      { typ: "dpop+jwt", algorithms: [...algorithms], clockTolerance: maxSkew },
    );
    return payload;
  } catch {
    return reason;
  }
}

/** The members of a JWK that are secret (RFC 7518, section 6). */
const privateMembers = /^(d|p|q|dp|dq|qi|oth|k|priv)$/;

/**
 * The reason to reject the claims of a proof for this request, as a sentence;
 * undefined if they are valid.
 */
async function claimsIssue(
  { jti, iat, ...claims }: JWTPayload,
  use: DpopUse,
): Promise<string | undefined> {
  if (claims["htm"] !== use.method)
    return "The claim htm is not the method of the request.";
  if (!isSameTarget(claims["htu"], use.url))
    return "The claim htu is not the URL of this server.";
  const now = Math.floor(Date.now() / 1000);
  if (typeof iat !== "number" || !(Math.abs(now - iat) <= maxSkew))
    return "The claim iat is more than 5 minutes from the time of this server.";
  if (claims["ath"] !== (await sha256(use.token)))
    return "The claim ath is not the hash of the token.";
  if (typeof jti !== "string" || jti === "" || jti.length > maxId)
    return `The claim jti must have 1 to ${maxId} characters.`;
  return undefined;
}

/** True if a claim is the URL of the server. Query and fragment are ignored. */
function isSameTarget(claim: unknown, url: string): boolean {
  return (
    typeof claim === "string" &&
    URL.canParse(claim) &&
    targetOf(claim) === targetOf(url)
  );
}

function targetOf(text: string): string {
  const url = new URL(text);
  url.protocol = url.protocol.replace(/^ws/, "http");
  url.search = "";
  url.hash = "";
  return url.href;
}
