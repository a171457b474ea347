import type { JsonObject } from "../../common/object.js";
import type { Awaitable } from "../../common/timing.js";
import type {
  AuthorizationMetadata,
  ClientKey,
  IssuerFacts,
  Tokens,
} from "./model.js";
import type { Proofs } from "./proofs.js";
import type { TokenStore } from "./store.js";

/** Options of `oauth`. */
export interface OAuthOptions {
  /** The registration of this client at authorization servers. */
  readonly client?: ClientOptions;
  /**
   * How a token is obtained: by a `Login`, which lets a person sign in; at a
   * `SignInPage` of a web application; or by another grant, such as
   * `deviceLogin` or `clientCredentials`. Without one, only tokens of the store
   * are used and renewed; if there is none, requests fail with the reason
   * `login-required`.
   */
  readonly login?: Login | SignInPage | OtherGrant;
  /** Where tokens and registrations are kept; in memory by default. */
  readonly store?: TokenStore;
  /**
   * The scopes to request first, in place of those that the server names; or a
   * function of the scopes that it offers. Scopes that a call requires later,
   * by a response of status 403, are added (step-up).
   */
  readonly scopes?:
    readonly string[] | ((offered: readonly string[]) => readonly string[]);
  /**
   * The `resource` parameter (RFC 8707), in place of what the server publishes;
   * false to send none, for servers that refuse it.
   */
  readonly resource?: string | false;
  /**
   * Chooses one of several authorization servers. By default one that this
   * client is registered with, or else the first.
   */
  readonly chooseIssuer?: (
    issuers: readonly string[],
    server: URL,
  ) => Awaitable<string>;
  /**
   * What a person knows about authorization servers, by the issuer identifier,
   * where their operators cannot correct what they publish. A text is short for
   * `{ issuer }`.
   */
  readonly issuers?: Readonly<Record<string, string | IssuerFacts>>;
  /**
   * Whether to request a refresh token by the scope `offline_access` if the
   * authorization server supports it; true by default.
   */
  readonly offline?: boolean;
  /**
   * Binds tokens to a key of this client (DPoP, RFC 9449), so that a stolen
   * token cannot be used: `true` if the authorization server supports it,
   * `"required"` to reject other servers. Each request then takes about a
   * millisecond more. False by default.
   */
  readonly dpop?: boolean | "required";
  /** Separates the tokens of several people or purposes at one server. */
  readonly account?: string;
  /**
   * The longest time for a person to sign in, in milliseconds; 300,000 by
   * default.
   */
  readonly loginTimeout?: number;
  /**
   * Allows metadata and endpoints in private networks although the MCP server
   * is not there.
   */
  readonly allowPrivate?: boolean;
  /**
   * Sends the requests to authorization servers. It must not follow redirects.
   * By default the `fetch` of `login`, or else the global one, which does not
   * check the address that a host name resolves to: on Node, use
   * `guardedFetch()` of `@mcpgen/auth/login`.
   */
  readonly fetch?: AuthFetch;
  /** Called with each step, for logs. Events contain no secrets. */
  onEvent?(event: AuthEvent): void;
}

/**
 * Sends one request of `oauth` to a URL from a document of another party. Only
 * the text of the URL was checked, not its addresses.
 */
export type AuthFetch = (
  url: URL,
  init: RequestInit,
  rules: AuthFetchRules,
) => Promise<Response>;

/** The addresses that a request may connect to. */
export interface AuthFetchRules {
  /** The MCP server. */
  readonly server: URL;
  /**
   * Tests an IP address. An address of a private network is allowed only if the
   * MCP server, whose addresses are known, is in one too.
   */
  isAllowed(address: string, serverAddresses: readonly string[]): boolean;
}

/** The registration of a client at authorization servers. */
export interface ClientOptions extends ClientKey {
  /** The name that people see when they give consent. */
  readonly name?: string;
  /**
   * The client id, if the client is registered already, with its `secret` or
   * `key` if it has one.
   */
  readonly id?: string;
  readonly secret?: string;
  /**
   * The issuer identifier of the authorization server that `id` belongs to.
   * Without it, `id` is used at the first one only. `secret` needs it, because
   * it is sent to no other server.
   */
  readonly issuer?: string;
  /**
   * The https URL of this client's metadata document, which is its id at
   * authorization servers that support such documents: with a path, without a
   * segment `.` or `..`, a fragment, a user name or a password. At one that
   * refuses it, this client registers.
   */
  readonly metadataUrl?: string;
  /** False to not register at authorization servers that would allow it. */
  readonly dynamic?: false;
}

