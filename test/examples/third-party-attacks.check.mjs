import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  Browser,
  Client,
  later,
  native,
  Stage,
  web,
} from "./third-party.kit.mjs";

const stage = new Stage();
beforeAll(() => stage.build());
afterEach(() => stage.clear());
afterAll(() => stage.remove());

const isFramed = (headers) =>
  !/frame-ancestors 'none'/.test(headers.get("content-security-policy")) ||
  headers.get("x-frame-options") !== "DENY";

/**
 * A browser that stands before the third party, with the `state` of its
 * sign-in.
 */
async function beforeThirdParty(world, client, browser = new Browser()) {
  const page = await browser.open(client.authorizeUrl());
  const isEnd = ({ href }) => href.startsWith(world.thirdParty.issuer);
  const { url } = await browser.submit(page, { decision: "allow" }, { isEnd });
  return { browser, url, state: url.searchParams.get("state") };
}

/**
 * The address to which the third party sends a browser after the person has
 * signed in there.
 */
async function answerOf(world, { browser, url }) {
  const uri = `${world.origin}/third-party/callback`;
  return (await browser.signIn(url, { uri })).url;
}

/**
 * Whether the browser gets nowhere: an error page of this server, and no
 * redirect to the client.
 */
async function isRefused(browser, url, { uri }) {
  const end = await browser.open(url, {
    isEnd: ({ href }) => href.startsWith(uri),
  });
  return (
    end.params === undefined &&
    end.status === 400 &&
    !end.html.includes("code=")
  );
}

describe("a forged consent", () => {
  it("AUTH-62 AUTH-87 is not given by the cookie of another client, nor by one that was changed", async () => {
    const { origin } = await stage.world();
    const [good, evil] = [
      await new Client(origin).register(web),
      await new Client(origin).register(web),
    ];
    const browser = new Browser();
    await browser.signIn(good.authorizeUrl(), good);
    const cookie = browser.cookies.find(
      ({ name }) => name === "__Host-approved",
    );
    const [, signature] = cookie.value.split(".");
    const year = Math.floor(Date.now() / 1000) + 31_536_000;
    for (const value of [
      cookie.value,
      `${year}.${signature}`,
      `${year}.`,
      `${year}.x!${cookie.value}`,
      "!",
      "",
    ]) {
      cookie.value = value;
      const page = await browser.signIn(evil.authorizeUrl(), {
        ...evil,
        stops: true,
      });
      expect(page.html).toContain('name="decision"');
    }
  });

  it("AUTH-87 is not given without the token of the page, or with that of another page", async () => {
    const { origin, thirdParty } = await stage.world();
    const client = await new Client(origin).register(native);
    const other = await new Browser().open(client.authorizeUrl());
    const [, foreign] = /name="csrf" value="([^"]+)"/.exec(other.html);
    for (const csrf of [undefined, "", "x", foreign]) {
      const browser = new Browser();
      const page = await browser.open(client.authorizeUrl());
      const answer = await browser.submit(page, { csrf, decision: "allow" });
      expect(answer.status).toBe(403);
      expect(answer.url.href).toBe(page.url.href);
      expect(
        browser.cookies.filter(({ name }) => name.startsWith("__Host-")),
      ).toEqual([]);
    }
    expect(
      thirdParty.asked.filter((line) => line.startsWith("GET /auth")),
    ).toEqual([]);
  });

  it("AUTH-87 is not given from another browser than the one that shows the page", async () => {
    const { origin } = await stage.world();
    const client = await new Client(origin).register(native);
    const page = await new Browser().open(client.authorizeUrl());
    expect(
      await new Browser().submit(page, { decision: "allow" }),
    ).toMatchObject({ status: 400 });
  });

  it("AUTH-87 is not given in a frame, and no answer of this origin can be framed", async () => {
    const { origin } = await stage.world();
    const client = await new Client(origin).register(native);
    const browser = new Browser();
    const page = await browser.open(client.authorizeUrl());
    const wrong = await browser.open(
      client.authorizeUrl({ redirect_uri: "https://evil.example.com/" }),
    );
    const refused = await browser.submit(page, { csrf: "x" });
    const unknown = await browser.open(
      `${origin}/third-party/callback?state=x`,
    );
    const missing = await browser.open(`${origin}/elsewhere`);
    expect(
      [page, wrong, refused, unknown, missing].map(({ headers }) =>
        isFramed(headers),
      ),
    ).toEqual([page, wrong, refused, unknown, missing].map(() => false));
    expect(
      [page, wrong, refused, unknown].map(({ headers }) =>
        headers.get("cache-control"),
      ),
    ).toEqual([page, wrong, refused, unknown].map(() => "no-store"));
  });

  it("AUTH-87 is not given by a form of 100 kB, which is not read to its end", async () => {
    const { origin } = await stage.world();
    const client = await new Client(origin).register(native);
    const browser = new Browser();
    const page = await browser.open(client.authorizeUrl());
    const answer = await browser.submit(page, {
      padding: "x".repeat(100_000),
      decision: "allow",
    });
    expect(answer.status).toBe(413);
    expect((await new Client(origin).register(native)).status).toBe(201);
  });

  it("AUTH-65 AUTH-87 has cookies that no other origin and no script can read or set", async () => {
    const { browser } = await stage.signedIn();
    const own = browser.cookies.filter(({ name }) =>
      name.startsWith("__Host-"),
    );
    expect(own.map(({ name }) => name)).toEqual(["__Host-approved"]);
    for (const { line } of own)
      expect(line).toMatch(
        /; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/,
      );
    for (const { line, host } of browser.cookies)
      if (host === "127.0.0.1") expect(line).toMatch(/httponly/i);
  });
});

