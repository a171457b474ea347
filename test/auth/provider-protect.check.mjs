// A protected MCP server whose tokens are opaque: it asks a real authorization
// server (oidc-provider) what they are worth.
import { memoryStore, oauth } from "@mcpgen/auth";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { dpop, introspection, protect } from "@mcpgen/auth/protect";
import { afterEach, describe, expect, it } from "vitest";
import { Client } from "../../generated/2026-07-28/client.js";
import { createServer } from "../../generated/2026-07-28/server.js";
import { freePort } from "../free-port.js";
import { Person, resourceServer, startProvider } from "./servers.mjs";

const open = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one();
});

/**
 * An authorization server, a server that it protects, and what that server got.
 */
async function start({ as: asOptions, ...options } = {}) {
  const as = await startProvider({ format: "opaque", ...asOptions });
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  const { client_id: id, client_secret: secret } = resourceServer;
  const callers = [];
  const errors = [];
  const requests = [];
  const onError = (error) => errors.push(error.message);
  const mcp = createServer({
    info: { name: "protected", version: "1.0.0" },
    handlers: {
      "tools/list": () => ({
        tools: [{ name: "echo", inputSchema: { type: "object" } }],
      }),
      "tools/call": (_params, { auth }) => {
        callers.push(auth);
        return { content: [{ type: "text", text: "called" }] };
      },
    },
    onError,
  });
  const protection = protect({
    resource,
    issuers: [as.issuer],
    scopes: ["files"],
    verify: introspection({ id, secret }),
    ...options,
  });
  const serving = await serveHttp(
    createHttpHandler(mcp, { protect: protection, onError }),
    { port },
  );
  open.push(as.stop, serving.close);
  /** A `fetch` that keeps the headers of requests to the server. */
  const seeing = (input, init) => {
    requests.push(new Headers(init.headers));
    return fetch(input, init);
  };
  return {
    as,
    resource,
    callers,
    errors,
    requests,
    seeing,
    person: new Person(),
  };
}

async function connect({ resource, seeing }, auth) {
  const client = await Client.connect(http(resource, { auth, fetch: seeing }), {
    info: { name: "caller", version: "1.0.0" },
  });
  open.push(() => client.close());
  return client;
}

const call = async (client) =>
  (await client.callTool({ name: "echo", arguments: {} })).content[0].text;

const failure = (promise) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

/** The last request that had a token. */
const lastOf = ({ requests }) =>
  requests.findLast((headers) => headers.has("authorization"));
const tokenOf = (setup) => lastOf(setup).get("authorization").split(" ")[1];

/** Sends a request as a program that has only these headers. */
async function send({ resource }, headers) {
  const response = await fetch(resource, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: {},
    }),
  });
  await response.body?.cancel();
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate") ?? "",
  };
}

