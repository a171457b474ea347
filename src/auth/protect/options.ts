import type { Awaitable } from "../../common/timing.js";
import { checkedUrl } from "./issuer.js";
import type { Dpop, Verifier } from "./model.js";
import type { ScopeRules } from "./scopes.js";

/** Options of `protect`. */
export interface ProtectOptions {
  /**
   * The URL that clients use for the server. Tokens must be for it (RFC 8707).
   */
  readonly resource: string;
  /**
   * The issuer identifiers of the authorization servers whose tokens are
   * accepted, as tokens and metadata have them; a slash after a host may
   * differ. Or a function that says whether an issuer is one of them, for
   * tenants that come and go: it must know them, because a provider gives
   * anybody a tenant. Then `metadata` needs `authorization_servers`.
   */
  readonly issuers:
    readonly string[] | ((issuer: string) => Awaitable<boolean>);
  /**
   * The scopes that every request requires, or rules that also depend on the
   * method. By default a valid token is enough.
   */
  readonly scopes?: readonly string[] | ScopeRules | undefined;
  /** Verifies tokens; `jwt()` by default. */
  readonly verify?: Verifier | undefined;
  /**
   * Further audiences of accepted tokens, for an authorization server without
   * resource indicators.
   */
  readonly audience?: readonly string[] | undefined;
  /**
   * Accepts or requires tokens that are bound to a key: `dpop()`. By default
   * such tokens are rejected.
   */
  readonly dpop?: Dpop | undefined;
  /**
   * How long a verified token is accepted before it is verified again, in
   * milliseconds; 60,000 by default, 0 for each request.
   */
  readonly recheckTime?: number | undefined;
  /**
   * True to give handlers the token as `context.auth.token`. It must not be
   * sent to another server (AUTH-52). False by default.
   */
  readonly keepToken?: boolean | undefined;
  /**
   * True to answer callers without a token too. They have no scopes, so they
   * may use what needs none: anything else is answered with 401 and the
   * challenge that lets a client sign in. `context.auth` is undefined for them.
   * False by default.
   */
  readonly anonymous?: boolean | undefined;
  /**
   * Further members of the metadata document (RFC 9728), such as
   * `resource_name`.
   */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The authorization servers where clients of a server may sign in.
 *
 * @throws TypeError if there is none, or one is not an https URL.
 */
export function issuersFor({
  issuers,
  metadata,
}: ProtectOptions): readonly string[] {
  const named: unknown =
    typeof issuers === "function"
      ? metadata?.["authorization_servers"]
      : issuers;
  if (!Array.isArray(named) || named.length === 0)
    throw new TypeError(
      typeof issuers === "function"
        ? "protect: metadata: expected authorization_servers with at least one issuer, because `issuers` is a function."
        : "protect: issuers: expected at least one issuer, got an empty list.",
    );
  named.forEach((issuer, i) => checkedUrl(issuer, `protect: issuers[${i}]`));
  return named as readonly string[];
}
