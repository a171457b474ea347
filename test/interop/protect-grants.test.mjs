import { generateKeyPairSync } from "node:crypto";
import * as v2 from "@modelcontextprotocol/client";
import * as v1 from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { clientCredentials, enterprise } from "@mcpgen/auth";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { idJag, idToken, jwtBearer, startCompany } from "../auth/company.mjs";
import { startProvider } from "../auth/servers.mjs";
import { allScopes, keptAuth, startProtected, whoami } from "./protected.mjs";
import { openOurs, openSdk, rowsOf, sdk1, sdk2 } from "./protected-peers.mjs";

const closing = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/**
 * Connects a client of a row with a provider of its SDK, or a grant of ours.
 */
async function connected(as, { client: name, transport, revision }, make) {
  const server = await startProtected(
    as,
    name === "SDK v1" ? { revision } : {},
  );
  closing.push(server.close);
  const credentials = make(name);
  const options = { ...server, revision, authProvider: credentials };
  const client = await {
    "SDK v1": () => openSdk(sdk1, transport, options),
    "SDK v2": () => openSdk(sdk2, transport, options),
    mcpgen: () =>
      openOurs(transport, {
        ...options,
        auth: keptAuth({ login: credentials }).auth,
      }),
  }[name]();
  closing.push(() => client.close());
  return client;
}

describe("with client credentials,", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
  });
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const secret = "secret-of-the-robot";
  const clientFor = (client_id, more) => ({
    client_id,
    grant_types: ["client_credentials"],
    redirect_uris: [],
    response_types: [],
    ...more,
  });
  let as;
  beforeAll(async () => {
    const jwk = {
      ...publicKey.export({ format: "jwk" }),
      alg: "ES256",
      use: "sig",
    };
    as = await startProvider({
      scopes: allScopes,
      clients: [
        clientFor("by-secret", {
          client_secret: secret,
          token_endpoint_auth_method: "client_secret_basic",
        }),
        clientFor("by-key", {
          token_endpoint_auth_method: "private_key_jwt",
          jwks: { keys: [jwk] },
        }),
      ],
    });
  });
  afterAll(() => as.stop());

  const ways = {
    "by-secret": {
      sdk: ({ ClientCredentialsProvider }) =>
        new ClientCredentialsProvider({
          clientId: "by-secret",
          clientSecret: secret,
          scope: "mcp",
          expectedIssuer: as.issuer,
        }),
      ours: () =>
        clientCredentials({ id: "by-secret", secret, issuer: as.issuer }),
    },
    "by-key": {
      sdk: ({ PrivateKeyJwtProvider }) =>
        new PrivateKeyJwtProvider({
          clientId: "by-key",
          privateKey: key,
          algorithm: "ES256",
          scope: "mcp",
          expectedIssuer: as.issuer,
        }),
      ours: () => clientCredentials({ id: "by-key", key, issuer: as.issuer }),
    },
  };

  describe.each(rowsOf())("$client over $transport at $revision", (row) => {
    it.each(Object.keys(ways))(
      "AUTH-70 AUTH-71 authenticates %s and calls a tool on its own behalf",
      async (id) => {
        const { sdk, ours } = ways[id];
        const make = {
          "SDK v1": () => sdk(v1),
          "SDK v2": () => sdk(v2),
          mcpgen: ours,
        };
        const client = await connected(as, row, (name) => make[name]());
        expect((await whoami(client)).auth).toMatchObject({
          principal: JSON.stringify([as.issuer, id, id]),
          subject: id,
          clientId: id,
          scopes: ["mcp"],
        });
      },
    );
  });
});

describe("with cross-app access,", () => {
  const ofIdp = { clientId: "at-idp", clientSecret: "secret of at-idp" };
  const ofAs = { clientId: "at-as", clientSecret: "secret of at-as" };

  /** SDK v1 does not have this grant. */
  const credentials = {
    "SDK v2": ({ idp, as }) =>
      new v2.CrossAppAccessProvider({
        ...ofAs,
        expectedIssuer: as.issuer,
        assertion: async ({
          authorizationServerUrl,
          resourceUrl,
          scope,
          fetchFn,
        }) => {
          const { jwtAuthGrant } = await v2.discoverAndRequestJwtAuthGrant({
            ...ofIdp,
            idpUrl: idp.issuer,
            audience: authorizationServerUrl,
            resource: resourceUrl,
            idToken: "id-token-of-ada",
            scope,
            fetchFn,
          });
          return jwtAuthGrant;
        },
      }),
    mcpgen: ({ idp, as }) =>
      enterprise({
        idp: {
          issuer: idp.issuer,
          client: { id: ofIdp.clientId, secret: ofIdp.clientSecret },
        },
        subject: () => ({ token: "id-token-of-ada" }),
        client: { id: ofAs.clientId, secret: ofAs.clientSecret },
        issuer: as.issuer,
      }),
  };

  describe.each(rowsOf("SDK v2", "mcpgen"))(
    "$client over $transport at $revision",
    (row) => {
      it("AUTH-74 AUTH-75 AUTH-77 calls a tool on behalf of a person of the company", async () => {
        // SDK v2 always sends its secret to the identity provider in the body.
        const method =
          row.client === "SDK v2" ? "client_secret_post" : undefined;
        const company = await startCompany({ method, scopes: allScopes });
        closing.push(company.stop);
        const { as, exchanges } = company;
        const client = await connected(as, row, (name) =>
          credentials[name](company),
        );
        expect((await whoami(client)).auth).toMatchObject({
          principal: JSON.stringify([as.issuer, "ada", "at-as"]),
          scopes: ["mcp"],
        });
        expect(exchanges).toEqual([["id-token-of-ada", idToken, idJag]]);
        expect(as.grants).toEqual([`${jwtBearer} granted`]);
      });
    },
  );
});
