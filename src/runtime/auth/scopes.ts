import { needsPerson, type OAuthOptions } from "./options.js";

/** The scopes in a `scope` parameter. */
export const scopesIn = (text: string | undefined): string[] =>
  (text ?? "").split(" ").filter((one) => one !== "");

/** All scopes of several lists, each once. */
export const union = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

/** What is known about scopes when a token is asked for. */
export interface ScopeSources {
  /** The scopes of the challenge, which are authoritative. */
  readonly challenged: readonly string[];
  /** The scopes that the server publishes. */
  readonly offered: readonly string[];
  /** The scopes that were asked for before. */
  readonly before: readonly string[];
  /** The scopes that the authorization server publishes. */
  readonly supported: readonly string[];
}

/**
 * The scopes to ask for: those of the user, or of the challenge, or all that the server publishes, or none (AUTH-40, AUTH-41); with those
 * that were asked for before (AUTH-57), and `offline_access` where the authorization server has it (AUTH-28).
 */
export function chooseScopes(
  options: OAuthOptions,
  { challenged, offered, before, supported }: ScopeSources,
): string[] {
  const { scopes, offline = true } = options;
  const userScopes = typeof scopes === "function" ? scopes(offered) : scopes;
  const base = userScopes ?? (challenged.length > 0 ? challenged : offered);
  const extra =
    offline && needsPerson(options) && supported.includes("offline_access") ? ["offline_access"] : [];
  return union(before, base, extra);
}

/** How long a refused scope is not asked for again, in milliseconds. */
const denialTime = 600_000;

/** The scopes that were refused lately, so that one operation does not ask a person again and again. AUTH-68 */
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

const keyOf = (scopes: readonly string[]): string => [...scopes].sort().join(" ");