describe("a forged answer of the third party", () => {
  it("AUTH-88 has no `state` to use before the consent, and no cookie for one", async () => {
    const { origin } = await stage.world();
    const client = await new Client(origin).register(native);
    const browser = new Browser();
    await browser.open(client.authorizeUrl());
    expect(
      browser.cookies.filter(({ name }) => name.startsWith("__Host-")),
    ).toEqual([]);
  });

  it("AUTH-88 is refused with a missing, made-up or foreign `state`, and the good one still counts", async () => {
    const world = await stage.world();
    const client = await new Client(world.origin).register(native);
    const victim = await beforeThirdParty(world, client);
    const attacker = await beforeThirdParty(world, client);
    const theirs = await answerOf(world, attacker);
    const own = await answerOf(world, victim);
    for (const state of [undefined, "", "x", attacker.state]) {
      const url = new URL(own);
      if (state === undefined) url.searchParams.delete("state");
      else url.searchParams.set("state", state);
      expect(await isRefused(victim.browser, url, client)).toBe(true);
    }
    // The account of the attacker does not get into the browser of the victim.
    expect(await isRefused(victim.browser, theirs, client)).toBe(true);
    expect(world.thirdParty.asked).not.toContain("POST /token");
    const { params } = await victim.browser.signIn(own, client);
    expect((await client.redeem(params.get("code"))).status).toBe(200);
  });

  it("AUTH-88 is refused when it comes again", async () => {
    const world = await stage.world();
    const client = await new Client(world.origin).register(native);
    const { browser, url } = await beforeThirdParty(world, client);
    const answer = await answerOf(world, { browser, url });
    const cookies = [...browser.cookies];
    const isEnd = ({ pathname }) => pathname.startsWith("/authorize/");
    const next = await browser.open(answer, { isEnd });
    // At once, while the sign-in is still open; and with the cookie that the
    // server has removed.
    expect(await isRefused(browser, answer, client)).toBe(true);
    browser.cookies.push(...cookies);
    expect(await isRefused(browser, answer, client)).toBe(true);
    expect(
      world.thirdParty.asked.filter((line) => line === "POST /token"),
    ).toHaveLength(1);
    expect((await browser.signIn(next.url, client)).params.has("code")).toBe(
      true,
    );
    // Also afterwards.
    browser.cookies = cookies;
    expect(await isRefused(browser, answer, client)).toBe(true);
  });

  it("AUTH-88 is refused after ten minutes", async () => {
    const world = await stage.world();
    const client = await new Client(world.origin).register(native);
    const sooner = await beforeThirdParty(world, client);
    const late = await beforeThirdParty(world, client);
    later(590);
    const answer = await answerOf(world, sooner);
    expect(
      (await sooner.browser.signIn(answer, client)).params.has("code"),
    ).toBe(true);
    const tooLate = await answerOf(world, late);
    later(11);
    expect(await isRefused(late.browser, tooLate, client)).toBe(true);
  });

  it("AUTH-88 has a new `state` each time", async () => {
    const world = await stage.world();
    const client = await new Client(world.origin).register(native);
    const states = [];
    for (let round = 0; round < 3; round++)
      states.push((await beforeThirdParty(world, client)).state);
    expect(new Set(states).size).toBe(3);
    for (const state of states) expect(state).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    ["another issuer", { iss: "https://evil.example.com" }],
    ["another code", { code: "made-up" }],
  ])(
    "AUTH-85 AUTH-88 ends in an OAuth error if it has %s",
    async (_, changes) => {
      const world = await stage.world();
      const client = await new Client(world.origin).register(native);
      const before = await beforeThirdParty(world, client);
      const answer = await answerOf(world, before);
      for (const [name, value] of Object.entries(changes))
        answer.searchParams.set(name, value);
      const { params } = await before.browser.signIn(answer, client);
      expect(params.has("code")).toBe(false);
      expect(Object.fromEntries(params)).toMatchObject({
        error: "temporarily_unavailable",
        iss: world.origin,
      });
    },
  );

  it("AUTH-88 ends in an OAuth error if it has the code of another sign-in", async () => {
    const world = await stage.world();
    const client = await new Client(world.origin).register(native);
    const [victim, attacker] = [
      await beforeThirdParty(world, client),
      await beforeThirdParty(world, client),
    ];
    const theirs = (await answerOf(world, attacker)).searchParams.get("code");
    const answer = await answerOf(world, victim);
    answer.searchParams.set("code", theirs);
    const { params } = await victim.browser.signIn(answer, client);
    expect(Object.fromEntries(params)).toMatchObject({
      error: "temporarily_unavailable",
      iss: world.origin,
    });
  });

  it("AUTH-65 two sign-ins of one browser do not disturb each other", async () => {
    const world = await stage.world();
    const [a, b] = [
      await new Client(world.origin).register(native),
      await new Client(world.origin).register(native),
    ];
    const browser = new Browser();
    const first = await beforeThirdParty(world, a, browser);
    const second = await beforeThirdParty(world, b, browser);
    for (const [client, sign] of [
      [b, second],
      [a, first],
    ]) {
      const { params } = await browser.signIn(
        await answerOf(world, { browser, url: sign.url }),
        client,
      );
      expect(params.get("state")).toBe(client.state);
    }
  });
});

