import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../free-port.js";
import { Protected, withBrowser, withoutBrowser } from "../protected.js";
import { directory, type Ended, mcpgen } from "./support.js";

let server: Protected;
let place = "";
beforeEach(async () => {
  server = await Protected.start();
  place = directory();
});
afterEach(() => server.stop());

const run = (
  args: readonly string[],
  environment: Record<string, string>,
): Promise<Ended> =>
  mcpgen([...args, "--no-color"], { directory: place, environment });

const signIn = (...more: string[]): Promise<Ended> =>
  run(["login", "--url", server.url, ...more], withBrowser(place));

const pull = (
  environment: Record<string, string> = {},
  ...more: string[]
): Promise<Ended> =>
  run(["pull", "--url", server.url, "-o", "x.mcp.json", ...more], {
    ...withoutBrowser(place),
    ...environment,
  });

/** No token and no secret is in what the programs print, or in the snapshot. */
function expectNoSecret(...runs: readonly Ended[]): void {
  const snapshots = readdirSync(place).filter((name) =>
    name.endsWith(".mcp.json"),
  );
  const texts = [
    ...runs.flatMap(({ out, err }) => [out, err]),
    ...snapshots.map((name) => readFileSync(join(place, name), "utf8")),
  ];
  expect(texts.join("")).not.toMatch(
    /(access|refresh)-token-\d|s3cret|jwt-of-the-platform/,
  );
}

