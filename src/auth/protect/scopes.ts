/** The scopes that a server requires. */
export interface ScopeRules {
  /** The scopes that every request requires. */
  readonly base?: readonly string[] | undefined;
  /** Further scopes by method: `{ "resources/read": ["files:read"] }`. */
  readonly methods?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * Scopes that a scope includes, transitively: `{ files: ["files:read"] }`
   * (AUTH-58).
   */
  readonly implies?: Readonly<Record<string, readonly string[]>> | undefined;
}

/**
 * The scopes of a token: the claim `scope` as text, or `scp` or `scopes` as a
 * list or text. A value of another type has no scopes.
 */
export function scopesIn(claims: Readonly<Record<string, unknown>>): string[] {
  const value = claims["scope"] ?? claims["scp"] ?? claims["scopes"];
  if (typeof value === "string") return value.split(" ").filter(Boolean);
  return Array.isArray(value)
    ? value.filter((one): one is string => typeof one === "string")
    : [];
}

/** The scopes and all that they imply. */
export function withImplied(
  scopes: readonly string[],
  implies: ScopeRules["implies"] = {},
): string[] {
  const all = new Set(scopes);
  // The loop also visits the values that it adds to the Set.
  for (const scope of all)
    if (Object.hasOwn(implies, scope))
      implies[scope]?.forEach((one) => all.add(one));
  return [...all];
}
