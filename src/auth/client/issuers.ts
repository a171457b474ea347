import { getOwn } from "../../common/object.js";
import { quote } from "./error.js";
import type { IssuerFacts } from "./model.js";
import type { OAuthOptions } from "./options.js";

/**
 * An identifier and, if it has no path, the same one with or without a slash at
 * its end, which is equal (RFC 3986, section 6.2.3).
 */
export function equalIssuers(issuer: string): readonly string[] {
  const [, root] = /^(https?:\/\/[^/?#]+)\/?$/i.exec(issuer) ?? [];
  return root === undefined
    ? [issuer]
    : [issuer, issuer === root ? `${root}/` : root];
}

/**
 * An identifier, and the one that the option `issuers` accepts in its place.
 */
function withAlias(
  { issuers = {} }: OAuthOptions,
  issuer: string,
): readonly string[] {
  const facts = getOwn(issuers, issuer);
  const alias = typeof facts === "string" ? facts : facts?.issuer;
  return alias === undefined ? [issuer] : [issuer, alias];
}

/**
 * The identifiers that the metadata of an authorization server may have: this
 * one, those that are equal, and what `issuers` accepts.
 */
export const spellingsOf = (
  options: OAuthOptions,
  issuer: string,
): readonly string[] =>
  equalIssuers(issuer)
    .flatMap((one) => withAlias(options, one))
    .flatMap(equalIssuers);

/**
 * What the option `issuers` says about an authorization server, under either of
 * its identifiers.
 */
export function factsOf(options: OAuthOptions, issuer: string): IssuerFacts {
  const key = Object.keys(options.issuers ?? {}).find((one) =>
    spellingsOf(options, one).includes(issuer),
  );
  const facts = getOwn(options.issuers ?? {}, key);
  return typeof facts === "object" ? facts : {};
}

/**
 * True if two identifiers are of one authorization server: they are equal, or
 * the option `issuers` accepts one for the other.
 */
export const isSameIssuer = (
  options: OAuthOptions,
  one: string,
  other: string,
): boolean =>
  spellingsOf(options, one).includes(other) ||
  spellingsOf(options, other).includes(one);

/**
 * True for an answer of this issuer: it must name it exactly, or by what the
 * option `issuers` accepts (AUTH-36).
 */
export const isAnswerOf = (
  options: OAuthOptions,
  issuer: string,
  named: string,
): boolean =>
  withAlias(options, issuer).includes(named) ||
  withAlias(options, named).includes(issuer);

/**
 * What to do about another issuer than the expected one, for an error. The line
 * that accepts it is shown only within one origin: for another origin, it would
 * help an attacker (AUTH-09, AUTH-36).
 */
export function adviceFor(
  issuer: string,
  found: unknown,
): {
  readonly text: string;
  readonly issuers?: Readonly<Record<string, string>>;
} {
  const [expected, other] = [issuer, found].map((one) =>
    typeof one === "string" && URL.canParse(one)
      ? new URL(one).origin
      : undefined,
  );
  if (expected === undefined || expected !== other)
    return { text: "Its operator must correct it" };
  const text = `If its operator confirms that both are the same, add issuers: { ${quote(issuer)}: ${quote(found)} }`;
  return { text, issuers: { [issuer]: String(found) } };
}
