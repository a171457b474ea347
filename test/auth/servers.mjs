// A real authorization server (oidc-provider), an MCP server that takes its tokens, and a person who signs in on its pages.
import { once } from "node:events";
import { createServer } from "node:http";
import { createHttpHandler, nodeListener } from "@mcpgen/runtime/http";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { Provider } from "oidc-provider";
import { createServer as createMcpServer } from "../../generated/2026-07-28/server.js";

/**
 * Starts an authorization server. It keeps all in memory, so that a second one on the same port has forgotten everybody. `format` is
 * that of access tokens; `lifetime` their time in seconds.
 */
export async function startProvider({
  port = 0,
  format = "jwt",
  lifetime = 3600,
  clients = [],
  more = {},
} = {}) {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [...clients, resourceServer],
    clientAuthMethods: ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
    scopes: ["openid", "offline_access", "files"],
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
    issueRefreshToken: (_context, client) => client.grantTypeAllowed("refresh_token"),
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
          scope: "files",
          audience,
          accessTokenTTL: lifetime,
          accessTokenFormat: format,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
      ...more.features,
    },
  });
  const own = { issuer, provider, server, port: server.address().port, isDown: false };
  const answer = provider.callback();
  server.on("request", (request, response) =>
    own.isDown ? request.socket.destroy() : answer(request, response),
  );
  /** The requests for tokens: their grants, and what became of them. */
  own.told = [];
  const tell = (context, outcome) => own.told.push(`${context.oidc?.params?.grant_type} ${outcome}`);
  provider.on("grant.success", (context) => tell(context, "granted"));
  provider.on("grant.error", (context, error) => tell(context, error.error));
  own.stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return own;
}

/** Starts an MCP server whose tokens come from `as`, which a test may replace. */
export async function startMcp(as) {
  const own = { as };
  const mcp = createMcpServer({
    info: { name: "protected", version: "1.0.0" },
    handlers: {
      "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
      "tools/call": () => ({ content: [{ type: "text", text: "called" }] }),
    },
  });
  const serve = nodeListener(createHttpHandler(mcp));
  const server = createServer(async (request, response) => {
    if (request.url === "/.well-known/oauth-protected-resource/mcp")
      return response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          resource: own.url,
          authorization_servers: [own.as.issuer],
          scopes_supported: ["files"],
        }),
      );
    const [, token] = /^(?:Bearer|DPoP) (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    if (token !== undefined && (await isGood(own, token))) return serve(request, response);
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

/** The MCP server, as the authorization server knows it: it asks what a token is worth. */
const resourceServer = {
  client_id: "resource-server",
  client_secret: "secret-of-the-resource-server",
  grant_types: [],
  redirect_uris: [],
  response_types: [],
};

/** Whether a token is of this authorization server and for this server: a JWT, or one that it knows (RFC 7662). */
async function isGood({ as: { issuer }, url }, token) {
  if (token.includes(".")) {
    const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
    return jwtVerify(token, keys, { issuer, audience: url, typ: "at+jwt" }).then(
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

/** A person with a browser of their own: signs in and agrees on the pages that the authorization server shows, or says no. */
export class Person {
  count = 0;
  isWilling = true;
  uri = "http://127.0.0.1:33418/callback";
  #cookies = new Map();

  redirectUri() {
    let answer;
    return {
      uri: this.uri,
      answer: new Promise((resolve) => (answer = resolve)),
      open: async (page) => answer(await this.visit(page)),
      close: () => {},
    };
  }

  /**
   * Follows redirects and fills in forms, until the page is the redirect URI, whose parameters it returns, or there is nothing left to fill
   * in.
   */
  async visit(page) {
    this.count++;
    for (let url = new URL(page), form; ;) {
      if (url.href.startsWith(this.uri)) return url.searchParams;
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const init = form ? { method: "POST", body: form } : {};
      const response = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
        this.#cookies.set(name, value);
      }
      form = undefined;
      const location = response.headers.get("location");
      if (location !== null) {
        url = new URL(location, url);
        continue;
      }
      const html = await response.text();
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(html) ?? [];
      const [, abort] = /href="([^"]+\/abort)"/.exec(html) ?? [];
      if (!response.ok) throw new Error(`The page is an error: ${response.status} ${html.slice(0, 2000)}`);
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      // The page of a device has a button to abort, the others have a link.
      const isDevice = hidden.some(([, name]) => name === "user_code");
      const isOver = this.isWilling ? action === undefined : abort === undefined && !isDevice;
      if (isOver) return undefined;
      if (this.isWilling || isDevice)
        form = new URLSearchParams({
          ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
          prompt: html.includes('name="login"') ? "login" : "consent",
          login: "ada",
          password: "x",
          ...(!this.isWilling && { abort: "yes" }),
        });
      url = new URL(this.isWilling || isDevice ? action : abort, url);
    }
  }
}
