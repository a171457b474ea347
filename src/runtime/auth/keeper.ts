import type { AuthorizedRequest, Challenged } from "../authorizer.js";
import { oauthChallengeOf } from "./challenge.js";
import { Connections, type SignInListener } from "./connections.js";
import { CurrentGrant } from "./current.js";
import { discover, type Discovery } from "./discovery.js";
import { AuthorizationError, isAuthorizationError } from "./error.js";
import { grantOf, lastingOf, obtain, resourceOf } from "./obtain.js";
import { type Context, needsPerson, type OAuthOptions } from "./options.js";
import { Proofs } from "./proofs.js";
import { chooseIssuer, clientOf } from "./registration.js";
import { Denials, scopesIn } from "./scopes.js";
import { isUnknownClient } from "./sign-in.js";
import { answerAtPage } from "./sign-in-page.js";
import { type Grant, grantKey, type PendingSignIn, registrationKey, type TokenStore } from "./store.js";
import { requestTokens, revoke } from "./tokens.js";

type Headers = Readonly<Record<string, string>>;

/** How long the result of discovery is used if no request is rejected, in milliseconds. */
const discoveryTime = 3_600_000;

/** Keeps the token of one server and account for all connections of this process. Obtains or refreshes only one token at a time. */
export class Keeper {
  readonly #server: URL;
  readonly #options: OAuthOptions;
  readonly #current: CurrentGrant;
  readonly #skews = new Map<string, number>();
  readonly #proofs = new Proofs(this.#skews);
  readonly #denials = new Denials();
  readonly #connections = new Connections();
  #flight: Promise<void> | undefined;
  #lastDiscovery: { readonly discovery: Discovery; readonly at: number } | undefined;

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
    if (this.#connections.leave(listener)) this.#flight = undefined;
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
    const params = oauthChallengeOf(challenged.header("www-authenticate"));
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
    if (!this.#isNewer(challenged)) await this.#once(() => this.#replace(challenged, url, scopes));
    return true;
  }

  /** Removes the token, then revokes it at the authorization server if that is possible. */
  async forget(): Promise<void> {
    await this.#current.load();
    const { grant } = this.#current;
    this.#denials.clear();
    await this.#current.keep(undefined);
    this.#current.last = undefined;
    if (!grant) return;
    const discovery = await this.#discover({ metadataUrl: grant.metadataUrl });
    const { as } = discovery;
    if (as.issuer !== grant.issuer) return;
    const client = await clientOf(this.#context, this.#current.store, discovery.as, grant.clientId);
    await revoke(this.#context, as, client, grant.refreshToken ?? grant.accessToken);
  }

  /** Exchanges the answer to a pending sign-in for a token, and uses it. */
  async answerAtPage(pending: PendingSignIn, answer: URLSearchParams): Promise<void> {
    const context = this.#context;
    const { issuer, resource, scopes, metadataUrl } = pending;
    const { as } = await this.#discover({ metadataUrl });
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
    if (current.grant && !current.isFresh) await this.#once(() => this.#refreshEarly());
    const { isLive, headers, grant } = current;
    if (!isLive || !grant) return {};
    if (!grant.proofKey) return headers;
    this.#proofs.use(grant.proofKey);
    return { ...headers, dpop: await this.#proofs.make(method, url, grant.accessToken) };
  }

  /** Runs work that obtains a token, or waits for such work that is already running. */
  async #once(work: () => Promise<void>): Promise<void> {
    if (!this.#flight) {
      const flight = work().finally(() => {
        if (this.#flight === flight) this.#flight = undefined;
      });
      this.#flight = flight;
    }
    await this.#flight;
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
    const { attempt, revision, sent } = challenged;
    if (current.grant && current.source === "new" && attempt > 1) {
      const { issuer } = current.grant;
      const message = `${this.#server.host} rejects the token that ${issuer} has just issued for it.`;
      throw new AuthorizationError("grant", message, this.#server, { issuer });
    }
    await current.reload();
    if (this.#isNewer(challenged)) return;
    // The server may have moved to another authorization server.
    const discovery = await this.#discover(
      { metadataUrl: url ?? current.grant?.metadataUrl, revision },
      true,
    );
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
      await this.#obtain(discovery, scopes, earlierScopes);
    } catch (error) {
      // The authorization server may have dropped one of them.
      if (isAuthorizationError(error) && error.reason === "scope") current.last = undefined;
      throw error;
    }
  }

  /** Obtains a token with more scopes, unless they were denied recently (AUTH-57, AUTH-68). */
  async #stepUp(
    challenged: Challenged,
    url: string | undefined,
    scopes: readonly string[],
  ): Promise<boolean> {
    const current = this.#current;
    while (this.#flight) await this.#flight.catch(() => {});
    const requestedScopes = current.grant?.scopes ?? [];
    const wereRequested = scopes.every((one) => requestedScopes.includes(one));
    if (wereRequested && this.#isNewer(challenged)) return true;
    if (wereRequested && current.source === "new" && challenged.attempt > 1) this.#denials.add(scopes);
    if (this.#denials.has(scopes)) {
      const message = `${this.#server.host} needs the scope ${scopes.join(" ")}, which was not granted. Ask the person or the operator to grant it.`;
      throw new AuthorizationError("scope", message, this.#server, { issuer: current.grant?.issuer });
    }
    const hints = { metadataUrl: url ?? current.grant?.metadataUrl, revision: challenged.revision };
    await this.#once(async () => {
      try {
        await this.#obtain(await this.#discover(hints, true), scopes, requestedScopes);
      } catch (error) {
        const isDenied = isAuthorizationError(error) && ["denied", "scope"].includes(error.reason);
        if (isDenied) this.#denials.add(scopes);
        throw error;
      }
    });
    return true;
  }

  async #discover(
    hints: { readonly metadataUrl?: string | undefined; readonly revision?: string | undefined },
    isForced = false,
  ): Promise<Discovery> {
    if (this.#lastDiscovery && !isForced && Date.now() < this.#lastDiscovery.at + discoveryTime)
      return this.#lastDiscovery.discovery;
    const discovery = await discover(this.#context, {
      choose: (issuers) => chooseIssuer(this.#context, issuers, this.#current),
      ...hints,
    });
    this.#lastDiscovery = { discovery, at: Date.now() };
    return discovery;
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
      const discovery = await this.#discover({ metadataUrl: grant.metadataUrl });
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
        if (isAuthorizationError(error) && (error.code === "invalid_grant" || isUnknownClient(error)))
          await this.#end(grant, error);
        throw error;
      }
    });
  }

  /** Removes a grant that the authorization server has ended, and the registration if the client is unknown there. */
  async #end({ issuer }: Grant, error: AuthorizationError): Promise<void> {
    const { store } = this.#current;
    if (isUnknownClient(error)) await store.set(registrationKey(issuer), undefined);
    await this.#current.keep(undefined);
  }

  /** Obtains a token from a person or by another grant. */
  async #obtain(
    discovery: Discovery,
    challenged: readonly string[],
    before: readonly string[],
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
        await current.keep(await obtain(request), "new");
      }, "login"),
    );
  }
}
