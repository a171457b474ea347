import { getOwn } from "../../shared/object.js";
import { quote } from "./error.js";
import type { IssuerFacts, OAuthOptions } from "./options.js";

/** The identifiers that an authorization server may use: this one, and the one that the option `issuers` accepts in its place. */
export function spellingsOf({ issuers = {} }: OAuthOptions, issuer: string): readonly string[] {
  const facts = getOwn(issuers, issuer);
  const alias = typeof facts === "string" ? facts : facts?.issuer;
  return alias === undefined ? [issuer] : [issuer, alias];
}

/** What the option `issuers` says about an authorization server, under either of its identifiers. */
export function factsOf(options: OAuthOptions, issuer: string): IssuerFacts {
  const key = Object.keys(options.issuers ?? {}).find((one) => spellingsOf(options, one).includes(issuer));
  const facts = getOwn(options.issuers ?? {}, key);
  return typeof facts === "object" ? facts : {};
}

/** True if two identifiers are of one authorization server: they are equal, or the option `issuers` accepts one for the other. */
export const isSameIssuer = (options: OAuthOptions, one: string, other: string): boolean =>
  spellingsOf(options, one).includes(other) || spellingsOf(options, other).includes(one);

/**
 * What to do about another issuer than the expected one, for an error. The line that accepts it is shown only within one origin: for
 * another origin, it would help an attacker (AUTH-09, AUTH-36).
 */
export function adviceFor(issuer: string, found: unknown): string {
  const [expected, other] = [issuer, found].map((one) =>
    typeof one === "string" && URL.canParse(one) ? new URL(one).origin : undefined,
  );
  return expected !== undefined && expected === other
    ? `If its operator confirms that both are the same, add issuers: { ${quote(issuer)}: ${quote(found)} }`
    : "Its operator must correct it";
}
