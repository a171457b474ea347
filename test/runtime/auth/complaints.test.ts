import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  memoryStore,
  oauth,
  type Redirect,
  type TokenStore,
} from "@mcpgen/auth";
import { fileStore } from "@mcpgen/auth/login";
import { describe, expect, it } from "vitest";
import { failure } from "../kit/index.js";
import { setUp } from "./kit/index.js";

// The most frequent complaints about other clients, with numbers and the
// threads on GitHub.

/**
 * The complaints that tests in other files cover: the file, and a part of the
 * title.
 */
const elsewhere: Readonly<
  Record<number, readonly [file: string, title: string]>
> = {
  // Parallel refusals refresh one by one, and the family of tokens is revoked
  // (typescript-sdk#1760).
  1: ["tokens.test.ts", "is refreshed once for a hundred requests"],
  // Several processes refresh one by one, with the same result (opencode#49439,
  // mcp-remote#351).
  2: [
    "../login/race.long.test.ts",
    "refresh each token once, without a sign-in",
  ],
  // The metadata names another issuer (copilot-cli#4606,
  // atlassian-mcp-server#205).
  3: ["troublesome-servers.test.ts", "leads to the expected sign-in or error"],
  // The response names another issuer than the metadata (mondaycom/mcp#453).
  4: [
    "troublesome-servers.test.ts",
    "monday.com, whose answers have another issuer",
  ],
  // Entra rejects the parameter `resource` in every request (mcp-remote#217).
  6: [
    "sign-in.test.ts",
    "sends, in each request, the resource that the option names",
  ],
  // The server has only a document of OpenID Connect, or a path in its issuer
  // (typescript-sdk#616, inspector#2296).
  9: [
    "discovery.test.ts",
    "has its metadata at the URLs that belong to its identifier",
  ],
  // A call that needs more scopes refreshes and gets the same token
  // (claude-code#28258).
  11: [
    "scopes.test.ts",
    "grow by those that a call requires, without a refresh",
  ],
  // The port of the loopback page changes, and the redirect URI is refused
  // (mcp-remote#72).
  14: [
    "../login/browser-login.test.ts",
    "listens on the registered port, and on another one",
  ],
  // Several instances of a program race for the answer to one sign-in
  // (mcp-remote#306).
  15: [
    "sign-in.test.ts",
    "signs in once, although several processes need a token",
  ],
  // A failure of the network while refreshing opens a browser (mcp-remote#349,
  // typescript-sdk#2034).
  16: [
    "tokens.test.ts",
    "is kept if the authorization server cannot be reached",
  ],
  // A token is sent that has expired (typescript-sdk#1954).
  17: ["tokens.test.ts", "is not sent after it has expired"],
  // There is no refresh token, because the client did not request one
  // (opencode#34034).
  18: [
    "scopes.test.ts",
    "with the supported scopes %j and the option offline: %j",
  ],
  // The client requests all published scopes (python-sdk#2317).
  19: ["scopes.test.ts", "are chosen by the option scopes, which may be %s"],
  // Only the first authorization server is used (typescript-sdk#584).
  20: [
    "discovery.test.ts",
    "is chosen from several by the option chooseIssuer",
  ],
  // The answer of a token endpoint is a form, or an error with status 200
  // (typescript-sdk#759, #1342).
  21: [
    "tokens.test.ts",
    "is accepted in a response that differs from the specification",
  ],
  // There is no browser (ext-auth#18, claude-code#20215).
  22: [
    "device-login.test.ts",
    "enters a code there, while the client registers as a device",
  ],
  // A URL of another party runs a program or reaches into a private network
  // (typescript-sdk#841, CVE-2025-6514).
  25: [
    "../login/guarded-fetch.test.ts",
    "does not connect to the private address %s that a name resolves to",
  ],
};

const own = fileURLToPath(import.meta.url);

