import type { ClientKey } from "./model.js";
import { type OtherGrant, requireIssuer } from "./options.js";
import { requestTokens } from "./tokens.js";

/**
 * A client that is registered at one authorization server, with its secret or
 * its key.
 */
export interface ClientCredentials extends ClientKey {
  /**
   * The issuer identifier of that authorization server. No other server gets
   * the secret.
   */
  readonly issuer: string;
  readonly id: string;
  readonly secret?: string;
}

/**
 * Obtains tokens for the client itself, without a person:
 * `oauth({ login: clientCredentials({ id, secret, issuer }) })`, or with `key`
 * in place of `secret`, which is safer. Requests fail with the reason `issuer`
 * if the MCP server names another authorization server. Specification: OAuth
 * Client Credentials extension (AUTH-70, AUTH-71).
 *
 * @throws TypeError without `issuer`, or unless the client has exactly one of
 *   `secret` and `key`.
 */
export function clientCredentials(client: ClientCredentials): OtherGrant {
  requireIssuer(client.issuer, "clientCredentials needs `issuer`");
  if ((client.secret === undefined) === (client.key === undefined))
    throw new TypeError("clientCredentials needs either a secret or a key.");
  return {
    issuer: client.issuer,
    capabilities: {
      extensions: { "io.modelcontextprotocol/oauth-client-credentials": {} },
    },
    token: ({ context, as, params }) =>
      requestTokens(context, as, client, "client_credentials", params),
  };
}
