import { introspection } from "@mcpgen/auth/protect";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Person, resourceServer, startProvider } from "../auth/servers.mjs";
import { metaFor } from "../runtime/kit/index.ts";
import {
  allScopes,
  described,
  headersFor,
  keptAuth,
  post,
  startProtected,
  whoami,
} from "./protected.mjs";
import {
  openOurs,
  openSdk,
  rowsOf,
  sdk1,
  sdk2,
  sdkProvider,
} from "./protected-peers.mjs";
import { until } from "../runtime/kit/watch.js";

const closing = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(as, options) {
  const server = await startProtected(as, options);
  closing.push(server.close);
  return server;
}

describe("with opaque tokens,", () => {
  let as;
  beforeAll(async () => {
    as = await startProvider({ scopes: allScopes, format: "opaque" });
  });
  afterAll(() => as.stop());

  describe.each(rowsOf())(
    "$client over $transport at $revision",
    ({ client: name, transport, revision }) => {
      it("AUTH-01 AUTH-51 is one caller before and after its token is revoked and refreshed", async () => {
        const { client_id: id, client_secret: secret } = resourceServer;
        const verify = introspection({ id, secret });
        // Each request is checked, because a token may be revoked at any time.
        const own = {
          verify,
          recheckTime: 0,
          ...(name === "SDK v1" && { revision }),
        };
        const server = await start(as, own);
        const person = new Person();
        const { auth } = keptAuth({ login: person });
        const options = {
          ...server,
          revision,
          auth,
          authProvider: sdkProvider(person),
        };
        const open = {
          "SDK v1": () => openSdk(sdk1, transport, options),
          "SDK v2": () => openSdk(sdk2, transport, options),
          mcpgen: () => openOurs(transport, options),
        }[name];
        const connect = async () => {
          const client = await open();
          closing.push(() => client.close());
          return client;
        };
        let client = await connect();
        const before = (await whoami(client)).auth;
        expect(before).toMatchObject({
          subject: "ada",
          scopes: ["mcp"],
          claims: { aud: server.url },
        });

        const grants = as.grants.length;
        const [, token] = server.requests
          .at(-1)
          .headers.authorization.split(" ");
        expect(JSON.stringify(before)).not.toContain(token);
        await (await as.provider.AccessToken.find(token)).destroy();
        if (transport === "WebSocket") {
          // The connection ends with its token, and the next one has another.
          await until(() => expect(whoami(client)).rejects.toThrow(/clos/i));
          client = await connect();
        }
        const { principal, clientId } = (await whoami(client)).auth;
        expect({ principal, clientId }).toEqual({
          principal: before.principal,
          clientId: before.clientId,
        });
        expect(as.grants.slice(grants)).toEqual(["refresh_token granted"]);
        expect(person.count).toBe(1);
      });
    },
  );
});

it("AUTH-14 AUTH-51 a server accepts tokens of each of its authorization servers, and treats equal subjects of two of them as two callers", async () => {
  const [first, second] = [
    await startProvider({ scopes: allScopes }),
    await startProvider({ scopes: allScopes }),
  ];
  closing.push(first.stop, second.stop);
  const issuers = [first.issuer, second.issuer];
  const server = await start(first, { issuers });
  const principals = [];
  for (const issuer of issuers) {
    const { auth } = keptAuth({
      login: new Person(),
      chooseIssuer: () => issuer,
    });
    const client = await openOurs("Streamable HTTP", {
      ...server,
      revision: "2026-07-28",
      auth,
    });
    closing.push(() => client.close());
    principals.push(
      JSON.parse((await whoami(client)).auth.principal).slice(0, 2),
    );
  }
  expect(principals).toEqual(issuers.map((issuer) => [issuer, "ada"]));
});

describe("a request by hand", () => {
  let as;
  beforeAll(async () => {
    as = await startProvider({ scopes: allScopes });
  });
  afterAll(() => as.stop());
  const signedIn = (server, name = "ada") =>
    headersFor(keptAuth({ login: new Person(name) }).auth, server.url);

  it("AUTH-03 AUTH-04 AUTH-59 finds the metadata at the path of the server and at its root", async () => {
    const { url } = await start(as);
    for (const path of [
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource",
    ]) {
      const response = await fetch(new URL(path, url));
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await response.json()).toEqual({
        resource: url,
        authorization_servers: [as.issuer],
        bearer_methods_supported: ["header"],
        scopes_supported: ["mcp", "files:read"],
      });
    }
  });

  it.each(
    rowsOf("mcpgen").filter(({ transport }) => transport === "Streamable HTTP"),
  )(
    "AUTH-01 AUTH-02 AUTH-15 AUTH-61 gets 401 at $revision without its own token, even after authorized requests",
    async ({ revision }) => {
      const server = await start(as);
      const ada = await signedIn(server);
      const message = {
        method: "tools/list",
        params: { _meta: metaFor(described(revision)) },
      };
      const version = {
        "mcp-protocol-version": revision,
        "mcp-method": "tools/list",
      };
      const isModern = described(revision).facts.opening === "per-request";
      if (isModern)
        expect(
          (await post(server.url, { ...version, ...ada }, message)).status,
        ).toBe(200);
      const metadata = new URL(
        "/.well-known/oauth-protected-resource/mcp",
        server.url,
      ).href;
      for (const method of ["POST", "POST", "GET", "DELETE"]) {
        const headers = {
          accept: "application/json, text/event-stream",
          ...version,
        };
        const response =
          method === "POST"
            ? await post(server.url, headers, message)
            : await fetch(server.url, { method, headers });
        expect([
          response.status,
          response.headers.get("www-authenticate"),
        ]).toEqual([
          401,
          `Bearer scope="mcp", resource_metadata="${metadata}"`,
        ]);
      }
    },
  );

  it("AUTH-51 gets 401 with a token for another server, and with one of another authorization server", async () => {
    const [server, other] = [await start(as), await start(as)];
    const stranger = await startProvider({ scopes: allScopes });
    closing.push(stranger.stop);
    const strange = await start(stranger);
    for (const headers of [await signedIn(other), await signedIn(strange)]) {
      const response = await post(server.url, headers, { method: "ping" });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(
        /^Bearer error="invalid_token"/,
      );
    }
  });

  it("AUTH-01 gets 400 with a token that cannot be read or is in the URL", async () => {
    const server = await start(as);
    const { authorization } = await signedIn(server);
    const inUrl = `${server.url}?access_token=${authorization.split(" ")[1]}`;
    const answers = [
      await post(
        server.url,
        { authorization: "Bearer two tokens" },
        { method: "ping" },
      ),
      await post(inUrl, {}, { method: "ping" }),
    ];
    for (const { status, headers } of answers) {
      expect(status).toBe(400);
      expect(headers.get("www-authenticate")).toMatch(
        /^Bearer error="invalid_request"/,
      );
    }
  });
});
