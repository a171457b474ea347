import type { Connections } from "./connections.js";
import { CurrentGrant } from "./current.js";
import {
  discover,
  type Discovery,
  readIssuer,
  DiscoveryCache,
} from "./discovery.js";
import { grantOf, lastingOf, obtain, resourceOf } from "./obtain.js";
import { type Context, needsPerson, type OAuthOptions } from "./options.js";
import { Proofs } from "./proofs.js";
import { chooseIssuer, clientOf, forgetRegistration } from "./registration.js";
import { type Revocation, revokeGrant } from "./revocation.js";
import { answerAtPage } from "./sign-in-page.js";
import { grantKey, type PendingSignIn, type TokenStore } from "./store.js";
import { EndedGrantError, isUnknownClient, requestTokens } from "./tokens.js";

/**
 * The grant of one server and account: obtains, refreshes and revokes it at the
 * authorization server, and keeps it in the store.
 */
export class Grants {
  readonly current: CurrentGrant;
  /** The requests for which a person was asked to sign in. */
  readonly asked: WeakSet<object> = new WeakSet();
  readonly #skews = new Map<string, number>();
  readonly #refusedDocuments = new Set<string>();
  readonly proofs: Proofs = new Proofs(this.#skews);
  readonly discovery: DiscoveryCache = new DiscoveryCache((hints) =>
    discover(this.#context, {
      choose: (issuers) => chooseIssuer(this.#context, issuers, this.current),
      ...hints,
    }),
  );
  readonly #server: URL;
  readonly #options: OAuthOptions;
  readonly #connections: Connections;

  constructor(
    server: URL,
    options: OAuthOptions,
    store: TokenStore,
    connections: Connections,
  ) {
    this.#server = server;
    this.#options = options;
    this.#connections = connections;
    this.current = new CurrentGrant(store, grantKey(server, options.account));
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
      refusedDocuments: this.#refusedDocuments,
      proofs:
        options.dpop || this.current.grant?.proofKey ? this.proofs : undefined,
      report: (step, issuer) =>
        options.onEvent?.({
          step,
          server: server.origin + server.pathname,
          issuer,
        }),
    };
  }

  /**
   * Removes the tokens, then revokes each at the authorization server if that
   * is possible.
   */
  async forget(): Promise<readonly Revocation[]> {
    await this.current.reload();
    const { grant } = this.current;
    await this.current.keep(undefined);
    this.current.last = undefined;
    if (!grant) return [];
    const discovery = await this.discovery.get({
      metadataUrl: grant.metadataUrl,
    });
    // The server may have moved to another authorization server since.
    const isSame = discovery.as.issuer === grant.issuer;
    const as = isSame
      ? discovery.as
      : await readIssuer(this.#context, grant.issuer);
    const client = await clientOf(
      this.#context,
      this.current.store,
      as,
      grant.clientId,
    );
    return revokeGrant(this.#context, as, client, grant);
  }

  /** Exchanges the answer to a pending sign-in for a token, and uses it. */
  async answerAtPage(
    pending: PendingSignIn,
    answer: URLSearchParams,
  ): Promise<void> {
    const context = this.#context;
    const { issuer, resource, scopes, metadataUrl } = pending;
    const { as } = await this.discovery.get({ metadataUrl });
    const tokens = await answerAtPage(
      context,
      this.current.store,
      as,
      pending,
      answer,
    );
    await this.current.keep(
      await grantOf(context, tokens, { issuer, resource, scopes, metadataUrl }),
      "new",
    );
  }

  /**
   * Refreshes the token, unless another process has done so: then its token is
   * used, if it is not the one of `rejectedHeader`.
   */
  refresh(rejectedHeader?: string): Promise<void> {
    const current = this.current;
    return current.lock(async () => {
      const oldToken = current.grant?.accessToken;
      await current.reload();
      const { grant } = current;
      if (!grant) return;
      const isOther =
        grant.accessToken !== oldToken &&
        current.headers["authorization"] !== rejectedHeader;
      if (isOther && current.isFresh) return;
      const discovery = await this.discovery.get({
        metadataUrl: grant.metadataUrl,
      });
      if (discovery.as.issuer !== grant.issuer) return;
      const { login } = this.#options;
      if (login && !needsPerson(this.#options))
        return this.obtain(discovery, [], grant.scopes);
      if (grant.refreshToken === undefined) return;
      const { refreshToken: refresh_token, resource } = grant;
      try {
        const client = await clientOf(
          this.#context,
          this.current.store,
          discovery.as,
          grant.clientId,
        );
        const params = { refresh_token, ...resourceOf(resource) };
        if (grant.proofKey) this.proofs.use(grant.proofKey);
        const tokens = await requestTokens(
          this.#context,
          discovery.as,
          client,
          "refresh_token",
          params,
        );
        await current.keep(
          { ...grant, ...lastingOf(tokens, refresh_token) },
          "refresh",
        );
      } catch (error) {
        if (!(error instanceof EndedGrantError)) throw error;
        // Without a lock, another process may have refreshed the token at the
        // same time.
        await current.reload();
        if (current.grant?.accessToken !== grant.accessToken) return;
        const { issuer, clientId } = grant;
        if (isUnknownClient(error))
          await forgetRegistration(current.store, issuer, clientId);
        await current.keep(undefined);
        throw error;
      }
    });
  }

  /** Obtains a token from a person or by another grant. */
  async obtain(
    discovery: Discovery,
    challenged: readonly string[],
    before: readonly string[],
    call?: object,
  ): Promise<void> {
    const current = this.current;
    const { grant: old, store } = current;
    const request = {
      context: this.#context,
      store,
      discovery,
      challenged,
      before,
      old,
    };
    if (!needsPerson(this.#options))
      return current.keep(await obtain(request), "new");
    await this.#connections.whilePaused(() =>
      current.lock(async () => {
        // A person may have signed in by another process in the meantime.
        await current.reload();
        if (current.grant && current.grant.id !== old?.id) return;
        request.context.signal?.throwIfAborted();
        if (call) this.asked.add(call);
        await current.keep(await obtain(request), "new");
      }, "login"),
    );
  }
}