describe("mcpgen login", () => {
  it("opens the browser and stores the token for pull, which refreshes it without a browser", async () => {
    const login = await signIn();
    expect([login.code, login.err]).toEqual([
      0,
      expect.stringContaining(`signed in to ${server.url} at http://127.0.0.1`),
    ]);
    const first = await pull();
    expect([first.code, first.err]).toEqual([
      0,
      expect.stringContaining("1 tool"),
    ]);
    server.live.clear();
    const second = await pull({}, "--check");
    expect([second.code, second.err]).toEqual([
      0,
      expect.stringContaining("unchanged"),
    ]);
    expect(server.seen).toEqual(["authorization_code", "refresh_token"]);
    expectNoSecret(login, first, second);
  });

  it("prints its result as JSON without the token", async () => {
    const login = await signIn(
      "--json",
      "--quiet",
      "--account",
      "work",
      "--scope",
      "files,mail",
    );
    expect(JSON.parse(login.out)).toMatchObject({
      ok: true,
      server: server.url,
      isNeeded: true,
      account: "work",
      scopes: ["files", "mail"],
      isRenewable: true,
    });
    expectNoSecret(login);
  });

  it("shows a code for another device with --device", async () => {
    const login = await run(
      ["login", "--url", server.url, "--device"],
      withoutBrowser(place),
    );
    expect(login.code).toBe(0);
    expect(login.err).toMatch(
      /Open http:\/\/127\.0\.0\.1:\d+\/enter on any device, and enter the code ABCD-EFGH/,
    );
    expect((await pull()).code).toBe(0);
  });

  it("signs in again although there is a token", async () => {
    await signIn();
    await signIn();
    expect(server.seen).toEqual(["authorization_code", "authorization_code"]);
  });

  it("names the scope that a server requires, and requests it together with the earlier ones", async () => {
    await signIn("--scope", "files");
    server.requiredScope = "files:write";
    const pulled = await pull();
    expect([pulled.code, pulled.err]).toEqual([
      3,
      expect.stringMatching(/MG732.*with the scope "files:write"/),
    ]);
    const command = `mcpgen login --url ${server.url} --scope files:write`;
    expect(pulled.err).toContain(`run ${command}`);
    const login = await run(command.split(" ").slice(1), withBrowser(place));
    expect([login.code, server.scopes]).toEqual([0, ["files", "files:write"]]);
    expect((await pull()).code).toBe(0);
    server.requiredScope = "$(id)";
    const hostile = await pull();
    expect(hostile.err).toContain(
      "with --scope and the scopes that the message names",
    );
    expect(hostile.err).not.toContain("--scope $");
    expectNoSecret(pulled, login, hostile);
  });

  it("keeps the working token until the server has accepted the new one", async () => {
    await signIn("--scope", "files");
    server.isAccepting = false;
    const rejected = await signIn("--scope", "mail");
    expect([rejected.code, rejected.err]).toEqual([
      3,
      expect.stringContaining("rejects the token"),
    ]);
    server.isAccepting = true;
    server.refusal = "access_denied";
    expect((await signIn("--scope", "mail")).code).toBe(3);
    expect((await pull()).code).toBe(0);
    const list = await run(
      ["login", "--list", "--json"],
      withoutBrowser(place),
    );
    expect(JSON.parse(list.out)).toMatchObject([{ scopes: ["files"] }]);
  });

  it("exits with 3 if the user or the authorization server refuses", async () => {
    server.refusal = "access_denied";
    const login = await signIn();
    expect([login.code, login.err]).toEqual([
      3,
      expect.stringMatching(/MG738.*"access_denied"/),
    ]);
    expect((await run(["login", "--list"], withBrowser(place))).out).toBe("");
  });

  it("reports a server that does not require a token", async () => {
    server.live.add("");
    const login = await signIn();
    expect([login.code, login.err]).toEqual([
      0,
      expect.stringContaining("does not require a token"),
    ]);
  });

  it("takes the secret, the redirect URI, the resource and parameters of a client at one issuer, and pull refreshes with the secret", async () => {
    const { origin } = new URL(server.url);
    const environment = {
      ...withBrowser(place),
      OUR_SECRET: "s3cret-of-the-client",
    };
    const flags = [
      "--client-id",
      "ours",
      "--client-secret",
      "OUR_SECRET",
      "--issuer",
      origin,
    ];
    const redirect = `http://127.0.0.1:${await freePort()}/back`;
    const more = [
      "--redirect-uri",
      redirect,
      "--resource",
      "api://mcp",
      "--auth-param",
      "audience=a=b",
    ];
    const login = await run(
      [
        "login",
        "--url",
        server.url,
        ...flags,
        ...more,
        "--auth-param",
        "access_type=offline",
      ],
      environment,
    );
    expect([login.code, login.err]).toEqual([
      0,
      expect.stringContaining("signed in"),
    ]);
    expect(server.pages).toMatchObject([
      {
        client_id: "ours",
        redirect_uri: redirect,
        resource: "api://mcp",
        audience: "a=b",
        access_type: "offline",
      },
    ]);
    server.live.clear();
    const pulled = await pull();
    expect(pulled.code).toBe(0);
    const basic = `Basic ${btoa("ours:s3cret-of-the-client")}`;
    expect(server.authentications).toEqual([basic, basic]);
    expect(server.seen).toEqual(["authorization_code", "refresh_token"]);
    expectNoSecret(login, pulled);
  });

  it("sends no resource if --resource is none", async () => {
    const none = await signIn("--resource", "none");
    expect(none.code).toBe(0);
    expect(server.pages[0]).not.toHaveProperty("resource");
  });

  it("assumes PKCE only for the issuer of --assume-pkce", async () => {
    server.publishes = "no PKCE";
    const { origin } = new URL(server.url);
    const other = await signIn("--assume-pkce", "https://login.example.com");
    expect([other.code, other.err]).toEqual([
      3,
      expect.stringMatching(/MG738.*code_challenge_methods_supported/),
    ]);
    expect(server.pages).toEqual([]);
    expect((await signIn("--assume-pkce", origin)).code).toBe(0);
    expect(server.pages).toMatchObject([{ code_challenge_method: "S256" }]);
  });

  it("accepts an issuer without the slash after its host, or with one, in the metadata of its authorization server", async () => {
    server.namedPath = "/";
    const login = await signIn();
    expect([login.code, login.err]).toEqual([
      0,
      expect.stringContaining("signed in"),
    ]);
    server.live.clear();
    expect((await pull()).code).toBe(0);
    expect(
      (await run(["logout", "--url", server.url], withoutBrowser(place))).code,
    ).toBe(0);
    expect(server.seen.slice(0, 3)).toEqual([
      "authorization_code",
      "refresh_token",
      "revoke",
    ]);
  });

  it("accepts another issuer by --issuer-alias, which its hint names, and pull, call and logout know it later", async () => {
    server.namedPath = "/tenant";
    const { origin } = new URL(server.url);
    const refused = await signIn();
    const flags = ["--issuer-alias", `${origin}/tenant=${origin}`];
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringContaining(
        `run mcpgen login --url ${server.url} ${flags.join(" ")}`,
      ),
    ]);
    const login = await signIn(...flags);
    expect([login.code, login.err]).toEqual([
      0,
      expect.stringContaining("signed in"),
    ]);
    server.live.clear();
    expect((await pull()).code).toBe(0);
    server.live.clear();
    expect((await run(["call", server.url], withoutBrowser(place))).code).toBe(
      0,
    );
    expect(
      (await run(["logout", "--url", server.url], withoutBrowser(place))).code,
    ).toBe(0);
    const [first, ...later] = server.seen;
    expect([first, ...later.slice(0, 3)]).toEqual([
      "authorization_code",
      "refresh_token",
      "refresh_token",
      "revoke",
    ]);
  });

  it("refuses an --issuer-alias of one issuer", async () => {
    const { origin } = new URL(server.url);
    const wrong = await signIn("--issuer-alias", origin);
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining("--issuer-alias takes two issuers"),
    ]);
  });

  it("names --assume-pkce and --endpoint in the hint of a sign-in that needs them", async () => {
    const { origin } = new URL(server.url);
    server.publishes = "no PKCE";
    expect((await signIn()).err).toContain(
      `run mcpgen login --url ${server.url} --assume-pkce ${origin}`,
    );
    server.publishes = "nothing";
    expect((await signIn()).err).toContain(
      `--issuer ${origin} --endpoint authorization_endpoint=<url> --endpoint token_endpoint=<url>`,
    );
  });

  it("takes the endpoints of a server without metadata, and pull and logout use them later", async () => {
    server.publishes = "nothing";
    const { origin } = new URL(server.url);
    expect((await signIn()).code).toBe(3);
    const endpoints = [
      ["authorization", "authorize"],
      ["token", "token"],
      ["registration", "register"],
      ["revocation", "revoke"],
    ].flatMap(([name, path]) => [
      "--endpoint",
      `${name}_endpoint=${origin}/${path}`,
    ]);
    const login = await signIn(
      "--issuer",
      origin,
      "--assume-pkce",
      origin,
      ...endpoints,
    );
    expect([login.code, login.err]).toEqual([
      0,
      expect.stringContaining("signed in"),
    ]);
    server.live.clear();
    expect((await pull()).code).toBe(0);
    const logout = await run(
      ["logout", "--url", server.url],
      withoutBrowser(place),
    );
    expect(logout.code).toBe(0);
    expect(server.seen.slice(0, 3)).toEqual([
      "authorization_code",
      "refresh_token",
      "revoke",
    ]);
  });

  it.each([
    [
      ["--client-id", "ours", "--client-secret", "HOME"],
      "--client-secret requires --client-id and --issuer",
    ],
    [
      ["--client-secret", "NO_SUCH_VARIABLE"],
      "there is no variable of this name",
    ],
    [
      ["--auth-param", "audience=x"],
      "--auth-param and --endpoint require --issuer",
    ],
    [["--issuer", "login.example.com"], "--issuer is not a URL"],
    [
      ["--issuer", "https://a.example", "--endpoint", "token_endpoint=/token"],
      "--endpoint takes a name and a value",
    ],
    [
      ["--redirect-uri", "https://a.example/x"],
      "--redirect-uri cannot be used",
    ],
  ] as readonly (readonly [string[], string])[])(
    "refuses the flags %j, which lack what they belong to, without a request",
    async (flags, text) => {
      const login = await signIn(...flags);
      expect([login.code, login.err]).toEqual([
        2,
        expect.stringContaining(text),
      ]);
      expect([server.seen, server.pages]).toEqual([[], []]);
    },
  );

  it("requires a server at a URL", async () => {
    const none = await run(["login"], withBrowser(place));
    expect([none.code, none.err]).toEqual([
      2,
      expect.stringContaining("MG705"),
    ]);
    writeFileSync(
      join(place, ".mcp.json"),
      JSON.stringify({ mcpServers: { local: { command: "node" } } }),
    );
    const local = await run(["login", "--config", "local"], withBrowser(place));
    expect([local.code, local.err]).toEqual([
      2,
      expect.stringContaining("you can only sign in to a server at a URL"),
    ]);
  });

  it("lists the servers with a stored token, without the tokens", async () => {
    const empty = await run(["login", "--list"], withoutBrowser(place));
    expect([empty.code, empty.out, empty.err]).toEqual([
      0,
      "",
      "no server has a stored token\n",
    ]);
    await signIn("--account", "work");
    await signIn();
    const list = await run(["login", "--list"], withoutBrowser(place));
    expect(list.out.match(new RegExp(server.url, "g"))).toHaveLength(2);
    expect(list.out).toContain("account work");
    const json = await run(
      ["login", "--list", "--json"],
      withoutBrowser(place),
    );
    expect(JSON.parse(json.out)).toMatchObject([
      { account: "" },
      { account: "work" },
    ]);
    expectNoSecret(list, json);
  });

  it("is suggested by pull if a file of the store is damaged", async () => {
    await signIn();
    const folder = join(place, "settings", "mcpgen", "auth");
    for (const name of readdirSync(folder))
      writeFileSync(join(folder, name), "access-token-1");
    const pulled = await pull();
    expect([pulled.code, pulled.err]).toEqual([
      2,
      expect.stringMatching(/MG739.*is damaged.*sign in again/),
    ]);
    expectNoSecret(pulled);
  });
});

