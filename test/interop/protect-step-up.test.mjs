import { afterEach, describe, expect, it } from "vitest";
import { Person, startProvider } from "../auth/servers.mjs";
import {
  allScopes,
  described,
  keptAuth,
  post,
  startProtected,
  tool,
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

async function start({ lifetime, clients, ...options } = {}) {
  const as = await startProvider({ scopes: allScopes, lifetime, clients });
  const server = await startProtected(as, options);
  closing.push(as.stop, server.close);
  return { as, server };
}

async function connected(
  server,
  { transport, revision },
  { handlers, ...options } = {},
) {
  const person = new Person();
  const session = keptAuth({ login: person, ...options });
  const client = await openOurs(transport, {
    ...server,
    revision,
    auth: session.auth,
    handlers,
  });
  closing.push(() => client.close());
  return { client, person, session };
}

const rows = (...transports) =>
  rowsOf("mcpgen").filter(({ transport }) => transports.includes(transport));

describe.each(rows("Streamable HTTP", "HTTP+SSE"))(
  "mcpgen over $transport at $revision",
  (row) => {
    it("AUTH-56 AUTH-57 signs in for more scopes while it listens and its token is refreshed", async () => {
      // A session of HTTP+SSE lasts as long as the tokens that its client
      // sends.
      const isRefreshed = row.transport === "Streamable HTTP";
      // A token is refreshed when a tenth of its lifetime is left, which must be
      // more than the second to which the server rounds the end down: a stream
      // that the server refuses with a young token is not opened again.
      const lifetime = isRefreshed ? 12 : 3600;
      const { as, server } = await start({ lifetime });
      let count = 0;
      const handlers = {
        "notifications/tools/list_changed": () => void count++,
      };
      const { client, person } = await connected(server, row, { handlers });
      closing.push(listen(client, row.revision));
      const isNotified = async () => {
        const before = count;
        await until(() => {
          server.notify.toolsListChanged();
          expect(count).toBeGreaterThan(before);
        }, 100);
      };
      await isNotified();
      const { principal, scopes } = (await whoami(client)).auth;
      expect(scopes).toEqual(["mcp"]);

      const { auth } = await tool(client, "write");
      expect([auth.principal, auth.scopes.sort()]).toEqual([
        principal,
        ["files:write", "mcp"],
      ]);
      await isNotified();

      const refreshes = () =>
        as.grants.filter((line) => line === "refresh_token granted").length;
      const required = isRefreshed ? refreshes() + 1 : 0;
      await until(async () => {
        expect((await tool(client, "write")).auth.principal).toBe(principal);
        expect(refreshes()).toBeGreaterThanOrEqual(required);
      }, 200);
      await isNotified();
      expect(person.count).toBe(2);
    });

    it("AUTH-56 gets a challenge with all scopes of the operation, including those that every request requires", async () => {
      const { server } = await start();
      const { client, session } = await connected(server, row);
      const { authorization } = server.requests.findLast(
        ({ headers }) => headers.authorization,
      ).headers;
      const { accessToken } = session.grant;
      expect(authorization).toBe(`Bearer ${accessToken}`);
      await tool(client, "read");
      expect(session.grant.scopes).toEqual(
        expect.arrayContaining(["mcp", "files:read"]),
      );
      expect(session.grant.accessToken).not.toBe(accessToken);
      // The first token is still valid, and still has too few scopes.
      const response = await post(
        server.url,
        {
          authorization,
          "mcp-protocol-version": row.revision,
          "mcp-method": "resources/list",
        },
        { method: "resources/list", params: {} },
      );
      expect(response.status).toBe(403);
      const challenge = response.headers.get("www-authenticate");
      expect(challenge).toMatch(/^Bearer error="insufficient_scope", /);
      expect(challenge).toContain('scope="mcp files:read"');
      const metadata = new URL(
        "/.well-known/oauth-protected-resource/mcp",
        server.url,
      );
      expect(challenge).toContain(`resource_metadata="${metadata.href}"`);
    });
  },
);

describe.each(rows("Streamable HTTP"))(
  "mcpgen over $transport at $revision",
  (row) => {
    it("AUTH-56 signs in for the scopes of a tool whose list can change", async () => {
      const { server } = await start();
      const { client, person } = await connected(server, row);
      expect((await tool(client, "late")).auth.scopes).toContain("files:write");
      expect(person.count).toBe(2);
    });
  },
);

describe.each(rows("HTTP+SSE", "WebSocket"))(
  "mcpgen over $transport at $revision",
  (row) => {
    it("gets an error with the scopes of a tool, because the transport cannot answer with 403", async () => {
      const { server } = await start();
      const { client } = await connected(server, row);
      const error = {
        name: "McpError",
        code: 403,
        data: { requiredScopes: ["files:write"] },
      };
      await expect(tool(client, "late")).rejects.toMatchObject(error);
      expect((await whoami(client)).auth.subject).toBe("ada");
    });
  },
);

describe.each(rowsOf("mcpgen"))(
  "mcpgen over $transport at $revision",
  (row) => {
    it("AUTH-58 needs no scope that one of its scopes implies", async () => {
      const { server } = await start();
      const { client, person } = await connected(server, row, {
        scopes: ["mcp", "files"],
      });
      for (const name of ["read", "write", "late"])
        expect((await tool(client, name)).auth.scopes).toEqual([
          "mcp",
          "files",
          "files:read",
          "files:write",
        ]);
      expect(person.count).toBe(1);
    });
  },
);

/**
 * Step-up of the SDKs is only for Streamable HTTP: over HTTP+SSE their clients
 * fail with status 403.
 */
describe.each([
  // With a refresh token, SDK v1 refreshes instead, and so gets no more scopes.
  { client: "SDK v1", peer: sdk1, grants: ["authorization_code"] },
  {
    client: "SDK v2",
    peer: sdk2,
    grants: ["authorization_code", "refresh_token"],
  },
])("$client", ({ client: name, peer, grants }) => {
  it.each(
    rowsOf(name).filter(({ transport }) => transport === "Streamable HTTP"),
  )(
    "AUTH-56 AUTH-57 signs in for more scopes over $transport at $revision",
    async ({ transport, revision }) => {
      const person = new Person();
      // When they register by themselves, it is for the scopes of the first
      // challenge alone.
      const registered = {
        client_id: "sdk",
        token_endpoint_auth_method: "none",
        redirect_uris: [person.uri],
        grant_types: grants,
      };
      const { as, server } = await start({
        clients: [registered],
        ...(name === "SDK v1" && { revision }),
      });
      const { url } = server;
      const authProvider = sdkProvider(person);
      authProvider.saveClientInformation({ ...registered, issuer: as.issuer });
      const client = await openSdk(peer, transport, {
        url,
        revision,
        authProvider,
      });
      closing.push(() => client.close());
      const { principal } = (await whoami(client)).auth;
      await expect(tool(client, "write")).rejects.toThrow(/unauthorized/i);
      await client.finishAuth();
      const { auth } = await tool(client, "write");
      expect([auth.principal, auth.scopes.sort()]).toEqual([
        principal,
        ["files:write", "mcp"],
      ]);
      expect(person.count).toBe(2);
    },
  );
});

/**
 * Listens to notifications, again and again until it is stopped. With a
 * handshake, clients listen by themselves.
 */
function listen(client, revision) {
  const controller = new AbortController();
  const { signal } = controller;
  const params = { notifications: { toolsListChanged: true } };
  const run = async () => {
    while (!signal.aborted)
      await client.subscriptionsListen(params, { signal }).catch(() => {});
  };
  if (described(revision).facts.opening === "per-request") void run();
  return () => controller.abort();
}