describe("the list of complaints about other clients", () => {
  it("has a test in this file or another one for each complaint", () => {
    const here = [
      ...readFileSync(own, "utf8").matchAll(/"complaint (\d+):/g),
    ].map(([, number]) => number);
    const numbers = [
      ...new Set([...here, ...Object.keys(elsewhere)].map(Number)),
    ].sort((a, b) => a - b);
    expect(numbers).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 1),
    );
  });

  it.each(
    Object.entries(elsewhere).map(([number, [file, title]]) => ({
      number,
      file,
      title,
    })),
  )(
    "complaint $number: a test in $file proves that it $title",
    ({ file, title }) => {
      expect(readFileSync(join(own, "..", file), "utf8")).toContain(title);
    },
  );

  // claude-code#52871: two resources at one origin.
  it("complaint 5: the resource of a server is exactly the one for its path, not another one of its origin", async () => {
    const { world, server, person, connect } = setUp();
    const root = "https://mcp.example.com/.well-known/oauth-protected-resource";
    world.document(root, {
      ...server.metadata,
      resource: "https://mcp.example.com",
    });
    server.challenge = "Bearer";
    await (await connect()).listTools();
    expect(person.pageParams["resource"]).toBe("https://mcp.example.com/mcp");
    const bare = setUp({ url: "https://mcp.example.com/" });
    bare.server.metadata["resource"] = "https://mcp.example.com";
    await bare.connect();
    expect(bare.person.pageParams["resource"]).toBe("https://mcp.example.com");
  });

  // typescript-sdk#2783
  it.each([400, 401, 403, 405, 410, 200])(
    "complaint 7: metadata of a server is read at its root if its path answers a page with status %i",
    async (status) => {
      const root =
        "https://mcp.example.com/.well-known/oauth-protected-resource";
      const { world, server, connect } = setUp();
      server.challenge = "Bearer";
      world.routes.set(
        `${root}/mcp`,
        () => new Response("<p>Not here", { status }),
      );
      world.document(root, server.metadata);
      expect(await (await connect()).listTools()).toMatchObject({
        tools: [{ name: "echo" }],
      });
      expect(
        world.to("oauth-protected-resource").map(({ url }) => url.href),
      ).toEqual([`${root}/mcp`, root]);
    },
  );

  // typescript-sdk#2784
  it("complaint 8: metadata of an authorization server is never requested at the host of the MCP server", async () => {
    const { world, connect } = setUp({
      issuer: "https://as.example.com/tenant",
    });
    for (const route of world.routes.keys())
      if (route.includes("authorization-server")) world.routes.delete(route);
    world.document(
      "https://mcp.example.com/.well-known/oauth-authorization-server",
      {
        issuer: "https://as.example.com/tenant",
      },
    );
    expect(await failure(connect())).toMatchObject({ reason: "metadata" });
    expect(
      world.gets.filter((path) => /authorization-server|openid/.test(path)),
    ).toEqual([
      "as.example.com/.well-known/oauth-authorization-server/tenant",
      "as.example.com/.well-known/openid-configuration/tenant",
      "as.example.com/tenant/.well-known/openid-configuration",
    ]);
  });

  // typescript-sdk#1946, python-sdk#3012
  const ours =
    'Bearer resource_metadata="https://mcp.example.com/about, me", scope="a b"';
  it.each([
    `Negotiate, ${ours}`,
    `Basic realm="x, Bearer y", ${ours}`,
    `${ours}, Negotiate abc==`,
  ])(
    "complaint 10: a challenge of another scheme does not hide that of Bearer: %s",
    async (challenge) => {
      const { world, server, person, connect } = setUp();
      world.document("https://mcp.example.com/about,%20me", server.metadata);
      server.challenge = challenge;
      await connect();
      expect(person.pageParams["scope"]).toBe("a b");
      expect(world.to("/about,%20me")).toHaveLength(1);
    },
  );

  it.each(["Negotiate", "", "Bearer realm="])(
    "complaint 10: the challenge %j, which says nothing, does not prevent the sign-in",
    async (challenge) => {
      const { server, connect } = setUp();
      server.challenge = challenge;
      await (await connect()).listTools();
    },
  );

  // typescript-sdk#1582
  const scopesByTool = async () => {
    const store = memoryStore();
    const { as, server, person, options, connect } = setUp();
    server.challenge += ', scope="base"';
    server.refusal = (_, body) => {
      const [, name = ""] = /"name":"(mail|files)"/.exec(body) ?? [];
      if (
        name === "" ||
        String(person.pageParams["scope"]).split(" ").includes(name)
      )
        return undefined;
      const challenge = `Bearer error="insufficient_scope", scope="${name}"`;
      return new Response(null, {
        status: 403,
        headers: { "www-authenticate": challenge },
      });
    };
    return { as, person, connect: () => connect(oauth(options({ store }))) };
  };

  it("complaint 12: scopes that were granted for one call are kept at the next step-up and after a restart", async () => {
    const { person, connect } = await scopesByTool();
    const client = await connect();
    await client.callTool({ name: "mail" });
    expect(person.pageParams["scope"]).toBe("base mail");
    const next = await connect();
    await next.callTool({ name: "files" });
    expect(person.pageParams["scope"]).toBe("base mail files");
    expect(person.count).toBe(3);
  });

  it("complaint 12: all granted scopes are requested again after the token is lost", async () => {
    const { as, person, connect } = await scopesByTool();
    const client = await connect();
    await client.callTool({ name: "mail" });
    await client.callTool({ name: "files" });
    as.live.clear();
    as.refreshable.clear();
    await client.callTool({ name: "mail" });
    expect(person.count).toBe(4);
    expect(String(person.pageParams["scope"]).split(" ").sort()).toEqual([
      "base",
      "files",
      "mail",
    ]);
  });

  // supabase/mcp#355: the authorization server shows an error on its page and
  // does not redirect.
  it("complaint 13: a registration that the authorization server has deleted fails one sign-in, and not the next", async () => {
    const store = memoryStore();
    const { as, world, person, options, connect } = setUp();
    await connect(oauth(options({ store })));
    as.live.clear();
    as.refreshable.clear();
    const page = world.routes.get("https://as.example.com/authorize");
    world.routes.set("https://as.example.com/authorize", (seen, init) =>
      seen.url.searchParams.get("client_id") === "client-1"
        ? Response.json({ message: "Unrecognized client_id" }, { status: 422 })
        : (page?.(seen, init) ?? new Response()),
    );
    const stuck = (preferred?: string): Redirect => {
      const redirect = person.redirectUri(preferred);
      const open = async (url: string): Promise<void> => {
        if ((await world.fetch(url)).status === 302) await redirect.open(url);
      };
      return { ...redirect, open };
    };
    const login = { redirectUri: stuck };
    const hasty = oauth(options({ store, login, loginTimeout: 20 }));
    expect(await failure(connect(hasty))).toMatchObject({ reason: "timeout" });
    await (await connect(oauth(options({ store, login })))).listTools();
    expect(as.registrations).toHaveLength(2);
  });

  // claude-code#68720, opencode#15547
  it("complaint 23: a call that requires a sign-in fails with a reason if there is no login, and the connection stays open", async () => {
    const store = memoryStore();
    const { world, as, person, options, connect } = setUp();
    await connect(oauth(options({ store })));
    const client = await connect(oauth({ store, fetch: world.fetch }));
    as.live.clear();
    as.refreshable.clear();
    for (let round = 0; round < 2; round++) {
      const error = await failure(client.callTool({ name: "echo" }));
      expect(error).toMatchObject({
        name: "AuthorizationError",
        reason: "login-required",
      });
      expect(error.message).toContain("mcp.example.com");
    }
    // A person signs in with another client, and the same connection works
    // again.
    await connect(oauth(options({ store })));
    await client.callTool({ name: "echo" });
    expect(person.count).toBe(2);
  });

  // apify/mcpc#409: the Windows Credential Manager stores at most 2,560 bytes.
  it("complaint 24: a token of any length is stored in a file and used by the next process", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mcpgen-long-token-"));
    try {
      const store: TokenStore = fileStore({ folder: join(folder, "auth") });
      const { as, person, options, connect } = setUp();
      const token = "t".repeat(12_000);
      as.live.add(token);
      as.tokenAnswer = () =>
        Response.json({ access_token: token, token_type: "Bearer" });
      await connect(oauth(options({ store })));
      await (await connect(oauth(options({ store })))).listTools();
      expect(person.count).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
