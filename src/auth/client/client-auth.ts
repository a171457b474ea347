import { type ClientAuth, clockSkew, None, PrivateKeyJwt } from "oauth4webapi";
import { basicCredentials } from "./basic.js";
import { AuthorizationError, quote } from "./error.js";
import type { AuthorizationMetadata, KnownClient } from "./model.js";
import type { Context } from "./options.js";
import { checkUrl } from "./urls.js";

/**
 * Chooses how a client authenticates at an authorization server: by its key or
 * secret, with a method that the server supports (AUTH-27).
 *
 * @throws AuthorizationError with the reason `registration` if the server
 *   supports no method for the secret of the options.
 */
export function clientAuth(
  { server }: Context,
  as: AuthorizationMetadata,
  client: KnownClient,
): ClientAuth {
  const { id, secret, key } = client;
  const { issuer } = as;
  if (key !== undefined) return signedAssertion(key, client);
  if (secret === undefined) return None();
  const supported = as.token_endpoint_auth_methods_supported ?? [
    "client_secret_basic",
  ];
  const choices = ["client_secret_basic", "client_secret_post"];
  const method =
    client.method ?? choices.find((one) => supported.includes(one));
  if (method === undefined && client.isDynamic !== true) {
    const message = `${issuer} does not take the secret of the client ${quote(id)}: it supports ${supported.map(quote).join(", ") || "no method"}, neither ${choices.join(" nor ")}. Register a client with a key there and set \`key\` in place of \`secret\`, or set no \`secret\` for a public client.`;
    throw new AuthorizationError("registration", message, server, { issuer });
  }
  if (method === "client_secret_post")
    return (_as, _client, body) => {
      body.set("client_id", id);
      body.set("client_secret", secret);
    };
  if (method === undefined || method === "none") return None();
  return (_as, _client, _body, headers) =>
    headers.set("authorization", basicCredentials(id, secret));
}

/**
 * Signs an assertion for each request. The client id is only in the assertion,
 * not in the body (AUTH-71).
 */
function signedAssertion(
  key: object | string,
  { alg = "ES256", kid }: KnownClient,
): ClientAuth {
  return async (as, client, body, headers) => {
    const privateKey = await importKey(key, alg);
    await PrivateKeyJwt({
      key: privateKey,
      ...(kid !== undefined && { kid }),
    } as PrivateKey)(as, client, body, headers);
    body.delete("client_id");
  };
}

type PrivateKey = Parameters<typeof PrivateKeyJwt>[0];

async function importKey(key: object | string, alg: string): Promise<object> {
  if (typeof key !== "string" && "algorithm" in key) return key;
  const { importJWK, importPKCS8 } = await import("jose");
  if (typeof key === "string") return importPKCS8(key, alg);
  return importJWK(key as Parameters<typeof importJWK>[0], alg);
}

/**
 * The URL of the token endpoint, which each grant uses.
 *
 * @throws AuthorizationError with the reason `metadata` if there is none, or
 *   `unsafe-url`.
 */
export function tokenEndpointOf(
  context: Context,
  { issuer, token_endpoint: endpoint }: AuthorizationMetadata,
): URL {
  if (endpoint !== undefined)
    return checkUrl(
      endpoint,
      "the token_endpoint of its authorization server",
      context,
    );
  const message = `The authorization server ${issuer} of ${context.server.host} has no token endpoint.`;
  throw new AuthorizationError("metadata", message, context.server, { issuer });
}

/**
 * The client object of the OAuth library, with the clock skew of the
 * authorization server in seconds.
 */
export function libraryClient(
  context: Context,
  as: AuthorizationMetadata,
  id: string,
): {
  client_id: string;
  [clockSkew]: number;
} {
  const { token_endpoint: endpoint = "" } = as;
  const origin = URL.canParse(endpoint) ? new URL(endpoint).origin : "";
  return {
    client_id: id,
    [clockSkew]: Math.round((context.skews.get(origin) ?? 0) / 1000),
  };
}
