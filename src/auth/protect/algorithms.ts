/**
 * The signature algorithms with a public key that every platform supports (RFC
 * 7518, RFC 8037).
 */
const publicKeyAlgorithms: readonly string[] =
  /* @__PURE__ */ "ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512".split(
    " ",
  );

/**
 * Checks the algorithms that a server accepts. `none` and shared secrets are
 * not allowed, because then a client could sign tokens itself.
 *
 * @throws TypeError if one has no public key.
 */
export function checkedAlgorithms(
  algorithms: readonly string[] = publicKeyAlgorithms,
): string[] {
  for (const name of algorithms)
    if (!/^((ES|PS|RS)(256|384|512)|Ed(DSA|25519)|ML-DSA-\d\d)$/.test(name))
      throw new TypeError(
        `algorithms: ${JSON.stringify(name)} is not a signature algorithm with a public key, such as "ES256".`,
      );
  return [...algorithms];
}