describe("mcpgen logout", () => {
  it("revokes each token, removes them, and says what became of each", async () => {
    await signIn();
    const logout = await run(
      ["logout", "--url", server.url],
      withoutBrowser(place),
    );
    expect([logout.code, logout.err]).toEqual([
      0,
      `signed out of ${server.url}\nthe refresh token is revoked\nthe access token is revoked\n`,
    ]);
    expect(server.seen).toEqual(["authorization_code", "revoke", "revoke"]);
    expect(server.refreshable.size).toBe(0);
    expect((await run(["login", "--list"], withoutBrowser(place))).out).toBe(
      "",
    );
  });

  it("says that there was no token", async () => {
    const again = await run(
      ["logout", "--url", server.url],
      withoutBrowser(place),
    );
    expect([again.code, again.err]).toEqual([
      0,
      `there was no token for ${server.url}\n`,
    ]);
  });

  it("says which tokens the server does not revoke", async () => {
    server.canRevoke = false;
    await signIn();
    const json = await run(
      ["logout", "--url", server.url, "--json"],
      withoutBrowser(place),
    );
    expect(JSON.parse(json.out)).toMatchObject({
      revocations: [
        { token: "refresh", isRevoked: false },
        { token: "access", isRevoked: false },
      ],
    });
  });

  it("removes the token and warns if the authorization server cannot be reached", async () => {
    await signIn();
    const { url } = server;
    server.stop();
    const logout = await run(["logout", "--url", url], withoutBrowser(place));
    expect([logout.code, logout.err]).toEqual([
      0,
      expect.stringMatching(/warning.*MG738|MG738.*did not revoke them/),
    ]);
    expect((await run(["login", "--list"], withoutBrowser(place))).out).toBe(
      "",
    );
  });
});

