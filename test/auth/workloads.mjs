// A platform whose workloads have tokens of their own, and an authorization
// server that trusts some of them (workload identity).
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { jwtVerify, SignJWT } from "jose";
import { jwtBearer } from "./company.mjs";
import { errors } from "./oidc-provider.mjs";
import { startProvider } from "./servers.mjs";

/**
 * The issuer of the tokens of workloads. Its keys are configured, as they would
 * come over TLS.
 */
export const platform = "https://platform.example.com";
/** The workload that may get tokens, and for which MCP server. */
export const workload = "system:build:deploy";
export const resource = "https://mcp.example.com/mcp";

/**
 * Starts the authorization server. `sign` makes a token of a workload, with
 * these claims.
 */
export async function startWorkloads() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
  });
  const as = await startProvider({
    clients: [
      {
        client_id: workload,
        token_endpoint_auth_method: "none",
        grant_types: [jwtBearer],
        redirect_uris: [],
        response_types: [],
      },
    ],
  });
  const used = new Set();
  // A workload has no client id of its own: the rule for it stands under its
  // name.
  as.provider.use(async (context, next) => {
    if (context.path === "/token") {
      const form = new URLSearchParams(await text(context.req));
      if (form.get("grant_type") === jwtBearer) form.set("client_id", workload);
      context.req.body = Object.fromEntries(form);
    }
    await next();
  });
  as.provider.registerGrantType(
    jwtBearer,
    async (context) => {
      const { client, params } = context.oidc;
      const trusted = {
        issuer: platform,
        audience: as.issuer,
        algorithms: ["ES256"],
        requiredClaims: ["iss", "sub", "aud", "exp", "iat", "jti"],
        maxTokenAge: "10m",
      };
      const { payload } = await jwtVerify(
        params.assertion,
        publicKey,
        trusted,
      ).catch((error) => {
        throw new errors.InvalidGrant(error.message);
      });
      if (payload.sub !== workload) throw new errors.InvalidGrant("sub");
      if (used.has(payload.jti)) throw new errors.InvalidGrant("jti");
      used.add(payload.jti);
      if (params.resource !== resource) throw new errors.InvalidTarget();
      const token = new as.provider.AccessToken({
        client,
        accountId: payload.sub,
        gty: "jwt-bearer",
      });
      token.resourceServer = new as.provider.ResourceServer(resource, {
        scope: "files",
        audience: resource,
        accessTokenFormat: "jwt",
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
  const sign = (claims = {}, header = {}, key = privateKey) =>
    new SignJWT({
      jti: randomUUID(),
      iss: platform,
      sub: workload,
      aud: as.issuer,
      ...claims,
    })
      .setProtectedHeader({ alg: "ES256", ...header })
      .setIssuedAt(claims.iat)
      .setExpirationTime(claims.exp ?? "5m")
      .sign(key);
  return { as, sign, stop: as.stop };
}
