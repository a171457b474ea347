// A real authorization server (oidc-provider), and an MCP server that accepts
// its tokens.
import { once } from "node:events";
import { createServer } from "node:http";
import { createHttpHandler, nodeListener } from "@mcpgen/runtime/http";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { createServer as createMcpServer } from "../../generated/2026-07-28/server.js";
import { freePort } from "../free-port.ts";
import { Provider } from "./oidc-provider.mjs";

export { Person } from "./person.mjs";

/**
 * Starts an authorization server. It stores everything in memory, so that a
 * second one on the same port knows no client. `format` is the format of access
 * tokens; `lifetime` is their lifetime in seconds; `scopes` are the scopes of
 * MCP servers.
 */
export async function startProvider({
  port,
  format = "jwt",
  lifetime = 3600,
  scopes = ["files"],
  clients = [],
  more = {},
} = {}) {
  const server = createServer();
  server.listen(port ?? (await freePort()), "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [...clients, resourceServer],
    clientAuthMethods: [
      "none",
      "client_secret_basic",
      "client_secret_post",
      "private_key_jwt",
    ],
    scopes: ["openid", "offline_access", ...scopes],
    ttl: {
      AccessToken: lifetime,
      ClientCredentials: lifetime,
      Grant: 3600,
      Interaction: 3600,
      Session: 3600,
      RefreshToken: 3600,
    },
    rotateRefreshToken: true,
    pkce: { required: () => true },
    cookies: { keys: ["test"] },
    issueRefreshToken: (_context, client) =>
      client.grantTypeAllowed("refresh_token"),
    expiresWithSession: () => false,
    ...more,
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => false,
        getResourceServerInfo: (_context, audience) => ({
          scope: scopes.join(" "),
          audience,
          accessTokenTTL: lifetime,
          accessTokenFormat: format,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
      ...more.features,
    },
  });
  const own = {
    issuer,
    provider,
    server,
    port: server.address().port,
    isDown: false,
  };
  let answer;
  server.on("request", (request, response) =>
    own.isDown
      ? request.socket.destroy()
      : (answer ??= provider.callback())(request, response),
  );
  /** The requests for tokens: their grants and their outcomes. */
  own.grants = [];
  const tell = (context, outcome) =>
    own.grants.push(`${context.oidc?.params?.grant_type} ${outcome}`);
  provider.on("grant.success", (context) => tell(context, "granted"));
  provider.on("grant.error", (context, error) => tell(context, error.error));
  own.stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return own;
}

/**
 * Starts an MCP server whose tokens come from `as`, which a test may replace.
 */
export async function startMcp(as) {
  const own = { as };
  const mcp = createMcpServer({
    info: { name: "protected", version: "1.0.0" },
    handlers: {
      "tools/list": () => ({
        tools: [{ name: "echo", inputSchema: { type: "object" } }],
      }),
      "tools/call": () => ({ content: [{ type: "text", text: "called" }] }),
    },
  });
  const serve = nodeListener(createHttpHandler(mcp));
  const server = createServer(async (request, response) => {
    if (request.url === "/.well-known/oauth-protected-resource/mcp")
      return response
        .writeHead(200, { "content-type": "application/json" })
        .end(
          JSON.stringify({
            resource: own.url,
            authorization_servers: [own.as.issuer],
            scopes_supported: ["files"],
          }),
        );
    const [, token] =
      /^(?:Bearer|DPoP) (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    if (token !== undefined && (await isGood(own, token)))
      return serve(request, response);
    response.writeHead(401, { "www-authenticate": "Bearer" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  own.url = `http://127.0.0.1:${server.address().port}/mcp`;
  own.stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return own;
}

/**
 * The registration of the MCP server at the authorization server, for
 * introspection.
 */
export const resourceServer = {
  client_id: "resource-server",
  client_secret: "secret-of-the-resource-server",
  grant_types: [],
  redirect_uris: [],
  response_types: [],
};

/**
 * Whether a token was issued by this authorization server for this MCP server:
 * a JWT, or an opaque token (RFC 7662).
 */
async function isGood({ as: { issuer }, url }, token) {
  if (token.includes(".")) {
    const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
    return jwtVerify(token, keys, {
      issuer,
      audience: url,
      typ: "at+jwt",
    }).then(
      () => true,
      () => false,
    );
  }
  const { client_id: id, client_secret: secret } = resourceServer;
  const answer = await fetch(`${issuer}/token/introspection`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ token }),
  });
  const { active, aud } = await answer.json();
  return active === true && aud === url;
}
