import { generateKeyPairSync } from "node:crypto";
import {
  clientCredentials,
  deviceLogin,
  enterprise,
  memoryStore,
  oauth,
} from "@mcpgen/auth";
import { http } from "@mcpgen/runtime/http";
import { exportJWK, importSPKI } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../generated/2026-07-28/client.js";
import { idJag, idToken, jwtBearer, startCompany } from "./company.mjs";
import { Person, startMcp, startProvider } from "./servers.mjs";

const open = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of open.splice(0).reverse()) await one();
});

/**
 * Moves the clock of the client, its server and the authorization server, which
 * all run in this process.
 */
function pass(milliseconds) {
  const now = Date.now() + milliseconds;
  vi.useFakeTimers({ toFake: ["Date"], now });
}

async function start(options) {
  const as = await startProvider(options);
  const mcp = await startMcp(as);
  open.push(() => mcp.as.stop(), mcp.stop);
  return { as, mcp, person: new Person() };
}

async function connect(mcp, auth) {
  const client = await Client.connect(http(mcp.url, { auth }), {
    info: { name: "caller", version: "1.0.0" },
  });
  open.push(() => client.close());
  return client;
}

const call = async (client) => {
  const { content } = await client.callTool({ name: "echo", arguments: {} });
  return content[0].text;
};

const failure = (promise) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

