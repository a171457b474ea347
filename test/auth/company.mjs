// A company: an identity provider that knows its people, and an authorization
// server that trusts it (cross-app access).
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { errors } from "./oidc-provider.mjs";
import { startProvider } from "./servers.mjs";

const [exchange, jwtBearer] = ["token-exchange", "jwt-bearer"].map(
  (name) => `urn:ietf:params:oauth:grant-type:${name}`,
);
const [idToken, idJag] = ["id_token", "id-jag"].map(
  (name) => `urn:ietf:params:oauth:token-type:${name}`,
);
export { idJag, idToken, jwtBearer };

const clientFor = (client_id, grant, method) => ({
  client_id,
  client_secret: `secret of ${client_id}`,
  token_endpoint_auth_method: method,
  grant_types: [grant],
  redirect_uris: [],
  response_types: [],
});

/**
 * Starts an identity provider, which knows the client `at-idp`, and an
 * authorization server with these options, which knows `at-as`. A secret is
 * "secret of" and the name of the client; `method` is how the client sends it
 * to the identity provider. `exchanges` are the requests for an assertion.
 * `sign` makes an assertion of the identity provider with these claims.
 */
export async function startCompany({
  method = "client_secret_basic",
  ...options
} = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
  });
  const idp = await startProvider({
    clients: [clientFor("at-idp", exchange, method)],
  });
  const as = await startProvider({
    ...options,
    clients: [clientFor("at-as", jwtBearer, "client_secret_basic")],
  });
  const exchanges = [];
  const sign = (claims, header = {}, key = privateKey) =>
    new SignJWT({
      jti: randomUUID(),
      iss: idp.issuer,
      sub: "ada",
      aud: as.issuer,
      client_id: "at-as",
      ...claims,
    })
      .setProtectedHeader({ alg: "ES256", typ: "oauth-id-jag+jwt", ...header })
      .setIssuedAt(claims.iat)
      .setExpirationTime(claims.exp ?? "5m")
      .sign(key);
  idp.provider.registerGrantType(
    exchange,
    async (context) => {
      const { params } = context.oidc;
      exchanges.push([
        params.subject_token,
        params.subject_token_type,
        params.requested_token_type,
      ]);
      const { audience: aud, resource, scope } = params;
      const assertion = await sign({ aud, resource, scope });
      context.body = {
        access_token: assertion,
        issued_token_type: idJag,
        token_type: "N_A",
        expires_in: 300,
      };
    },
    [
      "subject_token",
      "subject_token_type",
      "requested_token_type",
      "audience",
      "resource",
      "scope",
    ],
  );
  as.provider.registerGrantType(
    jwtBearer,
    async (context) => {
      const { client, params } = context.oidc;
      const { scopes = ["files"], format = "jwt", resource } = options;
      const payload = await verified(params.assertion, client);
      if (resource !== undefined && payload.resource !== resource)
        throw new errors.InvalidGrant("resource");
      const granted = String(payload.scope ?? "").split(" ");
      const scope = (params.scope?.split(" ") ?? granted).filter(
        (one) => granted.includes(one) && scopes.includes(one),
      );
      if (granted.some(Boolean) && scope.length === 0)
        throw new errors.InvalidGrant("scope");
      const token = new as.provider.AccessToken({
        client,
        accountId: payload.sub,
        scope: scope.join(" "),
        gty: "jwt-bearer",
      });
      token.resourceServer = new as.provider.ResourceServer(payload.resource, {
        scope: scopes.join(" "),
        audience: payload.resource,
        accessTokenFormat: format,
        jwt: { sign: { alg: "RS256" } },
      });
      context.body = {
        access_token: await token.save(),
        token_type: "Bearer",
        expires_in: token.expiration,
      };
    },
    ["assertion", "resource", "scope"],
  );
  const used = new Set();
  /** The claims of an assertion that this client may use, once. */
  async function verified(assertion, client) {
    const trusted = {
      issuer: idp.issuer,
      audience: as.issuer,
      typ: "oauth-id-jag+jwt",
      algorithms: ["ES256"],
      requiredClaims: [
        "iss",
        "sub",
        "aud",
        "exp",
        "iat",
        "jti",
        "client_id",
        "resource",
      ],
    };
    const { payload } = await jwtVerify(assertion, publicKey, trusted).catch(
      (error) => {
        throw new errors.InvalidGrant(error.message);
      },
    );
    if (payload.client_id !== client.clientId)
      throw new errors.InvalidGrant("client_id");
    if (used.has(payload.jti)) throw new errors.InvalidGrant("jti");
    used.add(payload.jti);
    return payload;
  }
  const stop = () => Promise.all([idp.stop(), as.stop()]);
  return { idp, as, exchanges, sign, stop };
}
