import { AuthorizationError, quote } from "./error.js";
import { needsPerson, type OAuthOptions } from "./options.js";

/** The scopes in a `scope` parameter. */
export const scopesIn = (text: string | undefined): string[] =>
  (text ?? "").split(" ").filter((one) => one !== "");

/** All scopes of several lists, each once. */
export const union = (...lists: readonly (readonly string[])[]): string[] => [
  ...new Set(lists.flat()),
];

/** The scopes that decide which scopes are requested. */
interface ScopeSources {
  /** The scopes of the challenge, which are authoritative. */
  readonly challenged: readonly string[];
  /** The scopes that the server publishes. */
  readonly offered: readonly string[];
  /** The scopes that were requested before. */
  readonly before: readonly string[];
  /** The scopes that the authorization server publishes. */
  readonly supported: readonly string[];
}

/**
 * The scopes to request: those of the option `scopes`, or of the challenge, or
 * all that the server publishes, or none (AUTH-40, AUTH-41); with those that
 * were requested before (AUTH-57), and `offline_access` if the authorization
 * server supports it (AUTH-28).
 */
export function chooseScopes(
  options: OAuthOptions,
  { challenged, offered, before, supported }: ScopeSources,
): string[] {
  const { scopes, offline = true } = options;
  const userScopes = typeof scopes === "function" ? scopes(offered) : scopes;
  const base = userScopes ?? (challenged.length > 0 ? challenged : offered);
  const extra =
    offline && needsPerson(options) && supported.includes("offline_access")
      ? ["offline_access"]
      : [];
  return union(before, base, extra);
}

/**
 * The error for a server that requires scopes which the token does not have,
 * and which are not requested now. `why` ends the sentence about them.
 */
export function scopeError(
  server: URL,
  issuer: string | undefined,
  scopes: readonly string[],
  why: string,
): AuthorizationError {
  const message = `${server.host} needs the scope ${quote(scopes.join(" "))}, ${why}`;
  return new AuthorizationError("scope", message, server, { issuer, scopes });
}

/** How long a denied scope is not requested again, in milliseconds. */
const denialTime = 600_000;

/**
 * The scopes that were denied recently, so that a person is not asked for them
 * repeatedly (AUTH-68).
 */
export class Denials {
  readonly #until = new Map<string, number>();

  add(scopes: readonly string[]): void {
    this.#until.set(keyOf(scopes), Date.now() + denialTime);
  }

  has(scopes: readonly string[]): boolean {
    return Date.now() < (this.#until.get(keyOf(scopes)) ?? 0);
  }

  clear(): void {
    this.#until.clear();
  }
}

const keyOf = (scopes: readonly string[]): string =>
  [...scopes].sort().join(" ");
