import type {
  AuthorizedRequest,
  Challenged,
} from "../../runtime/core/ports/authorizer.js";
import { oauthChallengeOf } from "./challenge.js";
import { Connections, type SignInListener } from "./connections.js";
import type { CurrentGrant } from "./current.js";
import { AuthorizationError, isAuthorizationError } from "./error.js";
import type { Discovery } from "./discovery.js";
import { Flight } from "./flight.js";
import { Grants } from "./grants.js";
import { needsPerson, type OAuthOptions } from "./options.js";
import type { Revocation } from "./revocation.js";
import { Denials, scopeError, scopesIn, union } from "./scopes.js";
import { hide } from "./secrets.js";
import type { PendingSignIn, TokenStore } from "./store.js";

type Headers = Readonly<Record<string, string>>;

/**
 * How long no token is obtained for a method that has refused a new one, in
 * milliseconds, unless there is another token meanwhile.
 */
const refusalTime = 300_000;

/** How long a token counts as accepted after a POST, in milliseconds. */
const workingTime = 60_000;

/** What a server thinks of a token, as it was sent, and for how long. */
interface Verdict {
  readonly token: string | undefined;
  /** In milliseconds since 1970. */
  readonly until: number;
}

const verdictOn = (token: string | undefined, time: number): Verdict => ({
  token,
  until: Date.now() + time,
});

/** What a request asks for: the methods of HTTP and of its first message. */
const operationOf = ({ method, body = "" }: AuthorizedRequest): string =>
  method + (/"method":"([^"]*)"/.exec(body)?.[1] ?? "");

/**
 * Answers the challenges of one server with a token, for all connections of
 * this process. Decides when a token is obtained or refreshed, one at a time;
 * `Grants` does it.
 */
export class TokenCache {
  readonly #server: URL;
  readonly #options: OAuthOptions;
  readonly #denials = new Denials();
  readonly #connections = new Connections();
  readonly #flight = new Flight();
  /** The token that was last accepted in a POST. */
  #working: Verdict | undefined;
  /**
   * The tokens that were refused as soon as they were obtained, by operation,
   * with the error for the next request of it.
   */
  readonly #refused = new Map<
    string,
    Verdict & { readonly error: AuthorizationError }
  >();
  readonly #grants: Grants;

  constructor(server: URL, options: OAuthOptions, store: TokenStore) {
    this.#server = server;
    this.#options = options;
    this.#grants = new Grants(server, options, store, this.#connections);
  }

