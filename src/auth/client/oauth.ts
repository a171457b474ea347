import type {
  Authorization,
  Authorizer,
} from "../../runtime/core/ports/authorizer.js";
import { TokenCache } from "./token-cache.js";
import { type OAuthOptions, requireIssuer } from "./options.js";
import { checkMetadataUrl } from "./registration.js";
import type { Revocation } from "./revocation.js";
import { takePending } from "./sign-in-page.js";
import { checkedStore, grantKey, memoryStore } from "./store.js";

/**
 * Authorizes clients by OAuth 2.1, as the specification of MCP uses it
 * ("Authorization").
 */
export interface OAuth extends Authorizer {
  /**
   * Removes the tokens for a server from the store, then revokes the refresh
   * token and the access token (RFC 7009). Resolves to what became of each; to
   * an empty list if there was none. The tokens are removed even if the promise
   * rejects.
   *
   * @throws AuthorizationError if a token could not be revoked. Its message
   *   says what became of each.
   */
  logout(server: string | URL): Promise<readonly Revocation[]>;
  /**
   * Completes a sign-in that began at a `SignInPage`: reads the URL that the
   * person returned to, in any process with the same store, and stores the
   * tokens. Resolves to the MCP server that the person signed in to. An answer
   * can be used once, and only for the `account` that the sign-in began with:
   * take the account from the person's session, never from the URL.
   *
   * @throws AuthorizationError if the person or the authorization server denied
   *   the sign-in.
   * @throws TypeError if no such sign-in is pending.
   */
  answer(url: string | URL): Promise<URL>;
}

/**
 * Obtains, keeps and renews tokens for MCP servers:
 * `http(url, { auth: oauth({ login }) })`. One object may serve any number of
 * servers and connections; those of one server share one token. Requests of a
 * client fail with an `AuthorizationError` if it cannot be authorized.
 *
 * @throws TypeError if `client.secret` is set without `client.issuer`, or
 *   `client.metadataUrl` cannot be the id of a client.
 */
export function oauth(options: OAuthOptions = {}): OAuth {
  const { secret, issuer, metadataUrl } = options.client ?? {};
  if (secret !== undefined)
    requireIssuer(issuer, "`client.secret` needs `client.issuer`");
  if (metadataUrl !== undefined) checkMetadataUrl(metadataUrl);
  const store = options.store ?? memoryStore();
  const caches = new Map<string, TokenCache>();
  const cacheOf = (server: URL): TokenCache => {
    const key = grantKey(server);
    const cache =
      caches.get(key) ??
      new TokenCache(server, options, checkedStore(store, server));
    caches.set(key, cache);
    return cache;
  };
  const { login } = options;
  const capabilities =
    login && "token" in login ? login.capabilities : undefined;
  return {
    connect(server, onSignIn): Authorization {
      const cache = cacheOf(server);
      cache.connect(onSignIn);
      let isClosed = false;
      return {
        get identity() {
          return cache.identity;
        },
        capabilities,
        headers: (request) => cache.headers(request),
        answered: (...args) => cache.answered(...args),
        challenged: async (challenge) => !isClosed && cache.renew(challenge),
        close: () => {
          isClosed = true;
          cache.disconnect(onSignIn);
        },
      };
    },
    async answer(url) {
      const { searchParams } = new URL(url);
      const pending = await takePending(store, searchParams, options.account);
      const server = new URL(pending.server);
      await cacheOf(server).answerAtPage(pending, searchParams);
      return server;
    },
    async logout(server) {
      const url = new URL(server);
      url.username = url.password = url.hash = "";
      return cacheOf(url).forget();
    },
  };
}
