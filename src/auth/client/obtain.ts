import { tokenEndpointOf } from "./client-auth.js";
import type { Discovery } from "./discovery.js";
import { AuthorizationError, quote } from "./error.js";
import { factsOf, isSameIssuer } from "./issuers.js";
import type { Tokens } from "./model.js";
import type { Context } from "./options.js";
import { bindsTokens } from "./proofs.js";
import { chooseScopes } from "./scopes.js";
import { signIn } from "./sign-in.js";
import { beginAtPage } from "./sign-in-page.js";
import type { Grant, TokenStore } from "./store.js";

/** Input of `obtain`. */
interface ObtainRequest {
  readonly context: Context;
  readonly store: TokenStore;
  readonly discovery: Discovery;
  /** The scopes of the challenge, and those that were requested before. */
  readonly challenged: readonly string[];
  readonly before: readonly string[];
  /** The grant in use so far. */
  readonly old: Grant | undefined;
}

/** Obtains a new grant by the option `login`. */
export async function obtain({
  context,
  store,
  discovery,
  challenged,
  before,
  old,
}: ObtainRequest): Promise<Grant> {
  const { server, options } = context;
  const { login, client, dpop } = options;
  const { as, scopes: offered, metadataUrl } = discovery;
  const { issuer } = as;
  const obtainError = (
    reason: "registration" | "metadata" | "issuer",
    message: string,
  ): AuthorizationError =>
    new AuthorizationError(reason, message, server, { issuer });
  if (!login) {
    const scope =
      challenged.length === 0
        ? ""
        : ` with the scope ${quote(challenged.join(" "))}`;
    const message = `${server.host} needs a person to sign in at ${issuer}${scope}, and this client has no \`login\`. Set it, or use a store with a token.`;
    throw new AuthorizationError("login-required", message, server, {
      issuer,
      scopes: challenged,
    });
  }
  // A secret or an identity without a person is for one issuer; the MCP server
  // must not choose who gets it (AUTH-26).
  if (
    "token" in login &&
    login.issuer !== undefined &&
    !isSameIssuer(options, login.issuer, issuer)
  )
    throw obtainError(
      "issuer",
      `${server.host} uses the authorization server ${quote(issuer)}, but the credentials of this client belong to ${quote(login.issuer)}, so they are not sent. Ask the operator whether the server has moved, and get credentials there if so.`,
    );
  // A client id without an issuer belongs to the first authorization server
  // (AUTH-26).
  if (
    client?.id !== undefined &&
    client.issuer === undefined &&
    old &&
    old.issuer !== issuer
  )
    throw obtainError(
      "registration",
      `${server.host} has moved from ${old.issuer} to ${issuer}. Register a client there, and set \`client.id\` and \`client.issuer\`.`,
    );
  if (dpop === "required" && !bindsTokens(as))
    throw obtainError(
      "metadata",
      `${issuer} does not bind tokens to a key (DPoP), which this client requires.`,
    );
  tokenEndpointOf(context, as);
  const facts = factsOf(options, issuer);
  const chosen = facts.resource ?? options.resource ?? discovery.resource;
  const resource = chosen === false ? undefined : chosen;
  const supported = as.scopes_supported ?? [];
  const scopes = chooseScopes(options, {
    challenged,
    offered,
    before,
    supported,
  });
  const params = {
    ...facts.params,
    ...resourceOf(resource),
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
  };
  const request = { context, store, as, params };
  const tokens =
    "token" in login
      ? await login.token(request)
      : "page" in login
        ? await beginAtPage(login, request, metadataUrl)
        : await signIn(login, request);
  return grantOf(context, tokens, { issuer, resource, scopes, metadataUrl });
}

/** Creates the grant to store for new tokens. */
export async function grantOf(
  { options, proofs, server }: Context,
  tokens: Tokens,
  details: Pick<Grant, "issuer" | "resource" | "scopes" | "metadataUrl">,
): Promise<Grant> {
  const { issuer } = details;
  if (options.dpop === "required" && !tokens.isBound) {
    const message = `${issuer} has not bound its token to a key (DPoP), which this client requires.`;
    throw new AuthorizationError("grant", message, server, { issuer });
  }
  const proofKey = tokens.isBound ? await proofs?.key() : undefined;
  return {
    kind: "grant",
    id: crypto.randomUUID(),
    ...details,
    proofKey,
    ...lastingOf(tokens),
  };
}

/**
 * The parameter `resource` (RFC 8707), if the identifier of the server is known
 * (AUTH-32).
 */
export const resourceOf = (
  resource: string | undefined,
): Record<string, string> => (resource === undefined ? {} : { resource });

/**
 * The members of a token response to store. A server that does not rotate
 * refresh tokens sends none, so `before` is kept (AUTH-55).
 */
export function lastingOf(
  { clientId, accessToken, refreshToken, lifetime }: Tokens,
  before?: string,
): Pick<
  Grant,
  "clientId" | "accessToken" | "refreshToken" | "since" | "expires"
> {
  const since = Date.now();
  const expires = lifetime === undefined ? undefined : since + lifetime * 1000;
  return {
    clientId,
    accessToken,
    refreshToken: refreshToken ?? before,
    since,
    expires,
  };
}
