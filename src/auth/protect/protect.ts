import type {
  Admission,
  ProtectedRequest,
  Protection,
  Rejection,
} from "../../runtime/core/ports/protection.js";
import type { Refused } from "../../runtime/core/errors.js";
import type { Auth } from "../../runtime/core/ports/transport.js";
import type { Reporting } from "../../runtime/core/report.js";
import { type Awaitable, maxDelay } from "../../common/timing.js";
import { authOf, claimsError, reported, thumbprintOf } from "./claims.js";
import { type Credentials, readCredentials, challenge } from "./credentials.js";
import { acceptedIssuer, checkedUrl } from "./issuer.js";
import { jwt } from "./jwt.js";
import { type ResourceMetadata, resourceMetadata } from "./metadata.js";
import type {
  Dpop,
  ProtectedAuth,
  Verifier,
  VerifierContext,
} from "./model.js";
import { issuersFor, type ProtectOptions } from "./options.js";
import type { ScopeRules } from "./scopes.js";
import { VerificationCache } from "./verification-cache.js";

/**
 * The caller of an accepted token, or the reason to reject it as a sentence.
 */
type TokenResult = { readonly credentials: Credentials } & (
  | { readonly auth: ProtectedAuth; readonly thumbprint: string | undefined }
  | { readonly reason: string }
);

/** The maximum number of verified tokens that are remembered. */
const maxResults = 1000;
/**
 * How long a token stays rejected without another verification, in
 * milliseconds.
 */
const rejectionTime = 5000;
/**
 * The maximum time to verify the token of an open stream again, in
 * milliseconds.
 */
const maxCheck = 10_000;

/**
 * Protects an MCP server with OAuth access tokens: the option `protect` of
 * `createHttpHandler`, `createSseHandler` and `serveWebSocket` (specification:
 * Authorization). Handlers find the caller, a `ProtectedAuth`, in
 * `context.auth`.
 *
 * @throws TypeError if `resource` or an issuer is not an https URL, or an http
 *   URL of this machine; if there is no issuer; or if `resource` has a
 *   fragment.
 */
export function protect(options: ProtectOptions): Protection {
  return new TokenProtection(options);
}

class TokenProtection implements Protection {
  readonly #options: ProtectOptions;
  readonly #rules: ScopeRules;
  readonly #base: readonly string[];
  /** The base scopes and those of the method, by method. */
  readonly #byMethod: ReadonlyMap<string, readonly string[]>;
  readonly #verify: Verifier;
  readonly #issuers: Pick<VerifierContext, "issuers" | "accepts">;
  readonly #recheckTime: number;
  readonly #results = new VerificationCache<TokenResult>(maxResults);
  /** The token of each caller, to verify it again. */
  readonly #credentials = new WeakMap<Auth, Credentials>();
  readonly #metadata: ResourceMetadata;
  /** The handlers of the server that asked last. */
  #reporting: Reporting = {};

