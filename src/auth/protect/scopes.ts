import { getOwn, textsIn } from "../../common/object.js";

type ScopesByName = Readonly<Record<string, readonly string[]>>;

/** The scopes that a server requires. */
export interface ScopeRules {
  /** The scopes that every request requires. */
  readonly base?: readonly string[] | undefined;
  /** Further scopes by method: `{ "resources/read": ["files:read"] }`. */
  readonly methods?: ScopesByName | undefined;
  /**
   * Scopes that a scope includes, transitively: `{ files: ["files:read"] }`
   * (AUTH-58).
   */
  readonly implies?: ScopesByName | undefined;
}

/**
 * The scopes of a token: the claim `scope` as text, or `scp` or `scopes` as a
 * list or text. A value of another type has no scopes.
 */
export function scopesIn(claims: Readonly<Record<string, unknown>>): string[] {
  const { scope, scp, scopes } = claims;
  const value = scope ?? scp ?? scopes;
  if (typeof value !== "string") return textsIn(value);
  return value.split(" ").filter(Boolean);
}

/** The scopes and all that they imply. */
export function withImplied(
  scopes: readonly string[],
  implies: ScopeRules["implies"] = {},
): string[] {
  const all = new Set(scopes);
  // The loop also visits the values that it adds to the Set.
  for (const scope of all)
    for (const implied of getOwn(implies, scope) ?? []) all.add(implied);
  return [...all];
}
