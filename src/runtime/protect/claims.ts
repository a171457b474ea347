import type { Claims, ProtectedAuth } from "./model.js";
import { type ScopeRules, scopesIn, withImplied } from "./scopes.js";

/** The tokens that a server accepts. */
export interface ClaimRules {
  readonly issuers: readonly string[];
  /** A token must be for one of these. */
  readonly audiences: readonly string[];
}

/** How much earlier than `nbf` a token is accepted, in milliseconds, because clocks differ. */
const clockTolerance = 30_000;

/** Why a server does not accept a token with these claims at this time; undefined if it does (AUTH-51). */
export function claimsError(
  { iss, sub, aud, exp, nbf, ...claims }: Claims,
  { issuers, audiences }: ClaimRules,
  now: number,
): string | undefined {
  if (typeof iss !== "string" || !issuers.includes(iss)) return "The token is of another issuer.";
  const targets = typeof aud === "string" ? [aud] : Array.isArray(aud) ? (aud as unknown[]) : [];
  if (!audiences.some((one) => targets.includes(one))) return "The token is for another server.";
  if (typeof exp !== "number" || !(exp * 1000 > now)) return "The token has expired.";
  if (nbf !== undefined && !(typeof nbf === "number" && nbf * 1000 <= now + clockTolerance))
    return "The token is not valid yet.";
  const hasSubject = sub === undefined ? clientOf(claims) !== undefined : isName(sub);
  return hasSubject ? undefined : "The token names neither a user nor a client.";
}

/** The caller that a token names, whose claims were accepted. */
export function authOf(
  claims: Claims,
  implies: ScopeRules["implies"],
  token: string | undefined,
): ProtectedAuth {
  const issuer = claims.iss as string;
  const subject = claims.sub as string | undefined;
  const clientId = clientOf(claims);
  const auth = {
    principal: JSON.stringify([issuer, subject ?? null, clientId ?? null]),
    issuer,
    subject,
    clientId,
    scopes: Object.freeze(withImplied(scopesIn(claims), implies)),
    claims: deepFreeze({ ...claims }),
    expiresAt: (claims.exp as number) * 1000,
  };
  // A handler that logs the caller does not log the token.
  if (token !== undefined) Object.defineProperty(auth, "token", { value: token });
  return Object.freeze(auth);
}

/** Freezes a value deeply, because all requests with one token share its claims. */
function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** The thumbprint of the key that a token is bound to; undefined if it is not bound, empty if it is bound in an unknown way. */
export function thumbprintOf({ cnf }: Claims): string | undefined {
  if (cnf === undefined) return undefined;
  const { jkt } = Object(cnf) as { readonly jkt?: unknown };
  // A token that is bound in another way must not count as unbound.
  return typeof jkt === "string" ? jkt : "";
}

/** Authorization servers that do not follow RFC 9068 name the client `azp`. */
const clientOf = ({ client_id: id, azp }: Claims): string | undefined => [id, azp].find(isName);

const isName = (value: unknown): value is string => typeof value === "string" && value !== "";