  constructor(options: ProtectOptions) {
    const { resource, issuers, scopes = [], dpop } = options;
    checkedUrl(resource, "protect: resource");
    if (resource.includes("#"))
      throw new TypeError(
        `protect: resource: expected a URL without a fragment, got ${resource}.`,
      );
    const named = issuersFor(options);
    this.#options = options;
    this.#rules = "length" in scopes ? { base: scopes } : scopes;
    const { base = [], methods = {} } = this.#rules;
    this.#base = base;
    this.#byMethod = new Map(
      Object.entries(methods).map(([name, methodScopes]) => [
        name,
        union(base, methodScopes),
      ]),
    );
    this.#verify = options.verify ?? jwt();
    this.#issuers =
      typeof issuers === "function"
        ? { issuers: [], accepts: issuers }
        : { issuers };
    this.#recheckTime = options.recheckTime ?? 60_000;
    this.#metadata = resourceMetadata(resource, {
      authorization_servers: named,
      bearer_methods_supported: ["header"],
      scopes_supported: requestable(union(base, ...Object.values(methods))),
      ...(dpop && {
        dpop_signing_alg_values_supported: dpop.algorithms,
        dpop_bound_access_tokens_required: dpop.isRequired,
      }),
      ...options.metadata,
    });
  }

  get routes(): Protection["routes"] {
    return this.#metadata.routes;
  }

  admit(
    request: ProtectedRequest,
    reporting: Reporting = {},
  ): Awaitable<Admission | Rejection> {
    const header = request.header("authorization") ?? "";
    // A token in the URL is never accepted, because URLs appear in logs (RFC
    // 6750, section 2).
    const { url } = request;
    const isInUrl = url.includes("?") && /[?&]access_token=/i.test(url);
    const result = isInUrl ? undefined : this.#results.get(header, Date.now());
    if (result) return this.#check(request, result);
    const credentials = isInUrl ? "malformed" : readCredentials(header);
    if (credentials === "none") {
      const mayPass = this.#options.anonymous === true && header === "";
      return mayPass && this.#mayAsk(request, [])
        ? { auth: "anonymous" }
        : this.#rejection(401, "Bearer");
    }
    if (credentials === "malformed") {
      const reason = "Expected one access token, in the header Authorization.";
      return this.#rejection(400, "Bearer", "invalid_request", reason);
    }
    // The header may have other spaces or another case than the one of the
    // cached result.
    const sameResult = this.#results.get(credentials.header, Date.now());
    return sameResult
      ? this.#check(request, sameResult)
      : this.#verifyFirst(request, credentials, reporting);
  }

  scopesOf(method: string): readonly string[] {
    return this.#byMethod.get(method) ?? this.#base;
  }

  refuse(
    auth: Auth | undefined,
    { scopes, reason }: Refused,
  ): Pick<Rejection, "status" | "headers"> {
    const all = union(this.#base, scopes);
    // The error is only for a request with a token (RFC 6750, section 3.1).
    if (!auth)
      return {
        status: 401,
        headers: this.#challenge("Bearer", undefined, undefined, all),
      };
    const scheme =
      thumbprintOf((auth as ProtectedAuth).claims) === undefined
        ? "Bearer"
        : "DPoP";
    if (reason !== undefined)
      return {
        status: 401,
        headers: this.#challenge(
          scheme,
          "invalid_token",
          reason.slice(0, 200),
          all,
        ),
      };
    const lack = "The token lacks a scope that the operation requires.";
    return {
      status: 403,
      headers: this.#challenge(scheme, "insufficient_scope", lack, all),
    };
  }

  whenEnded(auth: Auth, end: () => void): () => void {
    const credentials = this.#credentials.get(auth) as Credentials;
    const { principal, scopes } = auth as ProtectedAuth;
    let isStopped = false;
    let timer: ReturnType<typeof setTimeout>;
    const stop = (): void => {
      isStopped = true;
      clearTimeout(timer);
    };
    const after = (time: number, run: () => void): void => {
      clearTimeout(timer);
      timer = setTimeout(run, time);
      // The timer must not keep the process alive; in browsers it has no
      // `unref`.
      (timer as { unref?(): void }).unref?.();
    };
    const wait = ({ expiresAt }: ProtectedAuth): void => {
      const time = Math.min(
        expiresAt - Date.now(),
        Math.max(1000, this.#recheckTime),
        maxDelay,
      );
      after(time, () => void check());
    };
    const endNow = (): void => {
      stop();
      end();
    };
    const check = async (): Promise<void> => {
      // A verifier that does not answer keeps no stream open.
      after(maxCheck, endNow);
      // If the token cannot be verified, it counts as ended: the next request
      // gets the reason.
      const verdict = await this.#verifyToken(credentials).catch(
        () => undefined,
      );
      if (isStopped) return;
      const now = verdict && "auth" in verdict ? verdict.auth : undefined;
      // The stream has the rights of the token that opened it.
      if (
        now?.principal === principal &&
        scopes.every((scope) => now.scopes.includes(scope))
      )
        wait(now);
      else endNow();
    };
    wait(auth as ProtectedAuth);
    return stop;
  }

  async #verifyFirst(
    request: ProtectedRequest,
    credentials: Credentials,
    reporting: Reporting,
  ): Promise<Admission | Rejection> {
    this.#reporting = reporting;
    let result;
    try {
      result = await this.#verifyToken(credentials);
    } catch (error) {
      return unavailable(error);
    }
    return this.#check(request, result);
  }

  /**
   * Verifies a token and remembers the result. Rejects if that is not possible.
   */
  #verifyToken(credentials: Credentials): Promise<TokenResult> {
    const { header, token } = credentials;
    const { resource, audience = [], keepToken } = this.#options;
    const reporting = this.#reporting;
    const context = { resource, reporting, ...this.#issuers };
    const work = async (): Promise<TokenResult> => {
      const claims = await this.#verify(token, context);
      if (!claims) return { credentials, reason: "The token is not valid." };
      const issuer = await acceptedIssuer(context, claims.iss);
      const rules = {
        issuer,
        issuers: context.issuers,
        audiences: [resource, ...audience],
      };
      const error = claimsError(claims, rules, Date.now());
      if (error)
        return { credentials, reason: reported(error, claims.iss, reporting) };
      const auth = authOf(
        claims,
        issuer ?? "",
        this.#rules.implies,
        keepToken ? token : undefined,
      );
      this.#credentials.set(auth, credentials);
      return { credentials, auth, thumbprint: thumbprintOf(claims) };
    };
    return this.#results.verify(header, work, (result) => {
      const now = Date.now();
      if ("auth" in result)
        return {
          isAccepted: true,
          until: Math.min(result.auth.expiresAt, now + this.#recheckTime),
        };
      return {
        isAccepted: false,
        until: now + Math.min(rejectionTime, this.#recheckTime),
      };
    });
  }

  #check(
    request: ProtectedRequest,
    result: TokenResult,
  ): Awaitable<Admission | Rejection> {
    const { dpop } = this.#options;
    const { scheme, token } = result.credentials;
    if ("reason" in result)
      return this.#rejection(401, scheme, "invalid_token", result.reason);
    const { auth, thumbprint } = result;
    if (scheme === "DPoP" && dpop && thumbprint !== undefined)
      return this.#checkProof(request, token, auth, thumbprint, dpop);
    if (thumbprint !== undefined || scheme === "DPoP" || dpop?.isRequired) {
      const reason =
        thumbprint === undefined
          ? "The token is not bound to a key."
          : dpop
            ? "The token is bound to a key and requires a proof."
            : "This server does not accept tokens that are bound to a key.";
      return this.#rejection(
        401,
        dpop && thumbprint !== undefined ? "DPoP" : scheme,
        "invalid_token",
        reason,
      );
    }
    return this.#admission(request, auth);
  }

  async #checkProof(
    request: ProtectedRequest,
    token: string,
    auth: ProtectedAuth,
    thumbprint: string,
    dpop: Dpop,
  ): Promise<Admission | Rejection> {
    const { method } = request;
    const use = {
      method,
      url: this.#options.resource,
      token,
      thumbprint,
      principal: auth.principal,
    };
    let result;
    try {
      result = await dpop.check(request.header("dpop"), use);
    } catch (error) {
      return unavailable(error);
    }
    const headers =
      result.nonce === undefined ? {} : { "dpop-nonce": result.nonce };
    if (result.error === undefined)
      return this.#admission(request, auth, headers);
    const rejection = this.#rejection(401, "DPoP", result.error, result.reason);
    return { ...rejection, headers: { ...rejection.headers, ...headers } };
  }

  #admission(
    request: ProtectedRequest,
    auth: ProtectedAuth,
    headers?: Readonly<Record<string, string>>,
  ): Admission | Rejection {
    if (this.#mayAsk(request, auth.scopes)) return { auth, headers };
    const { status, headers: challenge } = this.refuse(auth, { scopes: [] });
    const text = JSON.stringify({ error: "insufficient_scope" });
    return { status, headers: { ...jsonHeaders, ...challenge }, text };
  }

  /**
   * Checks the base scopes of a request without a message. The scopes of a
   * message are checked once it is read.
   */
  #mayAsk({ method }: ProtectedRequest, scopes: readonly string[]): boolean {
    return (
      method === "POST" || this.#base.every((scope) => scopes.includes(scope))
    );
  }

  /**
   * The rejection of a request, with an error only if it has a token (RFC 6750,
   * section 3.1).
   */
  #rejection(
    status: number,
    scheme: Credentials["scheme"],
    error?: string,
    reason?: string,
  ): Rejection {
    const headers = {
      ...jsonHeaders,
      ...this.#challenge(scheme, error, reason, this.#base),
    };
    return {
      status,
      headers,
      text: JSON.stringify({ error, error_description: reason }),
    };
  }

  /**
   * Challenges for the schemes that the server accepts; the first one has the
   * error.
   */
  #challenge(
    scheme: Credentials["scheme"],
    error: string | undefined,
    reason: string | undefined,
    scopes: readonly string[],
  ): Readonly<Record<string, string>> {
    const { dpop } = this.#options;
    const shared = {
      scope: requestable(scopes).join(" "),
      resource_metadata: this.#metadata.url,
    };
    const first = { error, error_description: reason, ...shared };
    const algs = dpop?.algorithms.join(" ");
    // Of two challenges, clients look at the first one with an error.
    const bearer = dpop?.isRequired
      ? []
      : [challenge("Bearer", scheme === "DPoP" && dpop ? shared : first)];
    const proof = dpop
      ? [
          challenge("DPoP", {
            ...(scheme === "DPoP" || dpop.isRequired ? first : shared),
            algs,
          }),
        ]
      : [];
    const all =
      scheme === "DPoP" ? [...proof, ...bearer] : [...bearer, ...proof];
    return { "www-authenticate": all.join(", ") };
  }
}

/**
 * The response if a token or a proof cannot be verified. Only the operator gets
 * the reason.
 */
function unavailable(error: unknown): Rejection {
  const headers = { ...jsonHeaders, "retry-after": "5" };
  const text = JSON.stringify({ error: "temporarily_unavailable" });
  return { status: 503, headers, text, error };
}

const jsonHeaders = {
  "content-type": "application/json",
  "cache-control": "no-store",
};

/**
 * The scopes that a server names in metadata and challenges. It does not
 * request refresh tokens (AUTH-59).
 */
const requestable = (scopes: readonly string[]): string[] =>
  scopes.filter((scope) => scope !== "offline_access");

const union = (...lists: readonly (readonly string[])[]): string[] => [
  ...new Set(lists.flat()),
];
