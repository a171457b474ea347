import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { oauth } from "@mcpgen/auth";
import { http } from "@mcpgen/runtime/http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connect, protocols } from "../../generated/index.ts";
import { freePort } from "../free-port.ts";
import { until } from "../runtime/kit/watch.ts";
import {
  Browser,
  Client,
  later,
  native,
  Person,
  Stage,
  startThirdParty,
  web,
} from "./third-party.kit.mjs";

const stage = new Stage();
beforeAll(() => stage.build());
afterEach(() => stage.clear());
afterAll(() => stage.remove());

const info = { name: "caller", version: "1.0.0" };
const revisions = Object.keys(protocols);

async function connectTo(url, auth, revision) {
  const client = await connect(http(url, { auth }), {
    info,
    revisions: [revision],
  });
  stage.open.push(() => client.close());
  return client;
}

const whoami = async (client) => {
  const { content } = await client.callTool({ name: "whoami", arguments: {} });
  return content[0].text;
};

/**
 * Requests of a client to authorization servers, without the metadata documents
 * that match.
 */
const without = (pattern) => (url, init) =>
  pattern.test(url.pathname)
    ? new Response(undefined, { status: 404 })
    : fetch(url, init);

describe("a server that is its own authorization server", () => {
  it.each(revisions)(
    "AUTH-64 lets a client of %s in, whose user signs in at a third party",
    async (revision) => {
      const { url } = await stage.world();
      const person = new Person();
      const client = await connectTo(
        url,
        oauth({ login: person, client: { name: "Caller" } }),
        revision,
      );
      expect(await whoami(client)).toBe("Name of ada, ada@example.com");
      expect(person.count).toBe(1);
    },
  );

  it.each([
    ["metadata at its origin", /oauth-protected-resource/],
    ["no metadata at all", /\.well-known/],
  ])(
    "AUTH-17 lets a client of 2025-03-26 in that finds %s",
    async (_, pattern) => {
      const { url, origin } = await stage.world();
      const person = new Person();
      const auth = oauth({ login: person, fetch: without(pattern) });
      expect(await whoami(await connectTo(url, auth, "2025-03-26"))).toBe(
        "Name of ada, ada@example.com",
      );
      const page = new URL(person.browser.visited[0]);
      expect(page.origin + page.pathname).toBe(`${origin}/authorize`);
      expect(Object.fromEntries(page.searchParams)).not.toHaveProperty(
        "resource",
      );
    },
  );

  it("AUTH-16 AUTH-42 publishes metadata with PKCE and the `iss` of answers, as OAuth and as OpenID Connect", async () => {
    const { origin, url } = await stage.world();
    for (const name of ["oauth-authorization-server", "openid-configuration"]) {
      const response = await fetch(`${origin}/.well-known/${name}`);
      expect(await response.json()).toMatchObject({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        revocation_endpoint: `${origin}/revoke`,
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      });
    }
    const resource = await fetch(
      `${origin}/.well-known/oauth-protected-resource/mcp`,
    );
    expect(await resource.json()).toMatchObject({
      resource: url,
      authorization_servers: [origin],
    });
  });

  it("AUTH-42 sends its issuer with a code and with an error", async () => {
    const { origin } = await stage.world();
    const client = await new Client(origin).register(native);
    for (const decision of ["allow", "deny"]) {
      const { params } = await new Browser().signIn(client.authorizeUrl(), {
        uri: client.uri,
        decision,
      });
      const answer = decision === "allow" ? "code" : "error";
      expect(Object.fromEntries(params)).toMatchObject({
        iss: origin,
        state: client.state,
      });
      expect(params.has(answer)).toBe(true);
    }
    const withoutPkce = client.authorizeUrl({
      code_challenge: undefined,
      code_challenge_method: undefined,
    });
    const { params } = await new Browser().signIn(withoutPkce, client);
    expect(Object.fromEntries(params)).toMatchObject({
      error: "invalid_request",
      iss: origin,
    });
  });

  it("AUTH-22 takes the URL of a metadata document as a client id, and shows its host and that of the redirect", async () => {
    const id = "https://client.example.com/oauth/metadata.json";
    const document = { ...native, client_id: id, client_name: "Documented" };
    const asked = [];
    const { url, origin } = await stage.world({
      fetch: async (address) => (
        asked.push(String(address)),
        Response.json(document)
      ),
    });
    const person = new Person();
    const auth = oauth({ login: person, client: { metadataUrl: id } });
    expect(await whoami(await connectTo(url, auth, "2025-11-25"))).toBe(
      "Name of ada, ada@example.com",
    );
    expect(asked).toEqual([id]);
    const client = Object.assign(new Client(origin), {
      id,
      uri: native.redirect_uris[0],
    });
    const { html } = await new Browser().open(client.authorizeUrl());
    for (const text of [
      "Documented",
      "client.example.com",
      "127.0.0.1:33418",
      "program on this computer",
    ])
      expect(html).toContain(text);
    const other = client.authorizeUrl({
      redirect_uri: "https://elsewhere.example.com/callback",
    });
    expect(await new Browser().open(other)).toMatchObject({
      status: 400,
      url: new URL(other),
    });
  });

  it.each([
    ["has another id", { client_id: "https://client.example.com/other" }],
    ["is not a client", { redirect_uris: [] }],
    ["has a secret", { token_endpoint_auth_method: "client_secret_post" }],
  ])("AUTH-22 refuses a metadata document that %s", async (_, change) => {
    const id = "https://client.example.com/oauth/metadata.json";
    const { origin } = await stage.world({
      fetch: async () => Response.json({ ...native, client_id: id, ...change }),
    });
    const client = Object.assign(new Client(origin), {
      id,
      uri: native.redirect_uris[0],
    });
    const page = await new Browser().open(client.authorizeUrl());
    expect(page.url.pathname).toBe("/authorize");
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.status).toBeLessThan(500);
  });

  it("AUTH-22 requests no metadata document from this machine", async () => {
    const { origin } = await stage.world();
    const client = Object.assign(new Client(origin), {
      id: `https://localhost:${await freePort()}/metadata.json`,
      uri: native.redirect_uris[0],
    });
    const page = await new Browser().open(client.authorizeUrl());
    expect(page).toMatchObject({
      status: 400,
      html: expect.stringContaining("invalid_client"),
    });
  });

  it("AUTH-55 rotates refresh tokens, and each new access token counts", async () => {
    const { client, tokens } = await stage.signedIn();
    const { status, body } = await client.refresh(tokens.refresh_token);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(tokens.refresh_token);
    expect((await client.call(body.access_token)).status).toBe(200);
  });

  it("gives an ID token to a client that asks for `openid`, and what it does not know of it ignores", async () => {
    const { origin, thirdParty } = await stage.world();
    const client = await new Client(origin).register(native);
    const browser = new Browser();
    const url = client.authorizeUrl({
      scope: "openid profile offline_access admin",
    });
    const { params } = await browser.signIn(url, client);
    const { body } = await client.redeem(params.get("code"));
    expect(body.id_token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(body.scope.split(" ").sort()).toEqual(["profile"]);
    expect(
      browser.visited.filter((at) =>
        at.startsWith(`${thirdParty.issuer}/auth?`),
      ),
    ).toHaveLength(1);
    const { params: none } = await browser.signIn(
      client.authorizeUrl({ scope: "admin" }),
      client,
    );
    expect(none.get("error")).toBe("invalid_scope");
  });

  it("AUTH-69 takes no token but its own, and gives tokens for no other server", async () => {
    const { client, browser, world } = await stage.signedIn();
    const [foreign] = world.thirdParty.tokens("AccessToken");
    expect(foreign).toBeDefined();
    for (const token of [foreign, "made-up", "a.b.c"]) {
      const { status, challenge } = await client.call(token);
      expect(status).toBe(401);
      expect(challenge).toContain('error="invalid_token"');
      expect(challenge).toContain(
        `resource_metadata="${world.origin}/.well-known/oauth-protected-resource/mcp"`,
      );
    }
    const { params } = await browser.signIn(
      client.authorizeUrl({ resource: "https://other.example.com/mcp" }),
      client,
    );
    expect(params.get("error")).toBe("invalid_target");
    const { params: good } = await browser.signIn(
      client.authorizeUrl({ resource: world.url }),
      client,
    );
    const { body } = await client.redeem(good.get("code"), {
      resource: "https://other.example.com/mcp",
    });
    expect(body.error).toBe("invalid_target");
  });
});