describe("a protected server with the authorization server oidc-provider", () => {
  it("AUTH-01 AUTH-02 directs a client to an opaque token, and identifies the caller by introspection", async () => {
    const setup = await start();
    const { as, resource, callers, errors, person } = setup;
    const client = await connect(
      setup,
      oauth({ login: person, client: { name: "caller" } }),
    );
    expect(await call(client)).toBe("called");
    expect(person.count).toBe(1);
    expect(tokenOf(setup)).not.toContain(".");
    const [{ issuer, subject, clientId, scopes, claims, expiresAt }] = callers;
    expect({ issuer, subject, scopes, active: claims.active }).toEqual({
      issuer: as.issuer,
      subject: "ada",
      scopes: ["files"],
      active: true,
    });
    expect(claims.aud).toBe(resource);
    expect(claims.client_id).toBe(clientId);
    expect(expiresAt).toBeGreaterThan(Date.now());
    expect(errors).toEqual([]);
  });

  it("AUTH-51 rejects a token for another server, a refresh token and an invented token", async () => {
    const setup = await start();
    const copies = [];
    const tokens = memoryStore();
    const store = {
      ...tokens,
      set: (key, value) => (copies.push(value), tokens.set(key, value)),
    };
    await call(await connect(setup, oauth({ login: setup.person, store })));
    const { refreshToken } = copies.find((value) => value?.kind === "grant");
    const { AccessToken, ResourceServer } = setup.as.provider;
    const mine = await AccessToken.find(tokenOf(setup));
    const other = new AccessToken({
      ...mine,
      jti: undefined,
      client: await setup.as.provider.Client.find(mine.clientId),
    });
    other.resourceServer = new ResourceServer("https://other.example.com/mcp", {
      scope: "files",
      accessTokenFormat: "opaque",
    });
    const foreign = await other.save();
    expect((await AccessToken.find(foreign)).aud).toBe(
      "https://other.example.com/mcp",
    );
    expect(
      await setup.as.provider.RefreshToken.find(refreshToken),
    ).toBeDefined();
    // The request has no headers of the protocol: with a good token it comes as
    // far as that.
    expect(
      await send(setup, { authorization: `Bearer ${tokenOf(setup)}` }),
    ).toMatchObject({ status: 400 });
    for (const token of [foreign, refreshToken, "made-up"]) {
      const { status, challenge } = await send(setup, {
        authorization: `Bearer ${token}`,
      });
      expect(status).toBe(401);
      expect(challenge).toContain('error="invalid_token"');
    }
    // The operator gets the audiences of the tokens that are authentic.
    expect(setup.errors).toEqual([
      expect.stringContaining('`aud` is "https://other.example.com/mcp"'),
      expect.stringContaining("`aud` is nothing"),
    ]);
  });

  it("AUTH-80 AUTH-81 accepts tokens that are bound to a key only from the holder of the key, with the nonces of both servers", async () => {
    const dPoP = {
      enabled: true,
      nonceSecret: Buffer.alloc(32, 7),
      requireNonce: () => true,
    };
    const setup = await start({
      as: { more: { features: { dPoP } } },
      dpop: dpop({ required: true, nonce: true }),
    });
    const client = await connect(
      setup,
      oauth({ login: setup.person, dpop: "required" }),
    );
    for (let count = 0; count < 3; count++)
      expect(await call(client)).toBe("called");
    expect(setup.person.count).toBe(1);
    expect(setup.callers[0].claims.cnf.jkt).toMatch(/^[\w-]{43}$/);
    const authorization = lastOf(setup).get("authorization");
    expect(authorization).toMatch(/^DPoP /);
    const proof = lastOf(setup).get("dpop");
    const bearer = authorization.replace("DPoP", "Bearer");
    for (const [headers, error] of [
      [{ authorization, dpop: proof }, "invalid_dpop_proof"],
      [{ authorization }, "invalid_dpop_proof"],
      [{ authorization: bearer }, "invalid_token"],
      [{ authorization: bearer, dpop: proof }, "invalid_token"],
    ]) {
      const { status, challenge } = await send(setup, headers);
      expect(status).toBe(401);
      expect(challenge).toContain(`error="${error}"`);
    }
    expect(setup.errors).toEqual([]);
  });

  it("AUTH-01 rejects a revoked token, and the client gets another one with its refresh token", async () => {
    const setup = await start({ recheckTime: 0 });
    const client = await connect(setup, oauth({ login: setup.person }));
    await call(client);
    const token = tokenOf(setup);
    await (await setup.as.provider.AccessToken.find(token)).destroy();
    expect(
      await send(setup, { authorization: `Bearer ${token}` }),
    ).toMatchObject({ status: 401 });
    expect(await call(client)).toBe("called");
    expect(setup.person.count).toBe(1);
    expect(setup.as.grants).toEqual([
      "authorization_code granted",
      "refresh_token granted",
    ]);
  });

  it("answers with 503 while the authorization server is down, and accepts tokens when it is back", async () => {
    const setup = await start({ recheckTime: 0 });
    const client = await connect(setup, oauth({ login: setup.person }));
    await call(client);
    const token = tokenOf(setup);
    setup.as.isDown = true;
    expect(
      await send(setup, { authorization: `Bearer ${token}` }),
    ).toMatchObject({ status: 503 });
    expect(await failure(call(client))).toMatchObject({ status: 503 });
    setup.as.isDown = false;
    expect(await call(client)).toBe("called");
    expect(setup.person.count).toBe(1);
    expect(setup.errors.length).toBeGreaterThan(0);
    expect(setup.errors.join()).toContain(setup.as.issuer);
    expect(setup.errors.join()).not.toContain(token);
    expect(setup.errors.join()).not.toContain(resourceServer.client_secret);
  });
});