describe("a changed redirect URI", () => {
  it.each([
    ["another path", "http://127.0.0.1:33418/other"],
    ["a longer path", "http://127.0.0.1:33418/callback/"],
    ["a query", "http://127.0.0.1:33418/callback?next=x"],
    ["another host", "https://evil.example.com/callback"],
    ["a fragment", "http://127.0.0.1:33418/callback#x"],
    ["a script", "javascript:alert(1)"],
  ])(
    "AUTH-43 AUTH-86 AUTH-88 with %s is refused on a page, without a redirect",
    async (_, redirect_uri) => {
      const { origin } = await stage.world();
      const client = await new Client(origin).register(native);
      const url = client.authorizeUrl({ redirect_uri });
      const page = await new Browser().open(url);
      expect(page).toMatchObject({
        status: 400,
        html: expect.stringContaining("invalid_redirect_uri"),
      });
      expect(page.url.href).toBe(new URL(url).href);
    },
  );

  it.each([
    ["http on another machine", "http://app.example.com/callback", "web"],
    ["http on another machine", "http://app.example.com/callback", "native"],
    [
      "a host that looks like this machine",
      "http://localhost:80@evil.example.com/callback",
      "web",
    ],
    [
      "a name that looks like this machine",
      "http://localhost.evil.example.com/callback",
      "web",
    ],
    ["a user name", "https://app.example.com@evil.example.com/callback", "web"],
    ["a fragment", "https://app.example.com/callback#x", "web"],
    ["no URL", "/callback", "web"],
    ["a scheme that any program can claim", "caller:/callback", "native"],
    ["a script", "javascript:alert(1)", "native"],
    ["data", "data:text/html,x", "native"],
  ])(
    "AUTH-43 AUTH-86 with %s cannot be registered",
    async (_, uri, application_type) => {
      const { origin } = await stage.world();
      const metadata = { ...native, application_type, redirect_uris: [uri] };
      const { status, body } = await new Client(origin).register(metadata);
      expect(status).toBe(400);
      expect(body.error).toBe("invalid_redirect_uri");
    },
  );

  it("AUTH-43 AUTH-88 at the third party is refused there, and at our callback nobody reads it", async () => {
    const world = await stage.world();
    const client = await new Client(world.origin).register(native);
    const before = await beforeThirdParty(world, client);
    const changed = new URL(before.url);
    changed.searchParams.set(
      "redirect_uri",
      "https://evil.example.com/callback",
    );
    expect((await before.browser.open(changed)).status).toBe(400);
    const answer = await answerOf(world, before);
    answer.searchParams.set(
      "redirect_uri",
      "https://evil.example.com/callback",
    );
    const { url } = await before.browser.signIn(answer, client);
    expect(url.href.startsWith(`${client.uri}?`)).toBe(true);
  });

  it("AUTH-43 AUTH-86 is refused when the code is redeemed", async () => {
    const { origin } = await stage.world();
    const client = await new Client(origin).register({
      ...native,
      redirect_uris: [...native.redirect_uris, "http://127.0.0.1:33418/other"],
    });
    const { params } = await new Browser().signIn(
      client.authorizeUrl(),
      client,
    );
    const { status, body } = await client.redeem(params.get("code"), {
      redirect_uri: "http://127.0.0.1:33418/other",
    });
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: "invalid_grant",
    });
  });
});