describe("mcpgen pull of a protected server", () => {
  it("opens no browser, and suggests mcpgen login", async () => {
    const pulled = await run(["pull", "--url", server.url], withBrowser(place));
    expect(pulled.code).toBe(3);
    expect(pulled.err).toContain(`MG732`);
    expect(pulled.err).toContain(
      `run mcpgen login --url ${server.url}, or pass --header "Authorization: Bearer $TOKEN"`,
    );
    expect(server.seen).toEqual([]);
  });

  it("suggests mcpgen login if the token cannot be refreshed", async () => {
    await signIn();
    server.live.clear();
    server.refreshable.clear();
    const pulled = await pull();
    expect(pulled.code).toBe(3);
    expect(pulled.err).toMatch(/MG732.*requires you to sign in/);
    expect(pulled.err).toContain(`run mcpgen login --url ${server.url}`);
    expectNoSecret(pulled);
  });

  it("uses the token of the account that --auth names, and lists the accounts if there is no such account", async () => {
    await signIn("--account", "work");
    expect((await pull({}, "--auth", "account:work")).code).toBe(0);
    const other = await pull({}, "--auth", "account:home");
    expect([other.code, other.err]).toEqual([
      2,
      expect.stringContaining("the stored accounts are work"),
    ]);
    server.requiredScope = "files:write";
    const command = `run mcpgen login --url ${server.url} --account work --scope files:write`;
    expect((await pull({}, "--auth", "account:work")).err).toContain(command);
    server.refusal = "access_denied";
    expect((await signIn("--account", "work")).err).toContain(
      `run mcpgen login --url ${server.url} --account work`,
    );
  });

  it("is authorized by the client id and secret in environment variables", async () => {
    const { origin } = new URL(server.url);
    const environment = {
      WEATHER_CLIENT_ID: "robot",
      WEATHER_CLIENT_SECRET: "s3cret-of-the-robot",
      WEATHER_ISSUER: origin,
    };
    const pulled = await pull(
      environment,
      "--auth",
      "client-credentials:WEATHER",
    );
    expect([pulled.code, pulled.err]).toEqual([
      0,
      expect.stringContaining("1 tool"),
    ]);
    const missing = await pull({}, "--auth", "client-credentials:WEATHER");
    expect([missing.code, missing.err]).toEqual([
      2,
      expect.stringContaining("MG735"),
    ]);
    const wrong = await pull(
      { ...environment, WEATHER_CLIENT_SECRET: "wrong-secret" },
      "--auth",
      "client-credentials:WEATHER",
    );
    expect([wrong.code, wrong.err]).toEqual([
      3,
      expect.stringContaining("MG738"),
    ]);
    expect(wrong.err).not.toContain("wrong-secret");
    expectNoSecret(pulled, missing, wrong);
  });

  it.each(["pull", "call"])(
    "accepts another issuer by --issuer-alias in %s",
    async (command) => {
      server.namedPath = "/tenant";
      const { origin } = new URL(server.url);
      const environment = {
        ...withoutBrowser(place),
        MCPGEN_CLIENT_ID: "robot",
        MCPGEN_CLIENT_SECRET: "s3cret-of-the-robot",
        MCPGEN_ISSUER: origin,
      };
      const flags = ["--auth", "client-credentials"];
      const args =
        command === "pull"
          ? ["--url", server.url, "-o", "x.mcp.json"]
          : [server.url];
      const refused = await run([command, ...args, ...flags], environment);
      const alias = ["--issuer-alias", `${origin}/tenant=${origin}`];
      expect([refused.code, refused.err]).toEqual([
        3,
        expect.stringContaining(alias.join(" ")),
      ]);
      const accepted = await run(
        [command, ...args, ...flags, ...alias],
        environment,
      );
      expect([accepted.code, accepted.err]).toEqual([
        0,
        expect.not.stringContaining("MG"),
      ]);
    },
  );

  it("is authorized by the token in a file that --auth or a configuration names", async () => {
    writeFileSync(join(place, "token"), "jwt-of-the-platform\n");
    const { origin: issuer } = new URL(server.url);
    const pulled = await pull({}, "--auth", "file:token", "--issuer", issuer);
    expect(pulled.code).toBe(0);
    const source = { url: server.url, auth: "file:token", issuer };
    const config = { servers: [{ snapshot: "y.mcp.json", source }] };
    writeFileSync(join(place, "mcpgen.config.json"), JSON.stringify(config));
    const all = await run(["pull"], withoutBrowser(place));
    expect(all.code).toBe(0);
    const checked = await run(["check", "--live"], withoutBrowser(place));
    expect(checked.code).toBe(0);
    expectNoSecret(pulled, all, checked);
  });

  it("sends a secret or the identity of a job only to the issuer of --issuer or <PREFIX>_ISSUER, and nothing without one", async () => {
    writeFileSync(join(place, "token"), "jwt-of-the-platform\n");
    const credentials = {
      WEATHER_CLIENT_ID: "robot",
      WEATHER_CLIENT_SECRET: "s3cret-of-the-robot",
    };
    const forms = [
      ["file:token", "MCPGEN"],
      ["kubernetes", "MCPGEN"],
      ["github-actions", "MCPGEN"],
      ["client-credentials:WEATHER", "WEATHER"],
    ] as const;
    const other = "https://login.example.com";
    for (const [form, prefix] of forms) {
      const none = await pull(credentials, "--auth", form);
      expect([none.code, none.err]).toEqual([
        2,
        expect.stringMatching(
          new RegExp(`MG735.*${prefix}_ISSUER[^]*pass --issuer`),
        ),
      ]);
      for (const wrong of [
        await pull(credentials, "--auth", form, "--issuer", other),
        await pull(
          { ...credentials, [`${prefix}_ISSUER`]: other },
          "--auth",
          form,
        ),
      ]) {
        expect([wrong.code, wrong.err]).toEqual([
          3,
          expect.stringMatching(/MG738[^]*belong to/),
        ]);
        expectNoSecret(wrong);
      }
    }
    expect(server.seen).toEqual([]);
    const account = await pull({}, "--auth", "account:work", "--issuer", other);
    expect([account.code, account.err]).toEqual([
      2,
      expect.stringContaining("--issuer requires --auth"),
    ]);
  });

  it("refuses --auth with an unknown value, with an Authorization header, and with --stdio", async () => {
    const unknown = await pull({}, "--auth", "magic");
    expect([unknown.code, unknown.err]).toEqual([
      2,
      expect.stringContaining("MG702"),
    ]);
    const both = await pull(
      {},
      "--auth",
      "kubernetes",
      "--header",
      "Authorization: Bearer abcdefgh",
    );
    expect([both.code, both.err]).toEqual([
      2,
      expect.stringContaining("exclude each other"),
    ]);
    const stdio = await run(
      ["pull", "--stdio", "node x.js", "--auth", "kubernetes"],
      withoutBrowser(place),
    );
    expect([stdio.code, stdio.err]).toEqual([
      2,
      expect.stringContaining("--auth requires --url"),
    ]);
  });
});