describe("a client with the authorization server oidc-provider", () => {
  it.each(["jwt", "opaque"])(
    "AUTH-23 AUTH-30 AUTH-32 registers, signs in, and calls a tool with a %s token for this server",
    async (format) => {
      const { as, mcp, person } = await start({ format });
      const client = await connect(
        mcp,
        oauth({ login: person, client: { name: "caller" } }),
      );
      expect(await call(client)).toBe("called");
      expect(person.count).toBe(1);
      expect(as.grants).toEqual(["authorization_code granted"]);
    },
  );

  it("AUTH-54 AUTH-55 refreshes tokens of two seconds for a long time, and uses each refresh token once", async () => {
    const { as, mcp, person } = await start({ lifetime: 2 });
    const client = await connect(mcp, oauth({ login: person }));
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 10 }, () => call(client)));
      pass(400);
    }
    expect(person.count).toBe(1);
    const refreshes = as.grants.filter(
      (line) => line === "refresh_token granted",
    );
    expect(refreshes.length).toBeGreaterThanOrEqual(3);
    expect(as.grants).toEqual(["authorization_code granted", ...refreshes]);
  });

  it("AUTH-26 registers and signs in once more if the authorization server has lost its registration", async () => {
    const { as, mcp, person } = await start({ format: "opaque" });
    const store = memoryStore();
    const auth = oauth({ login: person, store });
    expect(await call(await connect(mcp, auth))).toBe("called");
    await as.stop();
    mcp.as = await startProvider({ port: as.port, format: "opaque" });
    expect(await call(await connect(mcp, auth))).toBe("called");
    expect(person.count).toBe(2);
    expect(mcp.as.grants).toEqual([
      "refresh_token invalid_client",
      "authorization_code granted",
    ]);
  });

  it("AUTH-14 AUTH-53 signs in at another authorization server if the MCP server changes to it", async () => {
    const { as, mcp, person } = await start();
    const auth = oauth({ login: person });
    const client = await connect(mcp, auth);
    await call(client);
    open.push(as.stop);
    mcp.as = await startProvider();
    expect(await call(client)).toBe("called");
    expect(as.grants).toEqual(["authorization_code granted"]);
    expect(mcp.as.grants).toEqual(["authorization_code granted"]);
  });

  it("gets an AuthorizationError if the person refuses, without another sign-in", async () => {
    const { as, mcp, person } = await start();
    person.isWilling = false;
    expect(await failure(connect(mcp, oauth({ login: person })))).toMatchObject(
      {
        name: "AuthorizationError",
        reason: "denied",
        code: "access_denied",
      },
    );
    expect(person.count).toBe(1);
    expect(as.grants).toEqual([]);
  });

  it("AUTH-80 binds its tokens to a key with the nonces of the authorization server", async () => {
    const dPoP = {
      enabled: true,
      nonceSecret: Buffer.alloc(32, 7),
      requireNonce: () => true,
    };
    const { as, mcp, person } = await start({
      lifetime: 2,
      more: { features: { dPoP } },
    });
    const client = await connect(
      mcp,
      oauth({ login: person, dpop: "required" }),
    );
    expect(await call(client)).toBe("called");
    pass(2200);
    expect(await call(client)).toBe("called");
    expect(person.count).toBe(1);
    expect(as.grants.filter((line) => line.endsWith("granted"))).toEqual([
      "authorization_code granted",
      "refresh_token granted",
    ]);
  });

  it("revokes its refresh token at logout, so that a copy of it no longer works", async () => {
    const { as, mcp, person } = await start({ format: "opaque" });
    const tokens = memoryStore();
    const copies = [];
    const store = {
      ...tokens,
      set: (key, value) => (copies.push(value), tokens.set(key, value)),
    };
    const auth = oauth({ login: person, store });
    await call(await connect(mcp, auth));
    const { refreshToken } = copies.find((value) => value?.kind === "grant");
    expect(await as.provider.RefreshToken.find(refreshToken)).toBeDefined();
    await auth.logout(mcp.url);
    expect(await as.provider.RefreshToken.find(refreshToken)).toBeUndefined();
    expect([...copies].at(-1)).toBeUndefined();
  });

  it("keeps its refresh token while the authorization server is down, and uses it afterwards", async () => {
    const { as, mcp, person } = await start({ lifetime: 2 });
    const client = await connect(mcp, oauth({ login: person }));
    await call(client);
    as.isDown = true;
    pass(2200);
    expect(await failure(call(client))).toMatchObject({
      reason: "network",
      isRetryable: true,
    });
    as.isDown = false;
    expect(await call(client)).toBe("called");
    expect(person.count).toBe(1);
    expect(as.grants).toEqual([
      "authorization_code granted",
      "refresh_token granted",
    ]);
  });

  it("AUTH-20 AUTH-21 uses the URL of its metadata document as its client id", async () => {
    const url = "https://app.example.com/client.json";
    const document = {
      client_id: url,
      client_name: "caller",
      redirect_uris: ["http://127.0.0.1:33418/callback"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      application_type: "native",
    };
    const { as, mcp, person } = await start({
      more: {
        features: {
          clientIdMetadataDocument: { enabled: true, ack: "draft-02" },
        },
        fetch: async () =>
          Response.json(document, {
            headers: { "cache-control": "max-age=60" },
          }),
      },
    });
    const client = await connect(
      mcp,
      oauth({ login: person, client: { metadataUrl: url } }),
    );
    expect(await call(client)).toBe("called");
    expect(as.grants).toEqual(["authorization_code granted"]);
  });

  it("signs a person in on another device, and refreshes the tokens without another sign-in", async () => {
    const { as, mcp, person } = await start({
      lifetime: 2,
      more: { features: { deviceFlow: { enabled: true } } },
    });
    const login = deviceLogin({
      onCode: ({ completeUrl }) => void person.visit(completeUrl),
    });
    const client = await connect(mcp, oauth({ login }));
    expect(await call(client)).toBe("called");
    pass(2200);
    expect(await call(client)).toBe("called");
    expect(person.count).toBe(1);
    expect(as.grants.filter((line) => line.endsWith("granted"))).toEqual([
      "urn:ietf:params:oauth:grant-type:device_code granted",
      "refresh_token granted",
    ]);
  });

  it("gets an AuthorizationError if a person refuses on another device", async () => {
    const { mcp, person } = await start({
      more: { features: { deviceFlow: { enabled: true } } },
    });
    person.isWilling = false;
    const login = deviceLogin({
      onCode: ({ completeUrl }) => void person.visit(completeUrl),
    });
    expect(await failure(connect(mcp, oauth({ login })))).toMatchObject({
      reason: "denied",
    });
  });

  it("signs in each user of a web application with two requests to two processes", async () => {
    const { as, mcp, person } = await start({ format: "opaque" });
    const store = memoryStore();
    const page = "http://127.0.0.1:33418/callback";
    for (const account of ["ann", "bob"]) {
      const authorize = () => oauth({ login: { page }, store, account });
      const { signInUrl } = await failure(connect(mcp, authorize()));
      const answer = new URL(page);
      answer.search = String(await person.visit(signInUrl));
      expect((await authorize().answer(answer)).href).toBe(mcp.url);
      expect(await call(await connect(mcp, authorize()))).toBe("called");
    }
    expect(as.grants).toEqual([
      "authorization_code granted",
      "authorization_code granted",
    ]);
  });

  it("AUTH-74 AUTH-77 signs in a person of a company with an assertion of its identity provider", async () => {
    const { idp, as, exchanges, stop } = await startCompany({
      format: "opaque",
    });
    const mcp = await startMcp(as);
    open.push(stop, mcp.stop);
    const login = enterprise({
      idp: {
        issuer: idp.issuer,
        client: { id: "at-idp", secret: "secret of at-idp" },
      },
      subject: () => ({ token: "id-token-of-ada" }),
      client: { id: "at-as", secret: "secret of at-as" },
      issuer: as.issuer,
    });
    expect(await call(await connect(mcp, oauth({ login })))).toBe("called");
    expect(exchanges).toEqual([["id-token-of-ada", idToken, idJag]]);
    expect(as.grants).toEqual([`${jwtBearer} granted`]);
  });

  it("AUTH-70 AUTH-71 gets a token for itself with a secret or a key", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", {
      namedCurve: "P-256",
    });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" });
    const spki = await importSPKI(
      publicKey.export({ type: "spki", format: "pem" }),
      "ES256",
      {
        extractable: true,
      },
    );
    const jwk = {
      ...(await exportJWK(spki)),
      alg: "ES256",
      use: "sig",
      kid: "k1",
    };
    const grant = {
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    };
    const secret = "a:secret-with-$-%-/-=-and-+-in-it";
    const { as, mcp } = await start({
      clients: [
        {
          client_id: "basic",
          client_secret: secret,
          token_endpoint_auth_method: "client_secret_basic",
          ...grant,
        },
        {
          client_id: "post",
          client_secret: secret,
          token_endpoint_auth_method: "client_secret_post",
          ...grant,
        },
        {
          client_id: "key",
          token_endpoint_auth_method: "private_key_jwt",
          jwks: { keys: [jwk] },
          ...grant,
        },
      ],
    });
    expect(
      await call(
        await connect(
          mcp,
          oauth({
            login: clientCredentials({
              id: "key",
              key: pem,
              kid: "k1",
              issuer: as.issuer,
            }),
          }),
        ),
      ),
    ).toBe("called");
    expect(as.grants).toEqual(["client_credentials granted"]);
    const plain = clientCredentials({ id: "basic", secret, issuer: as.issuer });
    expect(await call(await connect(mcp, oauth({ login: plain })))).toBe(
      "called",
    );
  });
});
