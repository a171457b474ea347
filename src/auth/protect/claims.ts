import { quote } from "../client/error.js";
import type { Reporting } from "../../runtime/core/report.js";
import type { Claims, ProtectedAuth } from "./model.js";
import { type ScopeRules, scopesIn, withImplied } from "./scopes.js";

/** The tokens that a server accepts. */
interface ClaimRules {
  /**
   * The accepted issuer that the token names; undefined if it names another
   * one.
   */
  readonly issuer: string | undefined;
  /** The accepted issuers, for the operator. */
  readonly issuers: readonly string[];
  /** A token must be for one of these. */
  readonly audiences: readonly string[];
}

/**
 * How much earlier than `nbf` a token is accepted, in milliseconds, because
 * clocks differ.
 */
const clockTolerance = 30_000;

/** Why a token is rejected. */
interface ClaimsError {
  /** A sentence for the client. */
  readonly reason: string;
  /**
   * The value that is not accepted, for the operator; undefined if the token
   * has merely expired.
   */
  readonly detail?: string;
}

/**
 * Why a server does not accept a token with these claims at this time;
 * undefined if it does (AUTH-51).
 */
export function claimsError(
  { iss, sub, aud, exp, nbf, ...claims }: Claims,
  { issuer, issuers, audiences }: ClaimRules,
  now: number,
): ClaimsError | undefined {
  if (issuer === undefined)
    return {
      reason: "The token is of another issuer.",
      detail: `\`iss\` is ${quote(iss)}, and \`issuers\` ${issuers.length === 0 ? "does not accept it" : `are ${listOf(issuers)}`}.`,
    };
  const targets = (Array.isArray(aud) ? (aud as unknown[]) : [aud]).filter(
    (one) => typeof one === "string",
  );
  const accepted = new Set(audiences.map(comparable));
  if (!targets.some((one) => accepted.has(comparable(one))))
    return {
      reason: "The token is for another server.",
      detail: `\`aud\` is ${listOf(targets)}, and \`resource\` and \`audience\` are ${listOf(audiences)}.`,
    };
  if (typeof exp !== "number" || !(exp * 1000 > now))
    return { reason: "The token has expired." };
  if (
    nbf !== undefined &&
    !(typeof nbf === "number" && nbf * 1000 <= now + clockTolerance)
  )
    return {
      reason: "The token is not valid yet.",
      detail: `\`nbf\` is ${Number(nbf)}, and the time of this server is ${Math.floor(now / 1000)}.`,
    };
  const hasSubject =
    sub === undefined ? clientOf(claims) !== undefined : isName(sub);
  if (hasSubject) return undefined;
  const detail = "It has no text `sub`, `client_id` or `azp`.";
  return { reason: "The token names neither a user nor a client.", detail };
}

/**
 * An audience as it is compared: a URL in its normal form (RFC 3986, section
 * 6.2.3), any other text as it is.
 */
const comparable = (audience: string): string =>
  /^https?:/i.test(audience) && URL.canParse(audience)
    ? new URL(audience).href
    : audience;

const listOf = (texts: readonly string[]): string =>
  texts.slice(0, 10).map(quote).join(", ") || "nothing";

/** The reason for the client. What only an operator can correct is reported. */
export function reported(
  { reason, detail }: ClaimsError,
  issuer: unknown,
  reporting: Reporting,
): string {
  const text = `A token of ${quote(issuer)} is rejected: ${reason} ${detail}`;
  if (detail !== undefined) reporting.onError?.(new Error(text), "protect");
  return reason;
}

/**
 * The caller that a token names, whose claims were accepted. `issuer` is
 * spelled as the option `issuers` has it, so that a caller has one principal.
 */
export function authOf(
  claims: Claims,
  issuer: string,
  implies: ScopeRules["implies"],
  token: string | undefined,
): ProtectedAuth {
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
  if (token !== undefined)
    Object.defineProperty(auth, "token", { value: token });
  return Object.freeze(auth);
}

/**
 * Freezes a value deeply, because all requests with one token share its claims.
 */
function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null)
    Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/**
 * The thumbprint of the key that a token is bound to; undefined if it is not
 * bound, empty if it is bound in an unknown way.
 */
export function thumbprintOf({ cnf }: Claims): string | undefined {
  if (cnf === undefined) return undefined;
  const { jkt } = Object(cnf) as { readonly jkt?: unknown };
  // A token that is bound in another way must not count as unbound.
  return typeof jkt === "string" ? jkt : "";
}

/** Authorization servers that do not follow RFC 9068 name the client `azp`. */
const clientOf = ({ client_id: id, azp }: Claims): string | undefined =>
  [id, azp].find(isName);

const isName = (value: unknown): value is string =>
  typeof value === "string" && value !== "";
