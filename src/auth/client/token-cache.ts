import type {
  AuthorizedRequest,
  Challenged,
} from "../../runtime/core/ports/authorizer.js";
import { oauthChallengeOf } from "./challenge.js";
import { Connections, type SignInListener } from "./connections.js";
import type { CurrentGrant } from "./current.js";
import { AuthorizationError, isAuthorizationError } from "./error.js";
import { Flight } from "./flight.js";
import { Grants } from "./grants.js";
import { needsPerson, type OAuthOptions } from "./options.js";
import type { Revocation } from "./revocation.js";
import { Denials, scopeError, scopesIn, union } from "./scopes.js";
import { hide } from "./secrets.js";
import type { PendingSignIn, TokenStore } from "./store.js";

type Headers = Readonly<Record<string, string>>;

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

  /** Reads the nonce for the next proof from the headers of a response. */
  readNonce({ url }: AuthorizedRequest, header: Challenged["header"]): void {
    this.#grants.proofs.read(url.origin, header("dpop-nonce"));
  }

  /**
   * Obtains another token after a challenge (status 401 or 403). Resolves to
   * false if the request must not be sent again.
   */
  async renew(challenged: Challenged): Promise<boolean> {
    await this.#current.load();
    // A server must not make an error show the token that it got.
    const [, token = ""] = (challenged.sent["authorization"] ?? "").split(" ");
    const params = oauthChallengeOf(
      hide(
        challenged.header("www-authenticate") ?? "",
        token.length < 8 ? [] : [token],
      ),
    );
    const scopes = scopesIn(params["scope"]);
    const url = params["resource_metadata"];
    if (challenged.status === 403) {
      const isAboutScopes =
        params["error"] === "insufficient_scope" && scopes.length > 0;
      return isAboutScopes && this.#stepUp(challenged, url, scopes);
    }
    // The server requires a nonce in the proof, and its response contains one.
    const isNonce = /\buse_dpop_nonce\b/.test(
      challenged.header("www-authenticate") ?? "",
    );
    if (
      isNonce &&
      challenged.sent["dpop"] !== undefined &&
      challenged.header("dpop-nonce") !== undefined
    )
      return true;
    // Another request may have obtained a token since this one was sent.
    if (!this.#isNewer(challenged))
      await this.#flight.run(() => this.#replace(challenged, url, scopes));
    return true;
  }

  /**
   * Removes the tokens, then revokes each at the authorization server if that
   * is possible.
   */
  forget(): Promise<readonly Revocation[]> {
    this.#denials.clear();
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
    const { attempt, revision, mayOmitPkce, sent } = challenged;
    if (current.grant && current.source === "new" && attempt > 1) {
      const { issuer } = current.grant;
      const message = `${this.#server.host} rejects the token that ${issuer} has just issued for it.`;
      throw new AuthorizationError("grant", message, this.#server, { issuer });
    }
    await current.reload();
    if (this.#isNewer(challenged)) return;
    // The server may have moved to another authorization server.
    const discovery = await this.#grants.discovery.renew({
      metadataUrl: url ?? current.grant?.metadataUrl,
      revision,
      mayOmitPkce,
    });
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
    if (this.#denials.has(scopes) || (wereRequested && !isMachine)) {
      const why =
        "which was not granted. Ask the person or the operator to grant it.";
      throw scopeError(this.#server, grant?.issuer, scopes, why);
    }
    if (this.#grants.asked.has(challenged.call)) {
      const why =
        "and a person has just signed in for this request. Repeat it to sign in again.";
      throw scopeError(this.#server, grant?.issuer, scopes, why);
    }
    const { revision, mayOmitPkce } = challenged;
    const hints = {
      metadataUrl: url ?? current.grant?.metadataUrl,
      revision,
      mayOmitPkce,
    };
    await this.#flight.run(async () => {
      try {
        const discovery = await this.#grants.discovery.renew(hints);
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
