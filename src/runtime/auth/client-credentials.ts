import type { ClientKey } from "./model.js";
import type { OtherGrant } from "./options.js";
import { requestTokens } from "./tokens.js";

/** A client that is registered at the authorization server, with its secret or its key. */
export interface ClientCredentials extends ClientKey {
  readonly id: string;
  readonly secret?: string;
}

/**
 * Obtains tokens for the client itself, without a person: `oauth({ login: clientCredentials({ id, secret }) })`, or with `key` in place of
 * `secret`, which is safer. Specification: OAuth Client Credentials extension (AUTH-70, AUTH-71).
 *
 * @throws TypeError unless the client has exactly one of `secret` and `key`.
 */
export function clientCredentials(client: ClientCredentials): OtherGrant {
  if ((client.secret === undefined) === (client.key === undefined))
    throw new TypeError("clientCredentials needs either a secret or a key.");
  return {
    capabilities: { extensions: { "io.modelcontextprotocol/oauth-client-credentials": {} } },
    token: ({ context, as, params }) => requestTokens(context, as, client, "client_credentials", params),
  };
}
