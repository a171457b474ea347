import type { Awaitable } from "../../common/timing.js";
import { readIssuer } from "./discovery.js";
import { AuthorizationError } from "./error.js";
import {
  type AuthorizationMetadata,
  type ClientKey,
  jwtBearer,
} from "./model.js";
import { type Context, type OtherGrant, requireIssuer } from "./options.js";
import { requestTokens } from "./tokens.js";

/** A client with its secret or its key; without both it is a public client. */
export interface EnterpriseClient extends ClientKey {
  readonly id: string;
  readonly secret?: string;
}

/**
 * The identity provider of a company, and this client at it and at the
 * authorization servers.
 */
export interface Enterprise {
  readonly idp: {
    /**
     * The issuer of the identity provider, whose metadata is read, or its token
     * endpoint.
     */
    readonly issuer?: string;
    readonly tokenEndpoint?: string;
    readonly client: EnterpriseClient;
  };
  /**
   * Returns the token that identifies the person: an ID token, or a token of
   * another `type` (RFC 8693).
   */
  readonly subject: () => Awaitable<{
    readonly token: string;
    readonly type?: string;
  }>;
  /** The client at the authorization server of the MCP server. */
  readonly client: EnterpriseClient;
  /**
   * The issuer identifier of that authorization server. For another one, the
   * identity provider is not asked, and no secret is sent.
   */
  readonly issuer: string;
}

const exchange = "urn:ietf:params:oauth:grant-type:token-exchange";
const idToken = "urn:ietf:params:oauth:token-type:id_token";
const idJag = "urn:ietf:params:oauth:token-type:id-jag";

/**
 * Obtains tokens for a person through the identity provider of a company,
 * without a sign-in page of each authorization server: `oauth({ login:
 * enterprise({ idp, subject, client, issuer })
 * })`. Requests fail with the reason `issuer` if the MCP server names another
 * authorization server. Specification: Enterprise-Managed Authorization
 * extension (AUTH-74, AUTH-77).
 *
 * @throws TypeError without `issuer`, and if `idp` has neither its issuer nor
 *   its token endpoint.
 */
export function enterprise({
  idp,
  subject,
  client,
  issuer,
}: Enterprise): OtherGrant {
  requireIssuer(issuer, "enterprise needs `issuer`");
  const { tokenEndpoint, issuer: provider = tokenEndpoint } = idp;
  if (provider === undefined)
    throw new TypeError(
      "enterprise needs the issuer or the token endpoint of the identity provider.",
    );
  return {
    issuer,
    capabilities: {
      extensions: {
        "io.modelcontextprotocol/enterprise-managed-authorization": {},
      },
    },
    token: async ({ context, as, params }) => {
      // The identity provider comes from the options, and is often in the
      // private network of the company.
      const inside: Context = {
        ...context,
        allowPrivate: true,
        proofs: undefined,
      };
      const { token, type = idToken } = await subject();
      const { resource, scope } = params;
      const tokens = await requestTokens(
        inside,
        await providerOf(inside, provider, tokenEndpoint),
        idp.client,
        exchange,
        {
          ...(resource !== undefined && { resource }),
          ...(scope !== undefined && { scope }),
          requested_token_type: idJag,
          audience: as.issuer,
          subject_token: token,
          subject_token_type: String(type),
        },
      );
      if (tokens.type !== idJag) {
        const message = `The identity provider issued another token than an ID-JAG for ${context.server.host}. It must support cross-app access.`;
        throw new AuthorizationError("grant", message, context.server, {
          issuer: as.issuer,
        });
      }
      return requestTokens(context, as, client, jwtBearer, {
        ...params,
        assertion: tokens.accessToken,
      });
    },
  };
}

async function providerOf(
  context: Context,
  issuer: string,
  tokenEndpoint: string | undefined,
): Promise<AuthorizationMetadata> {
  return tokenEndpoint === undefined
    ? readIssuer(context, issuer)
    : { issuer, token_endpoint: tokenEndpoint, hasPkce: false };
}
