import { jwtVerify, SignJWT } from "jose";

/** How long a nonce is valid, in milliseconds. */
export const nonceLife = 300_000;

/** Creates and recognizes nonces without storing them (RFC 9449, section 9). */
interface Nonces {
  /** Creates a nonce: a signed JWT with the time. */
  issue(): Promise<string>;
  /**
   * The age of a nonce in milliseconds; undefined if it was not signed with
   * these keys or is no longer valid.
   */
  ageOf(nonce: unknown): Promise<number | undefined>;
}

const header = { alg: "HS256", typ: "nonce" };

/**
 * Signs nonces with the first of the secrets and accepts those of all. Without
 * secrets, a random one is used, so that a nonce is valid in this process only.
 *
 * @throws TypeError if there is no secret, or one is shorter than 32 bytes.
 */
export function createNonces(
  secrets?: readonly (string | Uint8Array)[],
): Nonces {
  const secretKeys = secrets?.map((secret) =>
    typeof secret === "string"
      ? new TextEncoder().encode(secret)
      : Uint8Array.from(secret),
  );
  if (
    secretKeys &&
    (secretKeys.length === 0 || secretKeys.some(({ length }) => length < 32))
  )
    throw new TypeError(
      "dpop: `nonce.keys` must have at least one key, and each at least 32 bytes.",
    );
  let keys = secretKeys;
  // Some platforms allow random numbers only while they handle a request.
  const load = (): readonly Uint8Array[] =>
    (keys ??= [crypto.getRandomValues(new Uint8Array(32))]);
  return {
    issue: () =>
      new SignJWT()
        .setProtectedHeader(header)
        .setIssuedAt()
        .sign(load()[0] as Uint8Array),
    async ageOf(nonce) {
      const text = typeof nonce === "string" ? nonce : "";
      for (const key of load()) {
        const rules = { algorithms: [header.alg], typ: header.typ };
        const result = await jwtVerify(text, key, rules).catch(() => undefined);
        const age = Date.now() - Number(result?.payload.iat) * 1000;
        // The clock of another replica may be ahead.
        if (Math.abs(age) <= nonceLife) return age;
      }
      return undefined;
    },
  };
}
