import {
  type AuthEvent,
  isAuthorizationError,
  memoryStore,
  type OAuth,
  oauth,
  type Redirect,
} from "@mcpgen/auth";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type AnyClient, failure, modern } from "../kit/index.js";
import { type Setup, setUp } from "./kit/index.js";

describe("the sign-in of a person", () => {
  const signedInTwice = async () => {
    const { world, as, person, options, connect } = setUp();
    const auth = oauth(options());
    for (let round = 0; round < 2; round++) {
      as.live.clear();
      as.refreshable.clear();
      await (await connect(auth)).listTools();
    }
    return {
      world,
      pages: person.pages.map(({ searchParams }) =>
        Object.fromEntries(searchParams),
      ),
    };
  };

  it("AUTH-30 AUTH-34 is bound to this client by a challenge and by a state that are new each time", async () => {
    const [first, second] = (await signedInTwice()).pages;
    expect(first).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      client_id: "client-1",
    });
    expect(first?.["state"]).not.toBe(second?.["state"]);
    expect(first?.["code_challenge"]).not.toBe(second?.["code_challenge"]);
  });

  it("AUTH-30 has the challenge of the verifier that is sent to the token endpoint", async () => {
    const { world, pages } = await signedInTwice();
    const token = world.to("as.example.com/token").at(-1);
    const hash = createHash("sha256")
      .update(String(token?.form["code_verifier"]))
      .digest("base64url");
    expect(hash).toBe(pages[1]?.["code_challenge"]);
  });

  it.each([
    "https://mcp.example.com",
    "https://mcp.example.com/mcp",
    "https://MCP.example.com/mcp",
  ])(
    "AUTH-32 AUTH-33 sends the resource exactly as the server's metadata writes it, with each request for a token: %s",
    async (resource) => {
      const { world, as, server, person, options, connect } = setUp();
      server.metadata["resource"] = resource;
      const auth = oauth(options());
      await connect(auth);
      as.live.clear();
      await (await connect(auth)).listTools();
      expect(person.pageParams["resource"]).toBe(resource);
      const forms = world
        .to("as.example.com/token")
        .map(({ form }) => [form["grant_type"], form["resource"]]);
      expect(forms).toEqual([
        ["authorization_code", resource],
        ["refresh_token", resource],
      ]);
    },
  );

  it.each([
    [false, []],
    ["api://mcp", ["api://mcp"]],
  ] as const)(
    "AUTH-32 sends, in each request, the resource that the option names: %j",
    async (resource, sent) => {
      const { world, as, person, options, connect } = setUp();
      const client = await connect(oauth(options({ resource })));
      as.live.clear();
      await client.listTools();
      const requests = [
        person.pages.at(-1)?.searchParams,
        ...world.to("/token").map(({ body }) => new URLSearchParams(body)),
      ];
      expect(requests.map((params) => params?.getAll("resource"))).toEqual([
        sent,
        sent,
        sent,
      ]);
    },
  );

  it.each(["another state", "no state"])(
    "AUTH-34 fails if the response has %s",
    async (what) => {
      const { world, as, connect } = setUp();
      as.answer = (params) =>
        what === "no state"
          ? params.delete("state")
          : params.set("state", "other");
      expect(await failure(connect())).toMatchObject({ reason: "issuer" });
      expect(world.to("as.example.com/token")).toEqual([]);
    },
  );

  const issuer = "https://as.example.com";
  it.each([
    [true, issuer, "succeeds"],
    [undefined, issuer, "succeeds"],
    [undefined, undefined, "succeeds"],
    [true, undefined, "fails"],
    [true, `${issuer}/`, "fails"],
    [undefined, "https://evil.example.com", "fails"],
  ])(
    "AUTH-35 AUTH-36 with `iss` supported: %s, and the issuer %s in the response: %s",
    async (isAdvertised, iss, outcome) => {
      const { world, as, connect } = setUp({ revision: modern });
      as.metadata["authorization_response_iss_parameter_supported"] =
        isAdvertised;
      as.answer = (params) => iss !== undefined && params.set("iss", iss);
      const opened = connect();
      if (outcome === "succeeds") await opened;
      else expect(await failure(opened)).toMatchObject({ reason: "issuer" });
      expect(world.to("as.example.com/token")).toHaveLength(
        outcome === "succeeds" ? 1 : 0,
      );
    },
  );

  it.each<[string, (params: URLSearchParams) => void]>([
    ["no code", (params) => params.delete("code")],
    ["no code in", (params) => params.set("code", "")],
    ["several codes", (params) => params.append("code", "code-of-mallory")],
  ])(
    "AUTH-35 sends nothing to the token endpoint if the response has %s it",
    async (found, change) => {
      const { world, as, connect } = setUp();
      as.answer = change;
      const error = await failure(connect());
      expect(error).toMatchObject({
        name: "AuthorizationError",
        reason: "grant",
      });
      expect(error.message).toContain(`it has ${found}`);
      expect(error.message).not.toContain("mallory");
      expect(world.to("as.example.com/token")).toEqual([]);
    },
  );

  it.each([
    ["https://as.example.com/tenant", true],
    ["https://evil.example.com", false],
    ["http://as.example.com", false],
    ["as.example.com", false],
  ])(
    "AUTH-36 shows the option that accepts another issuer only for an issuer of the same origin: %s",
    async (iss, isShown) => {
      const { as, connect } = setUp();
      as.answer = (params) => params.set("iss", iss);
      const { message } = await failure(connect());
      expect(message).toContain(JSON.stringify(iss));
      expect(message.includes("issuers: {")).toBe(isShown);
      expect(message.includes("Its operator must correct it")).toBe(!isShown);
    },
  );

  it("AUTH-34 suggests no issuer in the error for a response with another state", async () => {
    const { as, connect } = setUp();
    as.answer = (params) => {
      params.set("iss", "https://evil.example.com");
      params.set("state", "other");
    };
    expect((await failure(connect())).message).not.toContain("evil");
  });

  it("AUTH-36 does not show the error text of a response from another issuer", async () => {
    const { as, connect } = setUp();
    as.answer = (params) => {
      params.delete("code");
      params.set("error", "access_denied");
      params.set("error_description", "call this number");
      params.set("iss", "https://evil.example.com");
    };
    const error = await failure(connect());
    expect(error).toMatchObject({ reason: "issuer" });
    expect(error.message).not.toContain("number");
  });

  it.each([issuer, `${issuer}/`])(
    "accepts the issuer %s in the response if the metadata has a slash that an option names",
    async (iss) => {
      const { as, options, connect } = setUp();
      as.metadata["issuer"] = `${issuer}/`;
      as.answer = (params) => params.set("iss", iss);
      await (
        await connect(oauth(options({ issuers: { [issuer]: `${issuer}/` } })))
      ).listTools();
    },
  );

  it("accepts a second issuer in the response if an option names it", async () => {
    const { as, options, connect } = setUp();
    as.answer = (params) => params.set("iss", "https://tenant.example.com");
    const issuers = { "https://as.example.com": "https://tenant.example.com" };
    await (await connect(oauth(options({ issuers })))).listTools();
    expect(await failure(connect(oauth(options())))).toMatchObject({
      reason: "issuer",
    });
  });

  it.each([
    "http://localhost:1/x",
    "http://[::1]:1/x",
    "https://app.example.com/x",
    "com.example.app:/x",
  ])(
    "AUTH-37 accepts the redirect URI %s, on this machine, with https, or with a scheme of the application",
    async (uri) => {
      const { person, connect } = setUp();
      person.uri = uri;
      await connect();
      expect(person.pageParams["redirect_uri"]).toBe(uri);
    },
  );

  it.each(["http://app.example.com/x", "javascript:alert(1)", "nowhere"])(
    "AUTH-37 refuses the redirect URI %s before it registers a client",
    async (uri) => {
      const { as, person, connect } = setUp();
      person.uri = uri;
      expect(await failure(connect())).toMatchObject({ reason: "unsafe-url" });
      expect(as.registrations).toEqual([]);
    },
  );

  it.each([
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,x",
    "vbscript:x",
    "http://as.example.com/",
    "x",
  ])("AUTH-39 does not open the page %s", async (page) => {
    const { as, person, connect } = setUp();
    as.metadata["authorization_endpoint"] = page;
    expect(await failure(connect())).toMatchObject({ reason: "unsafe-url" });
    expect(person.count).toBe(0);
  });

  it("AUTH-66 passes the page to the opener as one escaped URL, for any characters", async () => {
    const { as, person, connect } = setUp();
    as.metadata["authorization_endpoint"] =
      "https://as.example.com/authorize?a=%22;$(id)%20%26&b=`x`";
    await connect();
    const [page] = person.pages;
    expect(page?.searchParams.get("a")).toBe('";$(id) &');
    // It contains no character with a meaning in a shell.
    expect(page?.href).toMatch(/^[\w:/?&=.%+*-]+$/);
  });

  it("fails with the error of the authorization server if the person refuses", async () => {
    const { as, connect } = setUp();
    as.answer = (params) => {
      params.delete("code");
      params.set("error", "access_denied");
      params.set("error_description", "not today");
    };
    const error = await failure(connect());
    expect(error).toMatchObject({
      reason: "denied",
      code: "access_denied",
      server: "https://mcp.example.com/mcp",
    });
    expect(error.message).toContain("not today");
  });

  it("fails after loginTimeout, and the next one registers the client again, because its id may be wrong", async () => {
    const { as, options, connect } = setUp();
    let closed = 0;
    const redirect: Redirect = {
      uri: "http://127.0.0.1:1/x",
      open: () => {},
      answer: new Promise(() => {}),
      close: () => void closed++,
    };
    const auth = oauth(
      options({ login: { redirectUri: () => redirect }, loginTimeout: 20 }),
    );
    for (let round = 1; round <= 2; round++) {
      expect(await failure(connect(auth))).toMatchObject({ reason: "timeout" });
      expect(as.registrations).toHaveLength(round);
      expect(closed).toBe(round);
    }
  });

  it("fails without a login, with an error that names the authorization server", async () => {
    const { world, as, connect } = setUp();
    const error = await failure(connect(oauth({ fetch: world.fetch })));
    expect(isAuthorizationError(error)).toBe(true);
    expect(error).toMatchObject({
      reason: "login-required",
      issuer: as.issuer,
      status: 401,
      isRetryable: false,
    });
    expect(world.to("/register")).toEqual([]);
  });

  /** The events of a sign-in, and of what happens after it. */
  const eventsOf = async (
    after: (setup: Setup, client: AnyClient, auth: OAuth) => unknown,
  ) => {
    const setup = setUp();
    const events: AuthEvent[] = [];
    const auth = oauth(
      setup.options({ onEvent: (event) => events.push(event) }),
    );
    const client = await setup.connect(auth);
    await after(setup, client, auth);
    return { world: setup.world, events };
  };
  const logOut = ({ server }: Setup, _: AnyClient, auth: OAuth) =>
    auth.logout(server.url);

  it.each<[string, string[], Parameters<typeof eventsOf>[0]]>([
    ["a call", [], (_, client) => client.listTools()],
    [
      "a token that is rejected",
      ["discover", "refresh"],
      ({ as }, client) => {
        as.live.clear();
        return client.listTools();
      },
    ],
    [
      "a refresh token that is rejected, too",
      ["discover", "refresh", "sign-in", "token"],
      ({ as }, client) => {
        as.live.clear();
        as.refreshable.clear();
        return client.listTools();
      },
    ],
    ["a logout", ["revoke"], logOut],
  ])(
    "reports each step to onEvent, with the server and the issuer: then %s adds %j",
    async (_, added, after) => {
      const { events } = await eventsOf(after);
      expect(events.map(({ step }) => step)).toEqual([
        "discover",
        "register",
        "sign-in",
        "token",
        ...added,
      ]);
      for (const { step, server, issuer: named } of events)
        expect([server, named]).toEqual([
          "https://mcp.example.com/mcp",
          step === "discover" ? undefined : issuer,
        ]);
    },
  );

  it("reports no secret to onEvent", async () => {
    const { world, events } = await eventsOf(logOut);
    const secrets = [
      "access-",
      "refresh-",
      "code-",
      String(world.to("/token")[0]?.form["code_verifier"]),
    ];
    expect(
      secrets.filter((secret) => JSON.stringify(events).includes(secret)),
    ).toEqual([]);
  });

  it("signs in once, although several processes need a token from one store", async () => {
    const { person, options, connect } = setUp();
    const store = memoryStore();
    const clients = await Promise.all(
      Array.from({ length: 5 }, () => connect(oauth(options({ store })))),
    );
    await Promise.all(clients.map((client) => client.listTools()));
    expect(person.count).toBe(1);
  });
});
