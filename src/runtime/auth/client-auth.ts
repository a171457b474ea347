import { type ClientAuth, clockSkew, None, PrivateKeyJwt } from "oauth4webapi";
import { basicCredentials } from "./basic.js";
import type { AuthorizationMetadata, KnownClient } from "./model.js";
import type { Context } from "./options.js";

/** Chooses how a client authenticates at an authorization server: by its key or secret, with a method that the server supports (AUTH-27). */
export function clientAuth(as: AuthorizationMetadata, client: KnownClient): ClientAuth {
  const { id, secret, key } = client;
  if (key !== undefined) return signedAssertion(client);
  if (secret === undefined) return None();
  const supported = as.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const choices = ["client_secret_basic", "client_secret_post"];
  const method = client.method ?? choices.find((one) => supported.includes(one)) ?? "none";
  if (method === "client_secret_post")
    return (_as, _client, body) => {
      body.set("client_id", id);
      body.set("client_secret", secret);
    };
  if (method === "none") return None();
  return (_as, _client, _body, headers) => headers.set("authorization", basicCredentials(id, secret));
}

/** Signs an assertion for each request. The client id is only in the assertion, not in the body (AUTH-71). */
function signedAssertion({ key, alg = "ES256", kid }: KnownClient): ClientAuth {
  return async (as, client, body, headers) => {
    const privateKey = await importKey(key ?? "", alg);
    await PrivateKeyJwt({ key: privateKey, ...(kid !== undefined && { kid }) } as PrivateKey)(
      as,
      client,
      body,
      headers,
    );
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

/** The client object of the OAuth library, with the clock skew of the authorization server in seconds. */
export function libraryClient(
  context: Context,
  as: AuthorizationMetadata,
  id: string,
): {
  client_id: string;
  [clockSkew]: number;
} {
  const origin = as.token_endpoint === undefined ? "" : new URL(as.token_endpoint).origin;
  return { client_id: id, [clockSkew]: Math.round((context.skews.get(origin) ?? 0) / 1000) };
}
