import { compactVerify, errors, type JWSHeaderParameters } from "jose";
import { quote } from "../client/error.js";
import { isObject } from "../../common/object.js";
import { checkedAlgorithms } from "./algorithms.js";
import { acceptedIssuer, claimsOf, unknownIssuers } from "./issuer.js";
import { issuerKeys, type Keys } from "./issuer-keys.js";
import type { Claims, Verifier } from "./model.js";

/** Options of `jwt`. */
export interface JwtOptions {
  /**
   * The signature algorithms that a token may have; those with a public key by
   * default.
   */
  readonly algorithms?: readonly string[] | undefined;
  /**
   * The URL of the keys, by issuer; by default the `jwks_uri` of the issuer's
   * metadata.
   */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /**
   * How long the keys that are known are used after their time if the issuer
   * does not answer, in milliseconds, with a warning for each attempt to read
   * them; then requests get status 503. 3,600,000 by default.
   */
  readonly staleKeys?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Verifies access tokens that are signed JWTs (RFC 9068), with the keys that
 * the issuer publishes. Their type must be `at+jwt` or `JWT`, or absent.
 *
 * @throws TypeError if one of `algorithms` has no public key.
 */
export function jwt(options: JwtOptions = {}): Verifier {
  const { fetch = globalThis.fetch, staleKeys = 3_600_000 } = options;
  const algorithms = checkedAlgorithms(options.algorithms);
  const keySets = new Map<string, ReturnType<typeof issuerKeys>>();
  const reportUnknown = unknownIssuers();
  return async (token, context) => {
    const { reporting = {} } = context;
    const named = claimsOf(token)?.iss;
    const issuer = await acceptedIssuer(context, named);
    if (issuer === undefined) {
      if (named !== undefined) reportUnknown(named, reporting);
      return undefined;
    }
    let keysOf = keySets.get(issuer);
    if (!keysOf) {
      keysOf = issuerKeys(issuer, options.keys?.[issuer], fetch, staleKeys);
      // A function may accept any number of issuers.
      if (keySets.size >= maxIssuers)
        for (const oldest of keySets.keys()) if (keySets.delete(oldest)) break;
      keySets.set(issuer, keysOf);
    }
    const signed = await verifySignature(token, keysOf(reporting), algorithms);
    if (!signed || isAccessToken(signed)) return signed && claimsIn(signed);
    const type = quote(signed.protectedHeader.typ);
    const message = `A token of ${issuer} is rejected: its \`typ\` is ${type}; expected at+jwt, JWT or none.`;
    reporting.onError?.(new Error(message), "protect");
    return undefined;
  };
}

/** The number of issuers whose keys are remembered. */
const maxIssuers = 1000;

/**
 * A token that is signed by one of the keys; undefined for any other token.
 * Rejects if the keys cannot be read.
 */
async function verifySignature(
  token: string,
  keys: Keys,
  algorithms: string[],
): Promise<SignedToken | undefined> {
  try {
    return await compactVerify(token, keys, { algorithms });
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) {
      for await (const key of error) {
        const result = await compactVerify(token, key, { algorithms }).catch(
          () => undefined,
        );
        if (result) return result;
      }
      return undefined;
    }
    if (isAboutToken(error)) return undefined;
    throw error;
  }
}

/** False for a token of another type, such as an ID token of some servers. */
const isAccessToken = ({
  protectedHeader: { typ = "JWT" },
}: SignedToken): boolean => /^(application\/)?(at\+)?jwt$/i.test(String(typ));

/** The claims of a signed token; undefined if it has none. */
function claimsIn({ payload }: SignedToken): Claims | undefined {
  const claims: unknown = JSON.parse(new TextDecoder().decode(payload));
  return isObject(claims) ? claims : undefined;
}

interface SignedToken {
  readonly payload: Uint8Array;
  readonly protectedHeader: JWSHeaderParameters;
}

/**
 * True for an error that means that this token is not valid; other errors mean
 * that it could not be verified.
 */
const isAboutToken = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (error instanceof errors.JOSEError &&
    /^ERR_(JW[ST]_|JOSE_(ALG|NOT)|JWKS_NO_MATCHING)/.test(error.code));
