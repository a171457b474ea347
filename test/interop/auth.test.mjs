import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  Client as Client2,
  StreamableHTTPClientTransport as Transport2,
} from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { requireBearerAuth as requireBearerAuth1 } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import {
  InvalidGrantError,
  InvalidTokenError,
} from "@modelcontextprotocol/sdk/server/auth/errors.js";
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthRouter,
} from "@modelcontextprotocol/sdk/server/auth/router.js";
import { Server as Server1 } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import {
  createMcpHandler,
  OAuthError,
  OAuthErrorCode,
  requireBearerAuth,
  Server as Server2,
} from "@modelcontextprotocol/server";
import { oauth } from "@mcpgen/auth";
import { createHttpHandler, http, nodeListener } from "@mcpgen/runtime/http";
import express from "express";
import { afterEach, describe, expect, it } from "vitest";
import { connect, createServers } from "../../generated/index.ts";

const closing = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(listener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/**
 * A provider for `mcpAuthRouter` without pages: every person agrees. A refresh
 * token can be used once.
 */
class Provider {
  clients = new Map();
  codes = new Map();
  tokens = new Map();
  refreshTokens = new Map();
  /** The grants of tokens. */
  granted = [];
  /** The lifetime of a new token, in seconds. */
  lifetime = 3600;

  clientsStore = {
    getClient: (id) => this.clients.get(id),
    registerClient: (metadata) => {
      const client = {
        ...metadata,
        client_id: randomUUID(),
        client_id_issued_at: 1,
      };
      this.clients.set(client.client_id, client);
      return client;
    },
  };

  async authorize(client, params, response) {
    const code = randomUUID();
    this.codes.set(code, { ...params, client });
    const target = new URL(params.redirectUri);
    target.searchParams.set("code", code);
    if (params.state) target.searchParams.set("state", params.state);
    response.redirect(target.href);
  }

  async challengeForAuthorizationCode(_, code) {
    return this.codes.get(code)?.codeChallenge ?? "";
  }

  async exchangeAuthorizationCode(_, code) {
    const { scopes, resource } = this.codes.get(code) ?? {};
    if (!this.codes.delete(code))
      throw new InvalidGrantError("The code is unknown.");
    return this.#issue("authorization_code", scopes ?? [], resource);
  }

  async exchangeRefreshToken(_, token) {
    const { scopes, resource } = this.refreshTokens.get(token) ?? {};
    if (!this.refreshTokens.delete(token))
      throw new InvalidGrantError("The refresh token is unknown.");
    return this.#issue("refresh_token", scopes, resource);
  }

  async verifyAccessToken(token) {
    const match = this.tokens.get(token);
    if (!match) throw new InvalidTokenError("The token is unknown.");
    return { token, clientId: "caller", ...match };
  }

  #issue(grant, scopes, resource) {
    this.granted.push(grant);
    const [access_token, refresh_token] = [randomUUID(), randomUUID()];
    this.tokens.set(access_token, {
      scopes,
      resource,
      expiresAt: Math.floor(Date.now() / 1000) + this.lifetime,
    });
    this.refreshTokens.set(refresh_token, { scopes, resource });
    return {
      access_token,
      refresh_token,
      token_type: "bearer",
      expires_in: this.lifetime,
      scope: scopes.join(" "),
    };
  }
}

/** A person whose browser follows redirects. */
function person() {
  const own = { count: 0 };
  const redirectUri = () => {
    let answer;
    return {
      uri: "http://127.0.0.1:33418/callback",
      answer: new Promise((resolve) => (answer = resolve)),
      open: async (page) => {
        own.count++;
        const { headers } = await fetch(page, { redirect: "manual" });
        answer(new URL(headers.get("location")).searchParams);
      },
      close: () => {},
    };
  };
  return Object.assign(own, { redirectUri });
}

const tools = { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
const result = { content: [{ type: "text", text: "called" }] };
const info = { name: "peer", version: "1.0.0" };

/**
 * A server of SDK v1 that is its own authorization server, as in its examples.
 */
async function protectedV1(provider) {
  const app = express();
  const origin = await listen(app);
  const url = new URL("/mcp", origin);
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl: new URL(origin),
      resourceServerUrl: url,
      scopesSupported: ["files"],
    }),
  );
  const gate = requireBearerAuth1({
    verifier: provider,
    requiredScopes: ["files"],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url),
  });
  const serve = async (request, response) => {
    const server = new Server1(info, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => tools);
    server.setRequestHandler(CallToolRequestSchema, () => result);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
    });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  };
  app.all("/mcp", gate, (request, response) => void serve(request, response));
  return url.href;
}

/**
 * A server of SDK v2 with `requireBearerAuth`; `mcpAuthRouter` of SDK v1 is the
 * authorization server, at another origin.
 */
async function protectedV2(provider) {
  const app = express();
  const issuer = await listen(app);
  const verifier = {
    verifyAccessToken: (token) =>
      provider.verifyAccessToken(token).catch(({ message }) => {
        throw new OAuthError(OAuthErrorCode.InvalidToken, message);
      }),
  };
  const origin = await listen((request, response) => handle(request, response));
  const url = new URL("/mcp", origin);
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl: new URL(issuer),
      resourceServerUrl: url,
      scopesSupported: ["files"],
    }),
  );
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const gate = requireBearerAuth({
    verifier,
    requiredScopes: ["files"],
    resourceMetadataUrl: metadataUrl,
    expectedResource: url,
  });
  const serve = toNodeHandler(
    createMcpHandler(() => {
      const server = new Server2(info, { capabilities: { tools: {} } });
      server.setRequestHandler("tools/list", () => tools);
      server.setRequestHandler("tools/call", () => result);
      return server;
    }),
  );
  async function handle(request, response) {
    if (request.url === new URL(metadataUrl).pathname)
      return response
        .writeHead(200, { "content-type": "application/json" })
        .end(
          JSON.stringify({
            resource: url.href,
            authorization_servers: [`${issuer}/`],
            scopes_supported: ["files"],
          }),
        );
    const answer = await gate(new Request(url, { headers: request.headers }));
    if (!(answer instanceof Response)) return serve(request, response);
    response
      .writeHead(answer.status, Object.fromEntries(answer.headers))
      .end(await answer.text());
  }
  return url.href;
}

