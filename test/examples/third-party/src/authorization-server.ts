import { generateKeyPairSync } from "node:crypto";
import type { Claims } from "@mcpgen/auth/protect";
import {
  type Configuration,
  errors,
  interactionPolicy,
  Provider,
} from "oidc-provider";
import { escape, isSafe, page } from "./pages.js";
import { sessionTime, type Sessions } from "./sessions.js";
import { adapterOf, type Vault } from "./vault.js";

/**
 * The scopes of this MCP server, with what they allow, as the consent page says
 * it.
 */
export const scopes: Readonly<Record<string, string>> = {
  profile: "see your name and e-mail address",
};
const scope = Object.keys(scopes).join(" ");

/** Requests the metadata document of a client. */
export type MetadataFetch = NonNullable<Configuration["fetch"]>;

/** What the authorization server needs to know. */
export interface AuthorizationServerOptions {
  /** The origin of the MCP server. */
  readonly issuer: string;
  /** The URL of the MCP server. */
  readonly resource: string;
  readonly vault: Vault;
  readonly sessions: Sessions;
  /**
   * Reads client id metadata documents; by default a `fetch` that refuses
   * addresses of private networks.
   */
  readonly fetch?: MetadataFetch | undefined;
}

/**
 * The authorization server at the origin of the MCP server (revision
 * 2025-03-26, "Authorization").
 */
export function createAuthorizationServer(
  options: AuthorizationServerOptions,
): Provider {
  const { issuer, resource, vault, sessions, fetch } = options;
  const provider = new Provider(issuer, {
    adapter: adapterOf(vault),
    // The default paths of 2025-03-26, for clients that find no metadata.
    routes: {
      authorization: "/authorize",
      token: "/token",
      registration: "/register",
      revocation: "/revoke",
    },
    clientAuthMethods: ["none", "client_secret_basic", "client_secret_post"],
    // They sign only ID tokens, for clients that ask for `openid`.
    jwks: {
      keys: [
        generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
          format: "jwk",
        }),
      ],
    },
    clientDefaults: {
      id_token_signed_response_alg: "ES256",
      token_endpoint_auth_method: "none",
    },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    scopes: ["openid", ...Object.keys(scopes)],
    pkce: { required: () => true },
    issueRefreshToken: async (_context, client) =>
      client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    ttl: {
      AccessToken: 900,
      AuthorizationCode: 60,
      IdToken: 900,
      RefreshToken: sessionTime,
      Grant: sessionTime,
      Interaction: 1800,
      Session: 900,
    },
    cookies: {
      keys: [vault.sign("cookies")],
      names: {
        session: "mcp_session",
        interaction: "mcp_interaction",
        resume: "mcp_resume",
      },
    },
    // Nobody is signed in here: each authorization goes by the consent page and
    // the third party.
    interactions: {
      policy: policy(),
      url: (_context, { uid }) => `/consent/${uid}`,
    },
    loadExistingGrant: async ({ oidc }) => {
      const { grantId } = oidc.result?.consent ?? {};
      return grantId === undefined
        ? undefined
        : oidc.provider.Grant.find(grantId);
    },
    async findAccount(_context, accountId, token) {
      // Also when a code or a refresh token is redeemed, the third party has to
      // confirm the session.
      if (token && !(await sessions.tokensOf(token.grantId))) return undefined;
      return { accountId, claims: async () => ({ sub: accountId }) };
    },
    // Clients may not choose a redirect URI that another program or machine can
    // read (section "Redirect URI Validation").
    extraClientMetadata: {
      properties: ["redirect_uris"],
      validator: (_context, _key, uris) => checkRedirectUris(uris),
    },
    renderError(context, { error, error_description: reason }) {
      context.type = "html";
      context.body = page(
        "The sign-in has failed",
        `<p>${escape(error)}: ${escape(reason ?? "")}</p>`,
      );
    },
    ...(fetch && { fetch }),
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: "draft-02" },
      resourceIndicators: {
        enabled: true,
        // Clients of 2025-03-26 do not name the server. Every token is for this
        // server alone.
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_context, indicator) {
          if (indicator !== resource) throw new errors.InvalidTarget();
          return { scope, audience: resource, accessTokenFormat: "opaque" };
        },
      },
    },
  });
  // Behind a proxy that ends TLS, cookies must be secure all the same.
  provider.proxy = issuer.startsWith("https:");
  provider.use(async (context, next) => {
    // Clients that know no scopes ask for none, and get the default (RFC 6749,
    // section 3.3).
    if (context.path === "/authorize" && context.query["scope"] === undefined)
      context.query = { ...context.query, scope };
    await next();
  });
  provider.on(
    "grant.revoked",
    (_context, grantId) => void sessions.end(grantId),
  );
  provider.on("server_error", (_context, { name, message }) =>
    console.error(`${name}: ${message}`),
  );
  return provider;
}

function checkRedirectUris(uris: unknown): void {
  if (
    !Array.isArray(uris) ||
    !uris.every((uri) => typeof uri === "string" && isSafe(uri))
  )
    throw new errors.InvalidClientMetadata(
      "redirect_uris must be https URLs, or http URLs of this computer",
    );
}

/** One prompt, until the third party has said who the person is. */
function policy(): interactionPolicy.DefaultPolicy {
  const { base, Check } = interactionPolicy;
  const prompts = base();
  const check = new Check(
    "third_party",
    "the third party has not been asked",
    "login_required",
    ({ oidc }) =>
      oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  );
  prompts.get("login")?.checks.add(check);
  return prompts;
}

/**
 * What an access token of ours says, as long as the third party confirms its
 * session.
 */
export async function claimsOf(
  provider: Provider,
  sessions: Sessions,
  token: string,
): Promise<Claims | undefined> {
  const found = await provider.AccessToken.find(token);
  if (!found?.isValid || !(await sessions.tokensOf(found.grantId)))
    return undefined;
  const {
    accountId: sub,
    clientId: client_id,
    aud,
    exp,
    scope,
    grantId: grant,
  } = found;
  return { iss: provider.issuer, sub, client_id, aud, exp, scope, grant };
}