  get #current(): CurrentGrant {
    return this.#grants.current;
  }

  get identity(): string | undefined {
    return this.#current.grant?.id;
  }

  connect(listener: SignInListener): void {
    this.#connections.add(listener);
  }

  disconnect(listener: SignInListener): void {
    // A later connection must not wait for the cancelled sign-in.
    if (this.#connections.delete(listener)) this.#flight.abandon();
  }

  /**
   * The headers with the token. Empty if there is no token: the challenge of
   * the server then starts the authorization.
   */
  headers(request: AuthorizedRequest): Headers | Promise<Headers> {
    const { isFresh, grant, headers } = this.#current;
    return isFresh && !grant?.proofKey ? headers : this.#freshHeaders(request);
  }

  /** Reads the nonce for the next proof, and whether the token works. */
  answered(
    { url, method }: AuthorizedRequest,
    header: Challenged["header"],
    status: number,
  ): void {
    this.#grants.proofs.read(url.origin, header("dpop-nonce"));
    if (method === "POST" && status !== 401)
      this.#working = verdictOn(
        this.#current.headers["authorization"],
        workingTime,
      );
  }

  /**
   * Obtains another token after a challenge (status 401 or 403). Resolves to
   * false if the request must not be sent again.
   */
  async renew(challenged: Challenged): Promise<boolean> {
    // A server must not make an error show the token that it got.
    const [, token = ""] = (challenged.sent["authorization"] ?? "").split(" ");
    const challenge = challenged.header("www-authenticate") ?? "";
    const params = oauthChallengeOf(
      hide(challenge, token.length < 8 ? [] : [token]),
    );
    const scopes = scopesIn(params["scope"]);
    const url = params["resource_metadata"];
    if (challenged.status === 403) {
      const isAboutScopes =
        params["error"] === "insufficient_scope" && scopes.length > 0;
      return isAboutScopes && this.#stepUp(challenged, url, scopes);
    }
    // The server requires a nonce in the proof, and its response contains one.
    if (
      /\buse_dpop_nonce\b/.test(challenge) &&
      challenged.sent["dpop"] !== undefined &&
      challenged.header("dpop-nonce") !== undefined
    )
      return true;
    // Another request may have obtained a token since this one was sent.
    if (this.#isNewer(challenged)) return true;
    if (this.#isHopeless(challenged)) return false;
    await this.#flight.run(() => this.#replace(challenged, url, scopes));
    return true;
  }

  /**
   * True if another token would be refused, too: a person must not be asked to
   * sign in for each request. A server may refuse a stream for ever, while the
   * token works for all others.
   *
   * @throws AuthorizationError if the same was refused before.
   */
  #isHopeless(challenged: Challenged): boolean {
    const { method, sent } = challenged;
    // A token may expire on its way, and a refresh asks nobody.
    const isYoung = this.#current.isFresh;
    const token = sent["authorization"];
    const isAbout = (verdict: Verdict | undefined): boolean =>
      token !== undefined &&
      token === verdict?.token &&
      Date.now() < verdict.until;
    const refused = this.#refused.get(operationOf(challenged));
    if (refused && isAbout(refused)) throw refused.error;
    return method === "GET" && isYoung && isAbout(this.#working);
  }

  /**
   * Removes the tokens, then revokes each at the authorization server if that
   * is possible.
   */
  forget(): Promise<readonly Revocation[]> {
    this.#denials.clear();
    this.#refused.clear();
    return this.#grants.forget();
  }

  /** Exchanges the answer to a pending sign-in for a token, and uses it. */
  answerAtPage(pending: PendingSignIn, answer: URLSearchParams): Promise<void> {
    return this.#grants.answerAtPage(pending, answer);
  }

  async #freshHeaders({ method, url }: AuthorizedRequest): Promise<Headers> {
    const current = this.#current;
    await current.load();
    if (current.grant && !current.isFresh)
      await this.#flight.run(() => this.#refreshEarly());
    const { isLive, headers, grant } = current;
    if (!isLive || !grant) return {};
    if (!grant.proofKey) return headers;
    this.#grants.proofs.use(grant.proofKey);
    return {
      ...headers,
      dpop: await this.#grants.proofs.make(method, url, grant.accessToken),
    };
  }

  #isNewer({ sent }: Challenged): boolean {
    const { isLive, headers } = this.#current;
    return isLive && sent["authorization"] !== headers["authorization"];
  }

  /**
   * Refreshes a token that is about to expire. If that fails, the token is used
   * until it expires.
   */
  async #refreshEarly(): Promise<void> {
    try {
      await this.#grants.refresh();
    } catch (error) {
      if (!isAuthorizationError(error)) throw error;
      if (error.reason === "network" && !this.#current.isLive) throw error;
    }
  }

  /**
   * Obtains the first token, or another one after the server rejected a token
   * (AUTH-54).
   */
  async #replace(
    challenged: Challenged,
    url: string | undefined,
    scopes: readonly string[],
  ): Promise<void> {
    const current = this.#current;
    const { attempt, sent } = challenged;
    if (current.grant && current.source === "new" && attempt > 1) {
      const { issuer } = current.grant;
      const message = `${this.#server.host} rejects the token that ${issuer} has just issued for it. Ask the operator of ${this.#server.host} why.`;
      const error = new AuthorizationError("grant", message, this.#server, {
        issuer,
      });
      const verdict = verdictOn(sent["authorization"], refusalTime);
      this.#refused.set(operationOf(challenged), { ...verdict, error });
      throw error;
    }
    await current.reload();
    if (this.#isNewer(challenged)) return;
    // The server may have moved to another authorization server.
    const discovery = await this.#discover(challenged, url);
    const isSameIssuer = current.grant?.issuer === discovery.as.issuer;
    // The token was already refreshed for this request, and rejected again.
    const isRefreshed = current.source === "refresh" && attempt > 1;
    if (
      isSameIssuer &&
      !isRefreshed &&
      current.grant?.refreshToken !== undefined
    ) {
      try {
        return await this.#grants.refresh(sent["authorization"]);
      } catch (error) {
        if (!isAuthorizationError(error) || error.reason === "network")
          throw error;
      }
    }
    const { last } = current;
    const earlierScopes =
      last?.issuer === discovery.as.issuer ? last.scopes : [];
    try {
      await this.#grants.obtain(
        discovery,
        scopes,
        earlierScopes,
        challenged.call,
      );
    } catch (error) {
      // The authorization server may have dropped one of them.
      if (isAuthorizationError(error) && error.reason === "scope")
        current.last = undefined;
      throw error;
    }
  }

  #discover(
    { revision, mayOmitPkce }: Challenged,
    url = this.#current.grant?.metadataUrl,
  ): Promise<Discovery> {
    return this.#grants.discovery.renew({
      metadataUrl: url,
      revision,
      mayOmitPkce,
    });
  }

  /**
   * Obtains a token with more scopes (AUTH-57), unless they were denied
   * recently (AUTH-68), or a person would be asked for nothing new or twice for
   * one request.
   */
  async #stepUp(
    challenged: Challenged,
    url: string | undefined,
    scopes: readonly string[],
  ): Promise<boolean> {
    const current = this.#current;
    await this.#flight.ended();
    // Another process may have obtained them.
    await current.reload();
    const { grant, source } = current;
    const requestedScopes = grant?.scopes ?? [];
    const wereRequested = scopes.every((one) => requestedScopes.includes(one));
    if (wereRequested && this.#isNewer(challenged)) return true;
    if (wereRequested && source === "new" && challenged.attempt > 1)
      this.#denials.add(scopes);
    const isMachine =
      this.#options.login !== undefined && !needsPerson(this.#options);
    const isRefused =
      this.#denials.has(scopes) || (wereRequested && !isMachine);
    if (isRefused || this.#grants.asked.has(challenged.call)) {
      const why = isRefused
        ? "which was not granted. Ask the person or the operator to grant it."
        : "and a person has just signed in for this request. Repeat it to sign in again.";
      throw scopeError(this.#server, grant?.issuer, scopes, why);
    }
    await this.#flight.run(async () => {
      try {
        const discovery = await this.#discover(challenged, url);
        await this.#grants.obtain(
          discovery,
          scopes,
          union(requestedScopes, scopes),
          challenged.call,
        );
      } catch (error) {
        const isDenied =
          isAuthorizationError(error) &&
          ["denied", "scope"].includes(error.reason);
        if (isDenied) this.#denials.add(scopes);
        throw error;
      }
    });
    return true;
  }
}
