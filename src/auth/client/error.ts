import { getOwn, isObject } from "../../common/object.js";
import type { IssuerFacts } from "./model.js";

// The mark of the errors of `@mcpgen/runtime`: each copy of the runtime takes
// an `AuthorizationError` for an error of the transport.
const brand: unique symbol = /* @__PURE__ */ Symbol.for("mcpgen.error");

/**
 * Why a client is not authorized:
 *
 * - `login-required`: no person can sign in here;
 * - `denied`: the person or the authorization server denied access;
 * - `timeout`: nobody signed in in time;
 * - `issuer`: the issuer is not the expected one;
 * - `resource`: the metadata is about another server;
 * - `metadata`: the metadata cannot be used;
 * - `registration`: this client is not registered;
 * - `scope`: a scope is not granted;
 * - `grant`: the authorization server issues no token, or one that the server
 *   rejects;
 * - `unsafe-url`: a URL must not be requested or opened;
 * - `store`: the store of the tokens cannot be used;
 * - `network`: a server cannot be reached.
 */
export type AuthorizationReason =
  | "login-required"
  | "denied"
  | "timeout"
  | "issuer"
  | "resource"
  | "metadata"
  | "registration"
  | "scope"
  | "grant"
  | "unsafe-url"
  | "store"
  | "network";

/** The members of an `AuthorizationError` besides its reason and message. */
interface AuthorizationErrorOptions extends ErrorOptions {
  readonly issuer?: string | undefined;
  readonly code?: string | undefined;
  readonly signInUrl?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly issuers?: Readonly<Record<string, string | IssuerFacts>> | undefined;
  readonly isRetryable?: boolean;
}

/**
 * The client could not be authorized. The message says why, and what to do. It
 * never contains a token or a secret.
 */
export class AuthorizationError extends Error {
  readonly reason: AuthorizationReason;
  /** The URL of the MCP server, without its query. */
  readonly server: string;
  /** The issuer identifier of the authorization server, if it is known. */
  readonly issuer: string | undefined;
  /** The error code of the authorization server, such as `invalid_grant`. */
  readonly code: string | undefined;
  /**
   * Where to send the person, if the client signs people in at a `SignInPage`.
   */
  readonly signInUrl: string | undefined;
  /** The scopes that the server requires, if the token lacks some of them. */
  readonly scopes: readonly string[] | undefined;
  /**
   * What the option `issuers` must say to go on, if the message advises that.
   */
  readonly issuers: Readonly<Record<string, string | IssuerFacts>> | undefined;
  /**
   * As in each error of the transport: 401, unless a server cannot be reached
   * or the store cannot be used.
   */
  readonly status: number | undefined;
  /** As in each error of the transport. */
  readonly isSessionLost: boolean = false;
  /** True if the failure may be temporary. */
  readonly isRetryable: boolean;
  /** As in each error of the transport. */
  readonly retryAfter: number | undefined = undefined;

  constructor(
    reason: AuthorizationReason,
    message: string,
    server: URL,
    {
      issuer,
      code,
      signInUrl,
      scopes,
      issuers,
      isRetryable = reason === "network",
      cause,
    }: AuthorizationErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    Object.defineProperties(this, {
      name: { value: "AuthorizationError" },
      [brand]: { value: "TransportError" },
    });
    this.status = reason === "network" || reason === "store" ? undefined : 401;
    this.isRetryable = isRetryable;
    this.reason = reason;
    this.server = server.origin + server.pathname;
    this.issuer = issuer;
    this.code = code;
    this.signInUrl = signInUrl;
    this.scopes = scopes;
    this.issuers = issuers;
  }
}

/** Tests for an `AuthorizationError` of any copy of this package. */
export const isAuthorizationError = (
  value: unknown,
): value is AuthorizationError =>
  isObject(value) && brand in value && value["name"] === "AuthorizationError";

/**
 * Formats a value of another party for a message: one line, with at most 200
 * characters of the value.
 */
export const quote = (value: unknown): string =>
  typeof value === "string"
    ? JSON.stringify(value.slice(0, 200)).replace(/[^\P{C}]/gu, "\ufffd")
    : value === undefined
      ? "nothing"
      : "no text";

/** What to do about a refusal of an authorization server, by its code. */
const adviceByCode: Readonly<Record<string, string>> = {
  access_denied: "Sign in again to grant access.",
  invalid_grant: "Sign in again.",
  invalid_client: "Sign in again, or check `client` if you have set it.",
  invalid_scope:
    "Set `scopes` to those that it accepts, or `offline: false` if it refuses `offline_access`.",
};

/**
 * The sentence that ends an error about a refusal with this code, or with
 * none.
 */
export const adviceOn = (code: string | undefined): string =>
  getOwn(adviceByCode, code ?? "") ?? "Ask its operator for the reason.";