describe("a client that cannot be trusted", () => {
  it("AUTH-43 AUTH-86 has no document whose redirect URI is http on another machine", async () => {
    const id = "https://client.example.com/metadata.json";
    const redirect_uris = ["http://app.example.com/callback"];
    const fetch = async () =>
      Response.json({ ...web, client_id: id, redirect_uris });
    const { origin } = await stage.world({ fetch });
    const client = Object.assign(new Client(origin), {
      id,
      uri: redirect_uris[0],
    });
    const page = await new Browser().open(client.authorizeUrl());
    expect(page).toMatchObject({
      status: 400,
      html: expect.stringContaining("invalid_redirect_uri"),
    });
  });

  it("AUTH-65 is not remembered on this computer, although it says that it is a web application", async () => {
    const { origin } = await stage.world();
    const client = await new Client(origin).register({
      ...native,
      application_type: "web",
    });
    const browser = new Browser();
    for (let round = 0; round < 2; round++) {
      const page = await browser.open(client.authorizeUrl());
      expect(page.html).toContain('name="decision"');
      await browser.signIn(client.authorizeUrl(), client);
    }
  });
});

describe("a stolen code or token", () => {
  it("AUTH-86 is refused without the verifier, with another one, or by another client", async () => {
    const { origin } = await stage.world();
    const client = await new Client(origin).register(native);
    const other = await new Client(origin).register(native);
    const browser = new Browser();
    const attacks = [
      (code) => client.redeem(code, { code_verifier: "x".repeat(43) }),
      (code) => client.redeem(code, { code_verifier: "" }),
      (code) => other.redeem(code),
      (code) => client.redeem(code, { client_id: other.id }),
    ];
    for (const attack of attacks) {
      const { params } = await browser.signIn(client.authorizeUrl(), client);
      const { status, body } = await attack(params.get("code"));
      expect({ status, error: body.error }).toEqual({
        status: 400,
        error: "invalid_grant",
      });
    }
  });

  it.each([
    [
      "no challenge",
      { code_challenge: undefined, code_challenge_method: undefined },
    ],
    ["a plain challenge", { code_challenge_method: "plain" }],
  ])(
    "AUTH-86 is of no use, because a request with %s is refused",
    async (_, changes) => {
      const { origin } = await stage.world();
      const client = await new Client(origin).register(native);
      const { params } = await new Browser().signIn(
        client.authorizeUrl(changes),
        client,
      );
      expect(params.get("error")).toBe("invalid_request");
    },
  );

  it("AUTH-55 ends the session when a code is redeemed twice", async () => {
    const { client, code, tokens, world } = await stage.signedIn();
    expect((await client.call(tokens.access_token)).status).toBe(200);
    expect((await client.redeem(code)).body.error).toBe("invalid_grant");
    expect((await client.call(tokens.access_token)).status).toBe(401);
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe(
      "invalid_grant",
    );
    await expect
      .poll(() => world.thirdParty.tokens("RefreshToken"))
      .toEqual([]);
  });

  it("AUTH-55 ends the whole family when a refresh token is used twice", async () => {
    const { client, tokens, world } = await stage.signedIn();
    const { body } = await client.refresh(tokens.refresh_token);
    expect((await client.call(body.access_token)).status).toBe(200);
    const reused = await client.refresh(tokens.refresh_token);
    expect(reused).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    for (const token of [tokens.access_token, body.access_token])
      expect((await client.call(token)).status).toBe(401);
    expect((await client.refresh(body.refresh_token)).body.error).toBe(
      "invalid_grant",
    );
    await expect
      .poll(() => world.thirdParty.tokens("RefreshToken"))
      .toEqual([]);
  });
});