/**
 * Lets a person sign in: opens a page of the authorization server and waits for
 * its answer.
 */
export interface Login {
  /** Sends the requests of `oauth`, if it has no `fetch` of its own. */
  readonly fetch?: AuthFetch;
  /**
   * Prepares for one answer. `preferred` is the redirect URI that this client
   * registered before, if any.
   */
  redirectUri(preferred?: string): Awaitable<Redirect>;
}

/** One sign-in of a person. */
export interface Redirect {
  /**
   * Where the authorization server sends the answer: on this machine, an https
   * URL, or a scheme of the application.
   */
  readonly uri: string;
  /**
   * Opens the page of the authorization server, without a shell. Its URL is
   * checked.
   */
  open(url: string): Awaitable<void>;
  /** Resolves with the parameters of the answer. */
  readonly answer: Promise<URLSearchParams>;
  /**
   * Releases the resources of the sign-in. Called once, after the answer or
   * when the sign-in is cancelled.
   */
  close(): void;
}

/**
 * The page of a web application to which people return after they have signed
 * in. Requests do not wait: they fail with the reason `login-required` and a
 * `signInUrl` to send the person to, and the page calls `answer` of `oauth`.
 */
export interface SignInPage {
  /** The redirect URI: the https URL of the page. */
  readonly page: string;
}

/** Obtains tokens by another grant than the authorization code. */
export interface OtherGrant {
  /**
   * True if a person takes part. The timeouts of requests stop meanwhile, and
   * the tokens are refreshed.
   */
  readonly needsPerson?: true;
  /**
   * The issuer identifier of the only authorization server that may get the
   * credentials of this grant. `token` is called for no other.
   */
  readonly issuer?: string;
  /** Capabilities that a client with this grant declares. */
  readonly capabilities?: JsonObject;
  token(request: TokenRequest): Promise<Tokens>;
}

/** Input of a grant that obtains a token. */
export interface TokenRequest {
  readonly context: Context;
  readonly store: TokenStore;
  readonly as: AuthorizationMetadata;
  /**
   * The parameters that each grant sends: `resource` and `scope`, where they
   * are known.
   */
  readonly params: Readonly<Record<string, string>>;
}

/** True if a person takes part when a token is obtained. */
export const needsPerson = ({ login }: OAuthOptions): boolean =>
  login !== undefined && (!("token" in login) || login.needsPerson === true);

/**
 * Throws a TypeError unless credentials name the authorization server that they
 * belong to (AUTH-26). `what` is the subject.
 */
export function requireIssuer(issuer: string | undefined, what: string): void {
  if (URL.canParse(issuer ?? "")) return;
  throw new TypeError(
    `${what}: the issuer identifier of the authorization server that the credentials belong to. No other server gets them.`,
  );
}

/**
 * A step: metadata is read, the client is registered, a person signs in, a
 * token is obtained, refreshed, or revoked; or support for PKCE is assumed
 * because the option `issuers` says so.
 */
export type AuthStep =
  | "discover"
  | "register"
  | "assume-pkce"
  | "sign-in"
  | "token"
  | "refresh"
  | "revoke";

/** A step of the authorization for one server. */
export interface AuthEvent {
  readonly step: AuthStep;
  readonly server: string;
  readonly issuer: string | undefined;
}

/** The state that all steps of an authorization for one server share. */
export interface Context {
  readonly server: URL;
  readonly options: OAuthOptions;
  readonly allowPrivate: boolean | undefined;
  /** Aborts when the last connection closes. */
  readonly signal: AbortSignal | undefined;
  /**
   * How far the clocks of other servers are ahead of this one, in milliseconds,
   * by origin.
   */
  readonly skews: Map<string, number>;
  /**
   * The authorization servers that have refused the metadata document of this
   * client (`client.metadataUrl`).
   */
  readonly refusedDocuments: Set<string>;
  /** Makes proofs for bound tokens; undefined if tokens are not to be bound. */
  readonly proofs: Proofs | undefined;
  /** Calls `onEvent` with a step. */
  report(step: AuthStep, issuer?: string): void;
}
