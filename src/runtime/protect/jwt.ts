import {
  compactVerify,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JWSHeaderParameters,
} from "jose";
import { isObject } from "../message.js";
import { checkedAlgorithms } from "./algorithms.js";
import { checkedUrl, fetchJson, readIssuerMetadata } from "./issuer.js";
import type { Claims, Verifier } from "./model.js";

/** Options of `jwt`. */
export interface JwtOptions {
  /** The signature algorithms that a token may have; those with a public key by default. */
  readonly algorithms?: readonly string[] | undefined;
  /** The URL of the keys, by issuer; by default the `jwks_uri` of the issuer's metadata. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** How long the metadata of an issuer is used, and how long it or its keys are not requested again after a failure, in milliseconds. */
const maxAge = 3_600_000;
const minRetry = 5000;
/** How long keys are used, and the minimum time between two requests for them because a token names an unknown key, in milliseconds. */
const keyTimes = { cacheMaxAge: 600_000, cooldownDuration: 30_000 };

type Keys = ReturnType<typeof createRemoteJWKSet>;

/**
 * Verifies access tokens that are signed JWTs (RFC 9068), with the keys that the issuer publishes. Their type must be `at+jwt` or `JWT`.
 *
 * @throws TypeError if one of `algorithms` has no public key.
 */
export function jwt(options: JwtOptions = {}): Verifier {
  const { fetch = globalThis.fetch } = options;
  const algorithms = checkedAlgorithms(options.algorithms);
  const keySets = new Map<string, { readonly keys: Promise<Keys>; until: number }>();

  const keysOf = (issuer: string): Promise<Keys> => {
    const now = Date.now();
    const current = keySets.get(issuer);
    if (current && current.until > now) return current.keys;
    const entry = { keys: loadKeys(issuer), until: now + maxAge };
    keySets.set(issuer, entry);
    entry.keys.catch(() => (entry.until = Date.now() + minRetry));
    return entry.keys;
  };

  const loadKeys = async (issuer: string): Promise<Keys> => {
    const configuredUrl = options.keys?.[issuer];
    const address = configuredUrl ?? (await readIssuerMetadata(issuer, fetch))["jwks_uri"];
    const url = checkedUrl(
      address,
      configuredUrl === undefined ? `jwks_uri of ${issuer}` : `jwt: keys of ${issuer}`,
    );
    const readKeys = async (keysUrl: string): Promise<Response> => {
      const { status, document } = await fetchJson(keysUrl, fetch);
      if (status === 200 && document) return Response.json(document);
      throw new Error(`${keysUrl} answered with status ${status} instead of a key set.`);
    };
    let response: Promise<Response> | undefined;
    let retryTime = 0;
    // `jose` makes one request at a time, and limits how many only after it got keys.
    const request = (keysUrl: string): Promise<Response> => {
      if (response && Date.now() < retryTime) return response;
      response = readKeys(keysUrl);
      response.catch(() => (retryTime = Date.now() + minRetry));
      return response;
    };
    return createRemoteJWKSet(url, { ...keyTimes, [customFetch]: request });
  };

  return async (token, { issuers }) => {
    const issuer = issuerOf(token);
    if (issuer === undefined || !issuers.includes(issuer)) return undefined;
    return verifyClaims(token, await keysOf(issuer), algorithms);
  };
}

/** The issuer that a token names; undefined if it is not a JWT. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** The claims of a token that is signed by one of the keys; undefined for any other token. Rejects if the keys cannot be read. */
async function verifyClaims(token: string, keys: Keys, algorithms: string[]): Promise<Claims | undefined> {
  try {
    return claimsIn(await compactVerify(token, keys, { algorithms }));
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) {
      for await (const key of error) {
        const result = await compactVerify(token, key, { algorithms }).catch(() => undefined);
        if (result) return claimsIn(result);
      }
      return undefined;
    }
    if (isAboutToken(error)) return undefined;
    throw error;
  }
}

/** The claims of a signed access token; undefined for a token of another type, such as an ID token of some servers. */
function claimsIn({ payload, protectedHeader }: SignedToken): Claims | undefined {
  const type = String(protectedHeader.typ)
    .toLowerCase()
    .replace(/^application\//, "");
  if (type !== "at+jwt" && type !== "jwt") return undefined;
  const claims: unknown = JSON.parse(new TextDecoder().decode(payload));
  return isObject(claims) ? claims : undefined;
}

interface SignedToken {
  readonly payload: Uint8Array;
  readonly protectedHeader: JWSHeaderParameters;
}

/** True for an error that means that this token is not valid; other errors mean that it could not be verified. */
const isAboutToken = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (error instanceof errors.JOSEError && /^ERR_(JW[ST]_|JOSE_(ALG|NOT)|JWKS_NO_MATCHING)/.test(error.code));