describe("the consent page", () => {
  it("AUTH-62 AUTH-65 is shown for each new client, although the third party asks no more, with what the person must know", async () => {
    const { origin, thirdParty } = await stage.world();
    const browser = new Browser();
    for (const name of ["First", "Second"]) {
      const client = await new Client(origin).register({
        ...native,
        client_name: name,
      });
      const page = await browser.open(client.authorizeUrl());
      expect(page.url.pathname).toMatch(/^\/consent\//);
      for (const text of [
        name,
        "see your name",
        "<code>profile</code>",
        client.uri,
        "127.0.0.1:33418",
      ])
        expect(page.html).toContain(text);
      expect(page.html).toContain(new URL(thirdParty.issuer).host);
      expect(
        (await browser.signIn(client.authorizeUrl(), client)).params.has(
          "code",
        ),
      ).toBe(true);
    }
    // The third party has asked once: it knows the browser, and one client.
    const logins = browser.visited.filter((at) =>
      at.startsWith(`${thirdParty.issuer}/interaction/`),
    );
    expect(new Set(logins).size).toBe(2);
  });

  it("AUTH-65 shows every text of a client as text", async () => {
    const { origin } = await stage.world();
    const evil = `<script>alert("1")</script>'&amp;`;
    const redirect_uris = [`http://127.0.0.1:33418/"><img src=x>?a=<b>&c='`];
    const client = await new Client(origin).register({
      ...native,
      client_name: evil,
      redirect_uris,
    });
    expect(client.status).toBe(201);
    const { html, status } = await new Browser().open(client.authorizeUrl());
    expect(status).toBe(200);
    expect(html).not.toMatch(/<script|<img|<b>&c|'&amp;/);
    expect(html).toContain(
      "&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39;&#38;amp;",
    );
  });

  it("AUTH-65 is remembered for a web application: for this client, redirect URI and browser alone", async () => {
    const { origin } = await stage.world();
    const twoUris = {
      ...web,
      redirect_uris: [...web.redirect_uris, "https://app.example.com/other"],
    };
    const client = await new Client(origin).register(twoUris);
    const other = await new Client(origin).register(twoUris);
    const local = await new Client(origin).register(native);
    const browser = new Browser();
    const isAsked = async (url, one = browser) => {
      const { params, html } = await one.signIn(url, {
        ...client,
        stops: true,
      });
      return params === undefined && html.includes('name="decision"');
    };
    expect(await isAsked(client.authorizeUrl())).toBe(true);
    expect((await browser.open(client.authorizeUrl())).html).not.toContain(
      "program on this computer",
    );
    await browser.signIn(client.authorizeUrl(), client);
    expect(await isAsked(client.authorizeUrl())).toBe(false);
    expect(await isAsked(other.authorizeUrl())).toBe(true);
    expect(
      await isAsked(
        client.authorizeUrl({ redirect_uri: twoUris.redirect_uris[1] }),
      ),
    ).toBe(true);
    expect(await isAsked(client.authorizeUrl(), new Browser())).toBe(true);
    await browser.signIn(local.authorizeUrl(), local);
    expect(await isAsked(local.authorizeUrl())).toBe(true);
    expect(await isAsked(client.authorizeUrl())).toBe(false);
    // The cookie stays in this browser, but what it says has expired.
    later(31 * 86_400);
    expect(await isAsked(client.authorizeUrl())).toBe(true);
  });

  it("AUTH-65 tells the client when the person says no, here or at the third party", async () => {
    const { origin, thirdParty } = await stage.world();
    const client = await new Client(origin).register(native);
    const here = new Browser();
    const no = await here.signIn(client.authorizeUrl(), {
      ...client,
      decision: "deny",
    });
    expect(Object.fromEntries(no.params)).toMatchObject({
      error: "access_denied",
      iss: origin,
    });
    expect(here.visited.some((at) => at.startsWith(thirdParty.issuer))).toBe(
      false,
    );
    const there = await new Browser().signIn(client.authorizeUrl(), {
      ...client,
      isWilling: false,
    });
    expect(Object.fromEntries(there.params)).toMatchObject({
      error: "access_denied",
      iss: origin,
    });
  });

  it("AUTH-65 lets another person sign in with the same browser", async () => {
    const { client, browser, tokens, world } = await stage.signedIn();
    browser.cookies = browser.cookies.filter(
      ({ host }) => host !== "localhost",
    );
    const { params } = await browser.signIn(client.authorizeUrl(), {
      ...client,
      login: "bob",
    });
    const { body } = await client.redeem(params.get("code"));
    const names = [];
    for (const { access_token: token } of [tokens, body]) {
      const own = await connect(
        http(world.url, { headers: { authorization: `Bearer ${token}` } }),
        { info },
      );
      names.push(await whoami(own));
      await own.close();
    }
    expect(names).toEqual([
      "Name of ada, ada@example.com",
      "Name of bob, bob@example.com",
    ]);
  });
});

describe("the session at the third party", () => {
  it.each(["introspection", "a use of the token"])(
    "AUTH-64 is confirmed by %s, and ends our tokens when it is revoked",
    async (how) => {
      const options = {
        without: how === "introspection" ? [] : ["introspection"],
      };
      const { client, tokens, world } = await stage.signedIn({
        thirdParty: options,
      });
      const { thirdParty } = world;
      later(60);
      expect((await client.call(tokens.access_token)).status).toBe(200);
      expect(thirdParty.asked.at(-1)).toMatch(
        how === "introspection" ? /introspection/ : /GET \/me/,
      );
      thirdParty.revoke("AccessToken", "RefreshToken", "Grant");
      later(60);
      expect((await client.call(tokens.access_token)).status).toBe(401);
      expect(await client.refresh(tokens.refresh_token)).toMatchObject({
        status: 400,
        body: { error: "invalid_grant" },
      });
    },
  );

  it("AUTH-64 is asked about once in a few seconds, however many requests there are", async () => {
    const { client, tokens, world } = await stage.signedIn();
    later(60);
    world.thirdParty.asked.length = 0;
    await Promise.all(
      Array.from({ length: 20 }, () => client.call(tokens.access_token)),
    );
    expect(world.thirdParty.asked).toEqual(["POST /token/introspection"]);
  });

  it("AUTH-64 has tokens of its own: the third party never sees one of ours, nor a client one of theirs", async () => {
    const { client, tokens, world } = await stage.signedIn();
    const own = await connect(
      http(world.url, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      }),
      {
        info,
      },
    );
    stage.open.push(() => own.close());
    expect(await whoami(own)).toContain("ada");
    expect(world.thirdParty.asked.at(-1)).toBe("GET /me");
    const [theirs] = world.thirdParty.tokens("AccessToken");
    expect(world.thirdParty.authorization).toBe(`Bearer ${theirs}`);
    expect(JSON.stringify(tokens)).not.toContain(theirs);
    expect((await client.call(theirs)).status).toBe(401);
  });

  it("AUTH-85 is renewed once when its token expires, for all requests at that time", async () => {
    const { client, tokens, world } = await stage.signedIn({
      thirdParty: { lifetime: 60 },
    });
    const { thirdParty } = world;
    const [before] = thirdParty.tokens("RefreshToken");
    later(61);
    thirdParty.asked.length = 0;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.call(tokens.access_token)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(thirdParty.asked).toEqual(["POST /token"]);
    expect(thirdParty.tokens("RefreshToken")).not.toEqual([before]);
    later(61);
    expect((await client.call(tokens.access_token)).status).toBe(200);
  });

  it("AUTH-85 ends when it cannot be renewed", async () => {
    const { client, tokens, world } = await stage.signedIn({
      thirdParty: { lifetime: 60 },
    });
    world.thirdParty.revoke("RefreshToken");
    later(61);
    expect((await client.call(tokens.access_token)).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe(
      "invalid_grant",
    );
  });

  it("AUTH-85 ends when nobody uses it for half an hour, at the third party too", async () => {
    const { client, tokens, world } = await stage.signedIn();
    later(1700);
    const { body } = await client.refresh(tokens.refresh_token);
    later(1700);
    const second = await client.refresh(body.refresh_token);
    expect(second.status).toBe(200);
    expect(world.thirdParty.tokens("RefreshToken")).toHaveLength(1);
    later(1900);
    expect((await client.refresh(second.body.refresh_token)).body.error).toBe(
      "invalid_grant",
    );
    expect(world.thirdParty.tokens("RefreshToken")).toEqual([]);
  });

  it("AUTH-85 answers with OAuth errors and 503 while the third party is down, and goes on afterwards", async () => {
    const { client, tokens, world, browser } = await stage.signedIn();
    later(60);
    world.thirdParty.isDown = true;
    expect((await client.call(tokens.access_token)).status).toBe(503);
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({
      status: 400,
      body: { error: "temporarily_unavailable" },
    });
    world.thirdParty.isDown = false;
    expect((await client.call(tokens.access_token)).status).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    const page = await browser.open(client.authorizeUrl());
    world.thirdParty.isDown = true;
    // The metadata is known, so the browser goes to the third party, and comes
    // back to a server that cannot redeem the code.
    const isEnd = ({ href }) => href.startsWith(world.thirdParty.issuer);
    const { params } = await browser.submit(
      page,
      { decision: "allow" },
      { isEnd },
    );
    const back = new URL("/third-party/callback", world.origin);
    back.search = String(
      new URLSearchParams({
        code: "x",
        state: params.get("state"),
        iss: world.thirdParty.issuer,
      }),
    );
    const end = await browser.open(back, {
      isEnd: ({ href }) => href.startsWith(client.uri),
    });
    expect(Object.fromEntries(end.params)).toMatchObject({
      error: "temporarily_unavailable",
      iss: world.origin,
    });
  });

  it("AUTH-85 tells the client at once if the third party cannot be found", async () => {
    const { origin, thirdParty } = await stage.world();
    thirdParty.isDown = true;
    const client = await new Client(origin).register(native);
    const { params } = await new Browser().signIn(
      client.authorizeUrl(),
      client,
    );
    expect(Object.fromEntries(params)).toMatchObject({
      error: "temporarily_unavailable",
      iss: origin,
    });
  });

  it.each(["refresh_token", "access_token"])(
    "AUTH-85 is ended by a client that revokes its %s",
    async (name) => {
      const { client, tokens, world } = await stage.signedIn();
      await client.post(
        "/revoke",
        new URLSearchParams({ client_id: client.id, token: tokens[name] }),
      );
      expect((await client.call(tokens.access_token)).status).toBe(401);
      expect((await client.refresh(tokens.refresh_token)).body.error).toBe(
        "invalid_grant",
      );
      await expect
        .poll(() => world.thirdParty.tokens("RefreshToken"))
        .toEqual([]);
    },
  );
});

describe("what is stored", () => {
  const bytesIn = (folder) =>
    readdirSync(folder).map(
      (name) => `${name} ${readFileSync(join(folder, name), "latin1")}`,
    );

  it("AUTH-86 survives a restart with the same key, and is worth nothing with another", async () => {
    const { client, tokens, world } = await stage.signedIn();
    await world.restart();
    expect((await client.call(tokens.access_token)).status).toBe(200);
    await world.restart({ key: randomBytes(32) });
    expect((await client.call(tokens.access_token)).status).toBe(401);
  });

  it("AUTH-86 has no token and no secret in it, and neither does the output of the program", async () => {
    const { place } = stage.project;
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const thirdParty = await startThirdParty(`${origin}/third-party/callback`, {
      lifetime: 1,
    });
    stage.open.push(thirdParty.stop);
    const key = randomBytes(32).toString("base64");
    const program = spawn(process.execPath, ["dist/main.mjs"], {
      cwd: place,
      env: {
        ...process.env,
        PORT: String(port),
        KEY: key,
        THIRD_PARTY: thirdParty.issuer,
        CLIENT_ID: "mcp-server",
        CLIENT_SECRET: thirdParty.secret,
      },
    });
    stage.open.push(() => program.kill());
    let output = "";
    for (const stream of [program.stdout, program.stderr])
      stream.on("data", (chunk) => (output += String(chunk)));
    const [line] = await once(createInterface(program.stdout), "line");
    expect(line).toBe(`${origin}/mcp`);

    const secrets = [key, thirdParty.secret];
    const client = await new Client(origin).register({
      ...native,
      token_endpoint_auth_method: "client_secret_post",
    });
    secrets.push(client.body.client_secret);
    const browser = new Browser();
    const { params } = await browser.signIn(client.authorizeUrl(), client);
    const secretForm = { client_secret: client.body.client_secret };
    const { body } = await client.redeem(params.get("code"), secretForm);
    secrets.push(params.get("code"), body.access_token, body.refresh_token);
    // A renewal, failures of all kinds, and a third party that goes away.
    const before = thirdParty.tokens("AccessToken").length;
    await until(async () => {
      expect((await client.call(body.access_token)).status).toBe(200);
      return thirdParty.tokens("AccessToken").length > before;
    });
    for (const url of browser.visited)
      for (const name of ["code", "state", "nonce"])
        secrets.push(new URL(url).searchParams.get(name));
    secrets.push(
      ...thirdParty.tokens("AccessToken"),
      ...thirdParty.tokens("RefreshToken"),
    );
    await browser.open(
      browser.visited.find((url) => url.includes("/third-party/callback")),
    );
    await client.redeem(params.get("code"), {
      ...secretForm,
      code_verifier: "x".repeat(43),
    });
    thirdParty.isDown = true;
    await browser.signIn(client.authorizeUrl(), { ...client }).catch(() => {});
    const found = bytesIn(join(place, "data"));
    expect(found.length).toBeGreaterThan(3);
    const raw = secrets.filter((one) => typeof one === "string");
    expect(raw.length).toBeGreaterThan(9);
    for (const secret of raw) {
      expect(secret.length).toBeGreaterThan(20);
      expect(found.filter((text) => text.includes(secret))).toEqual([]);
      expect(output).not.toContain(secret);
    }
  });
});

describe("the example", () => {
  it("passes a strict compiler", () => {
    const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
    const run = spawnSync(process.execPath, [tsc, "-p", "."], {
      cwd: stage.project.place,
      encoding: "utf8",
    });
    expect(run.stdout).toBe("");
  });

  it("says which variable is missing", () => {
    const env = { ...process.env, KEY: undefined };
    const run = spawnSync(process.execPath, ["dist/main.mjs"], {
      cwd: stage.project.place,
      env,
      encoding: "utf8",
    });
    expect(run.stderr).toContain(
      "Set the environment variable KEY; README.md says to what.",
    );
    expect(run.status).toBe(1);
  });

  it.each([
    ["http://mcp.example.com", "must be an https URL"],
    ["ftp://localhost", "must be an https URL"],
    ["http://localhost:3000@evil.example.com", "must be an https URL"],
    ["https://mcp.example.com/path", "must be an origin"],
    ["https://mcp.example.com/", "must be an origin"],
  ])("AUTH-38 does not start at %s", async (origin, reason) => {
    const thirdParty = {
      issuer: "https://id.example.com",
      clientId: "x",
      clientSecret: "x",
      scope: "openid",
    };
    const settings = {
      origin,
      port: 0,
      key: randomBytes(32),
      folder: stage.folder(),
      thirdParty,
    };
    await expect(stage.project.start(settings)).rejects.toThrow(reason);
  });
});