describe.each([
  ["SDK v1", protectedV1],
  ["SDK v2", protectedV2],
])("our client with a protected server of %s", (_, protect) => {
  async function connected(provider, login) {
    const client = await connect(
      http(await protect(provider), { auth: oauth({ login }) }),
      { info },
    );
    closing.push(() => client.close());
    return client;
  }

  it("registers, signs in, and calls a tool", async () => {
    const [provider, login] = [new Provider(), person()];
    const client = await connected(provider, login);
    expect((await client.callTool({ name: "echo" })).content[0].text).toBe(
      "called",
    );
    expect([login.count, provider.granted, provider.clients.size]).toEqual([
      1,
      ["authorization_code"],
      1,
    ]);
    expect([...provider.tokens.values()][0]).toMatchObject({
      scopes: ["files"],
    });
  });

  it("refreshes a token that is refused, without a sign-in", async () => {
    const [provider, login] = [new Provider(), person()];
    const client = await connected(provider, login);
    provider.tokens.clear();
    expect((await client.listTools()).tools).toHaveLength(1);
    expect([login.count, provider.granted]).toEqual([
      1,
      ["authorization_code", "refresh_token"],
    ]);
  });

  it("signs in again once if its refresh token is refused", async () => {
    const [provider, login] = [new Provider(), person()];
    const client = await connected(provider, login);
    provider.tokens.clear();
    provider.refreshTokens.clear();
    await Promise.all(Array.from({ length: 10 }, () => client.listTools()));
    expect(login.count).toBe(2);
  });
});

/**
 * Our server with an `authenticate` that accepts the tokens of `mcpAuthRouter`
 * at another origin.
 */
async function protectedOurs(provider) {
  const app = express();
  const issuer = await listen(app);
  const servers = createServers({
    info,
    handlers: { "tools/list": () => tools, "tools/call": () => result },
  });
  const handler = nodeListener(
    createHttpHandler(servers, {
      authenticate: async (request) => {
        const token = request.headers
          .get("authorization")
          ?.replace(/^Bearer /, "");
        const match = provider.tokens.get(token);
        if (match?.resource?.href === url.href) return { principal: "ada" };
        const metadata = `${url.origin}/.well-known/oauth-protected-resource/mcp`;
        return new Response(null, {
          status: 401,
          headers: {
            "www-authenticate": `Bearer resource_metadata="${metadata}", scope="files"`,
          },
        });
      },
    }),
  );
  const origin = await listen((request, response) => {
    if (request.url !== "/.well-known/oauth-protected-resource/mcp")
      return handler(request, response);
    const document = {
      resource: url.href,
      authorization_servers: [`${issuer}/`],
      scopes_supported: ["files"],
    };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(document));
  });
  const url = new URL("/mcp", origin);
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl: new URL(issuer),
      resourceServerUrl: url,
      scopesSupported: ["files"],
    }),
  );
  return url;
}

/**
 * The provider that the clients of the SDKs require: it stores their data and
 * opens a browser.
 */
function sdkProvider() {
  const own = { answer: undefined };
  const redirectUrl = "http://127.0.0.1:33418/callback";
  return Object.assign(own, {
    redirectUrl,
    clientMetadata: {
      client_name: "peer",
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => own.client,
    saveClientInformation: (client) => void (own.client = client),
    tokens: () => own.tokenSet,
    saveTokens: (tokens) => void (own.tokenSet = tokens),
    codeVerifier: () => own.verifier,
    saveCodeVerifier: (verifier) => void (own.verifier = verifier),
    redirectToAuthorization: async (page) => {
      const { headers } = await fetch(page, { redirect: "manual" });
      own.answer = new URL(headers.get("location")).searchParams;
    },
  });
}

describe("our protected server", () => {
  it.each([
    ["SDK v1", Client1, Transport1, (params) => params.get("code")],
    ["SDK v2", Client2, Transport2, (params) => params],
  ])(
    "accepts a client of %s after it has signed in, and again after it has refreshed its token",
    async (_, Client, Transport, finish) => {
      const provider = new Provider();
      const url = await protectedOurs(provider);
      const authProvider = sdkProvider();
      const first = new Transport(url, { authProvider });
      await expect(new Client(info).connect(first)).rejects.toThrow(
        /unauthorized/i,
      );
      await first.finishAuth(finish(authProvider.answer));
      const client = new Client(info);
      await client.connect(new Transport(url, { authProvider }));
      closing.push(() => client.close());
      expect(
        (await client.callTool({ name: "echo", arguments: {} })).content[0]
          .text,
      ).toBe("called");
      expect(provider.granted).toEqual(["authorization_code"]);
      provider.tokens.clear();
      expect((await client.listTools()).tools).toHaveLength(1);
      expect(provider.granted).toEqual(["authorization_code", "refresh_token"]);
    },
  );
});
