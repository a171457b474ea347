import type { AuthorizedRequest, Challenged } from "../../runtime/authorizer.js";
import { oauthChallengeOf } from "./challenge.js";
import { Connections, type SignInListener } from "./connections.js";
import { CurrentGrant } from "./current.js";
import { discover, type Discovery, readIssuer } from "./discovery.js";
import { DiscoveryCache } from "./discovery-cache.js";
import { AuthorizationError, isAuthorizationError } from "./error.js";
import { Flight } from "./flight.js";
import { grantOf, lastingOf, obtain, resourceOf } from "./obtain.js";
import { type Context, needsPerson, type OAuthOptions } from "./options.js";
import { Proofs } from "./proofs.js";
import { chooseIssuer, clientOf, forgetRegistration } from "./registration.js";
import { type Revocation, revokeGrant } from "./revocation.js";
import { Denials, scopeError, scopesIn, union } from "./scopes.js";
import { hide } from "./secrets.js";
import { answerAtPage } from "./sign-in-page.js";
import { grantKey, type PendingSignIn, type TokenStore } from "./store.js";
import { EndedGrantError, isUnknownClient, requestTokens } from "./tokens.js";

type Headers = Readonly<Record<string, string>>;

/** Keeps the token of one server and account for all connections of this process. Obtains or refreshes only one token at a time. */
export class Keeper {
  readonly #server: URL;
  readonly #options: OAuthOptions;
  readonly #current: CurrentGrant;
  readonly #skews = new Map<string, number>();
  readonly #proofs = new Proofs(this.#skews);
  readonly #denials = new Denials();
  readonly #connections = new Connections();
  /** The requests for which a person was asked to sign in. */
  readonly #asked = new WeakSet<object>();
  readonly #flight = new Flight();
  readonly #discovery = new DiscoveryCache((hints) =>
    discover(this.#context, {
      choose: (issuers) => chooseIssuer(this.#context, issuers, this.#current),
      ...hints,
    }),
  );

  constructor(server: URL, options: OAuthOptions, store: TokenStore) {
    this.#server = server;
    this.#options = options;
    this.#current = new CurrentGrant(store, grantKey(server, options.account));
  }

  get identity(): string | undefined {
    return this.#current.grant?.id;
  }

  enter(listener: SignInListener): void {
    this.#connections.enter(listener);
  }

  leave(listener: SignInListener): void {
    // A later connection must not wait for the cancelled sign-in.
    if (this.#connections.leave(listener)) this.#flight.abandon();
  }

  /** The headers with the token. Empty if there is no token: the challenge of the server then starts the authorization. */
  headers(request: AuthorizedRequest): Headers | Promise<Headers> {
    const { isFresh, grant, headers } = this.#current;
    return isFresh && !grant?.proofKey ? headers : this.#freshHeaders(request);
  }

  /** Reads the nonce for the next proof from the headers of a response. */
  answered({ url }: AuthorizedRequest, header: Challenged["header"]): void {
    this.#proofs.read(url.origin, header("dpop-nonce"));
  }

  /** Obtains another token after a challenge (status 401 or 403). Resolves to false if the request must not be sent again. */
  async answer(challenged: Challenged): Promise<boolean> {
    await this.#current.load();
    // A server must not make an error show the token that it got.
    const [, token = ""] = (challenged.sent["authorization"] ?? "").split(" ");
    const params = oauthChallengeOf(
      hide(challenged.header("www-authenticate") ?? "", token.length < 8 ? [] : [token]),
    );
    const scopes = scopesIn(params["scope"]);
    const url = params["resource_metadata"];
    if (challenged.status === 403) {
      const isAboutScopes = params["error"] === "insufficient_scope" && scopes.length > 0;
      return isAboutScopes && this.#stepUp(challenged, url, scopes);
    }
    // The server requires a nonce in the proof, and its response contains one.
    const isNonce = /\buse_dpop_nonce\b/.test(challenged.header("www-authenticate") ?? "");
    if (isNonce && challenged.sent["dpop"] !== undefined && challenged.header("dpop-nonce") !== undefined)
      return true;
    // Another request may have obtained a token since this one was sent.
    if (!this.#isNewer(challenged)) await this.#flight.run(() => this.#replace(challenged, url, scopes));
    return true;
  }

  /** Removes the tokens, then revokes each at the authorization server if that is possible. */
  async forget(): Promise<readonly Revocation[]> {
    await this.#current.reload();
    const { grant } = this.#current;
    this.#denials.clear();
    await this.#current.keep(undefined);
    this.#current.last = undefined;
    if (!grant) return [];
    const discovery = await this.#discovery.get({ metadataUrl: grant.metadataUrl });
    // The server may have moved to another authorization server since.
    const isSame = discovery.as.issuer === grant.issuer;
    const as = isSame ? discovery.as : await readIssuer(this.#context, grant.issuer);
    const client = await clientOf(this.#context, this.#current.store, as, grant.clientId);
    return revokeGrant(this.#context, as, client, grant);
  }

  /** Exchanges the answer to a pending sign-in for a token, and uses it. */
  async answerAtPage(pending: PendingSignIn, answer: URLSearchParams): Promise<void> {
    const context = this.#context;
    const { issuer, resource, scopes, metadataUrl } = pending;
    const { as } = await this.#discovery.get({ metadataUrl });
    const tokens = await answerAtPage(context, this.#current.store, as, pending, answer);
    await this.#current.keep(
      await grantOf(context, tokens, { issuer, resource, scopes, metadataUrl }),
      "new",
    );
  }

  get #context(): Context {
    const options = this.#options;
    const server = this.#server;
    return {
      server,
      options,
      allowPrivate: options.allowPrivate,
      signal: this.#connections.signal,
      skews: this.#skews,
      proofs: options.dpop || this.#current.grant?.proofKey ? this.#proofs : undefined,
      report: (step, issuer) => options.onEvent?.({ step, server: server.origin + server.pathname, issuer }),
    };
  }

  async #freshHeaders({ method, url }: AuthorizedRequest): Promise<Headers> {
    const current = this.#current;
    await current.load();
    if (current.grant && !current.isFresh) await this.#flight.run(() => this.#refreshEarly());
    const { isLive, headers, grant } = current;
    if (!isLive || !grant) return {};
    if (!grant.proofKey) return headers;
    this.#proofs.use(grant.proofKey);
    return { ...headers, dpop: await this.#proofs.make(method, url, grant.accessToken) };
  }

  #isNewer({ sent }: Challenged): boolean {
    const { isLive, headers } = this.#current;
    return isLive && sent["authorization"] !== headers["authorization"];
  }

  /** Refreshes a token that is about to expire. If that fails, the token is used until it expires. */
  async #refreshEarly(): Promise<void> {
    try {
      await this.#refresh();
    } catch (error) {
      if (!isAuthorizationError(error)) throw error;
      if (error.reason === "network" && !this.#current.isLive) throw error;
    }
  }

  /** Obtains the first token, or another one after the server rejected a token (AUTH-54). */
  async #replace(challenged: Challenged, url: string | undefined, scopes: readonly string[]): Promise<void> {
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
    const discovery = await this.#discovery.renew({
      metadataUrl: url ?? current.grant?.metadataUrl,
      revision,
      mayOmitPkce,
    });
    const isSameIssuer = current.grant?.issuer === discovery.as.issuer;
    // The token was already refreshed for this request, and rejected again.
    const isRefreshed = current.source === "refresh" && attempt > 1;
    if (isSameIssuer && !isRefreshed && current.grant?.refreshToken !== undefined) {
      try {
        return await this.#refresh(sent["authorization"]);
      } catch (error) {
        if (!isAuthorizationError(error) || error.reason === "network") throw error;
      }
    }
    const { last } = current;
    const earlierScopes = last?.issuer === discovery.as.issuer ? last.scopes : [];
    try {
      await this.#obtain(discovery, scopes, earlierScopes, challenged.call);
    } catch (error) {
      // The authorization server may have dropped one of them.
      if (isAuthorizationError(error) && error.reason === "scope") current.last = undefined;
      throw error;
    }
  }

  /**
   * Obtains a token with more scopes (AUTH-57), unless they were denied recently (AUTH-68), or a person would be asked for nothing new or
   * twice for one request.
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
    if (wereRequested && source === "new" && challenged.attempt > 1) this.#denials.add(scopes);
    const isMachine = this.#options.login !== undefined && !needsPerson(this.#options);
    if (this.#denials.has(scopes) || (wereRequested && !isMachine)) {
      const why = "which was not granted. Ask the person or the operator to grant it.";
      throw scopeError(this.#server, grant?.issuer, scopes, why);
    }
    if (this.#asked.has(challenged.call)) {
      const why = "and a person has just signed in for this request. Repeat it to sign in again.";
      throw scopeError(this.#server, grant?.issuer, scopes, why);
    }
    const { revision, mayOmitPkce } = challenged;
    const hints = { metadataUrl: url ?? current.grant?.metadataUrl, revision, mayOmitPkce };
    await this.#flight.run(async () => {
      try {
        const discovery = await this.#discovery.renew(hints);
        await this.#obtain(discovery, scopes, union(requestedScopes, scopes), challenged.call);
      } catch (error) {
        const isDenied = isAuthorizationError(error) && ["denied", "scope"].includes(error.reason);
        if (isDenied) this.#denials.add(scopes);
        throw error;
      }
    });
    return true;
  }

  /** Refreshes the token, unless another process has done so: then its token is used, if it is not the one of `rejectedHeader`. */
  #refresh(rejectedHeader?: string): Promise<void> {
    const current = this.#current;
    return current.lock(async () => {
      const oldToken = current.grant?.accessToken;
      await current.reload();
      const { grant } = current;
      if (!grant) return;
      const isOther = grant.accessToken !== oldToken && current.headers["authorization"] !== rejectedHeader;
      if (isOther && current.isFresh) return;
      const discovery = await this.#discovery.get({ metadataUrl: grant.metadataUrl });
      if (discovery.as.issuer !== grant.issuer) return;
      const { login } = this.#options;
      if (login && !needsPerson(this.#options)) return this.#obtain(discovery, [], grant.scopes);
      if (grant.refreshToken === undefined) return;
      const { refreshToken: refresh_token, resource } = grant;
      try {
        const client = await clientOf(this.#context, this.#current.store, discovery.as, grant.clientId);
        const params = { refresh_token, ...resourceOf(resource) };
        if (grant.proofKey) this.#proofs.use(grant.proofKey);
        const tokens = await requestTokens(this.#context, discovery.as, client, "refresh_token", params);
        await current.keep({ ...grant, ...lastingOf(tokens, refresh_token) }, "refresh");
      } catch (error) {
        if (!(error instanceof EndedGrantError)) throw error;
        // Without a lock, another process may have refreshed the token at the same time.
        await current.reload();
        if (current.grant?.accessToken !== grant.accessToken) return;
        const { issuer, clientId } = grant;
        if (isUnknownClient(error)) await forgetRegistration(current.store, issuer, clientId);
        await current.keep(undefined);
        throw error;
      }
    });
  }

  /** Obtains a token from a person or by another grant. */
  async #obtain(
    discovery: Discovery,
    challenged: readonly string[],
    before: readonly string[],
    call?: object,
  ): Promise<void> {
    const current = this.#current;
    const { grant: old, store } = current;
    const request = { context: this.#context, store, discovery, challenged, before, old };
    if (!needsPerson(this.#options)) return current.keep(await obtain(request), "new");
    await this.#connections.whilePaused(() =>
      current.lock(async () => {
        // A person may have signed in by another process in the meantime.
        await current.reload();
        if (current.grant && current.grant.id !== old?.id) return;
        request.context.signal?.throwIfAborted();
        if (call) this.#asked.add(call);
        await current.keep(await obtain(request), "new");
      }, "login"),
    );
  }
}