/** How the program gets a secret, which both servers repeat wherever they can. */
interface Given {
  readonly flags: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** What follows the URL of the server. */
  readonly query?: string;
  /** The secret, if the server got this token. */
  readonly secret: (token: string) => string;
}

describe("a secret that the program has for a server", () => {
  const { privateKey: key } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const ofPlatform = (): string => "jwt-of-the-platform";
  const origin = (): string => new URL(server.url).origin;
  const byMachine = (
    form: string,
    secret: Given["secret"],
    environment: Given["environment"] = {},
  ): Given => {
    const more = { MCPGEN_ISSUER: origin(), MCPGEN_CLIENT_ID: "robot" };
    const flags = ["--auth", form];
    return { flags, environment: { ...environment, ...more }, secret };
  };
  const byFile = (secret: Given["secret"]): Given => {
    writeFileSync(join(place, "token"), `${ofPlatform()}\n`);
    return byMachine("file:token", secret);
  };
  const byPerson = async (secret: Given["secret"]): Promise<Given> => {
    const named = ["--client-id", "ours", "--issuer", origin()];
    const login = await run(
      ["login", "--url", server.url, ...named, "--client-secret", "OUR_SECRET"],
      { ...withBrowser(place), OUR_SECRET: "s3cret-of-the-client" },
    );
    expect(login.code, login.err).toBe(0);
    return { flags: [], secret };
  };

  const rows: Readonly<Record<string, () => Given | Promise<Given>>> = {
    "the token of a workload in a file": () => byFile(ofPlatform),
    "the access token for a workload": () => byFile((token) => token),
    "the token of a job": () =>
      byMachine("github-actions", ofPlatform, {
        ACTIONS_ID_TOKEN_REQUEST_URL: `${origin()}/identity?v=1`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-token",
      }),
    "the secret of a client": () =>
      byMachine("client-credentials", () => "s3cret-of-the-robot", {
        MCPGEN_CLIENT_SECRET: "s3cret-of-the-robot",
      }),
    "the key of a client": () =>
      byMachine("client-credentials", () => key, { MCPGEN_CLIENT_KEY: key }),
    "the access token of a person": () => byPerson((token) => token),
    "the refresh token of a person": () =>
      byPerson(() => [...server.refreshable].join()),
    "the secret of the client of a person": () =>
      byPerson(() => "s3cret-of-the-client"),
    "a header": () => ({
      flags: ["--header", "Authorization: Bearer token-of-the-flag"],
      secret: () => "token-of-the-flag",
    }),
    "a part of the URL": () => ({
      flags: [],
      query: "?token=token-of-the-url",
      secret: () => "token-of-the-url",
    }),
  };
  it.each(Object.entries(rows))(
    "is hidden in all that a server repeats, and ends a pull: %s",
    async (_, given) => {
      const { flags, environment, query = "", secret } = await given();
      const at = server.url + query;
      const all = { ...withoutBrowser(place), ...environment };
      server.repeated = secret;
      const ran: Ended[] = [];
      const called = async (...words: readonly string[]): Promise<string> => {
        // A stored token is refreshed for each run.
        server.live.clear();
        for (const token of ["token-of-the-flag", ...(query ? [""] : [])])
          server.live.add(token);
        const ended = await run([...words, ...flags], all);
        ran.push(ended);
        return ended.out + ended.err;
      };

      expect(await called("pull", "--url", at, "-o", "x.mcp.json")).toContain(
        "MG737 the server repeats a secret",
      );
      expect(readdirSync(place)).not.toContain("x.mcp.json");
      expect(await called("call", at)).toContain("Use ….");
      expect(await called("call", at, "--json")).toContain("Use ….");
      expect(await called("call", at, "echo")).toMatch(/Use …\.[^]*MG737/);
      expect(await called("call", at, "echo", "fails:=true")).toContain(
        "Use …",
      );
      expect(await called("call", at, "other")).toContain("it offers ");
      server.refusal = "invalid_grant";
      await called("call", at);

      const written = ran.map(({ out, err }) => out + err).join("");
      // Of a token of one run, other runs print nothing either.
      expect(written).not.toMatch(/(access|refresh)-token-\d/);
      expect(written).not.toContain(secret("none"));
    },
  );
});
