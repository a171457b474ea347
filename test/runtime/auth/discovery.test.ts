import {
  type AuthEvent,
  clientCredentials,
  isAuthorizationError,
  memoryStore,
  oauth,
} from "@mcpgen/auth";
import { describe, expect, it } from "vitest";
import { failure, legacy, legacyRevisions, modern } from "../kit/index.js";
import {
  AuthorizationServer,
  json,
  ProtectedServer,
  setUp,
} from "./kit/index.js";

describe("the authorization server of an MCP server", () => {
  it("AUTH-05 is read from the URL in the challenge, and then no other URL is requested", async () => {
    const { world, server, connect } = setUp();
    world.document("https://mcp.example.com/about-me", server.metadata);
    server.challenge =
      'Bearer resource_metadata="https://mcp.example.com/about-me"';
    await (await connect()).listTools();
    expect(world.gets.filter((path) => path.startsWith("mcp."))).not.toContain(
      "mcp.example.com/.well-known/oauth-protected-resource/mcp",
    );
    expect(world.to("about-me")).toHaveLength(1);
  });

  it("AUTH-05 is looked up at the path of the server first", async () => {
    const { world, server, connect } = setUp();
    server.challenge = "Bearer";
    await connect();
    const root = "https://mcp.example.com/.well-known/oauth-protected-resource";
    expect(world.to(root).map(({ url }) => url.href)).toEqual([`${root}/mcp`]);
  });

  it("AUTH-05 is looked up at the root if the path of the server has no metadata", async () => {
    const root = "https://mcp.example.com/.well-known/oauth-protected-resource";
    const { world, server, connect } = setUp();
    server.challenge = "Bearer";
    world.routes.delete(`${root}/mcp`);
    world.document(root, server.metadata);
    await connect();
    expect(world.to(root).map(({ url }) => url.href)).toEqual([
      `${root}/mcp`,
      root,
    ]);
  });

  it.each([
    "https://evil.example.com/mcp",
    "https://mcp.example.com/mcp/other",
  ])(
    "AUTH-07 is not taken from metadata about another server, %s",
    async (resource) => {
      const { server, person, connect } = setUp();
      server.metadata["resource"] = resource;
      expect(await failure(connect())).toMatchObject({ reason: "resource" });
      expect(person.count).toBe(0);
    },
  );

  it.each([undefined, null, 7])(
    "AUTH-07 is not taken from JSON with the resource %j",
    async (resource) => {
      const { world, server, person, connect } = setUp();
      server.metadata["resource"] = resource;
      expect((await failure(connect())).name).toBe("AuthorizationError");
      expect(world.to("as.example.com")).toEqual([]);
      expect(person.count).toBe(0);
    },
  );

  it.each(["https://mcp.example.com", "https://mcp.example.com/"])(
    "AUTH-07 may be in metadata for %s, a parent path on the same origin",
    async (resource) => {
      const { server, person, connect } = setUp();
      server.metadata["resource"] = resource;
      await connect();
      expect(person.pageParams["resource"]).toBe(resource);
    },
  );

  it.each([
    [
      "https://as.example.com/tenant",
      [
        "/.well-known/oauth-authorization-server/tenant",
        "/.well-known/openid-configuration/tenant",
        "/tenant/.well-known/openid-configuration",
      ],
    ],
    [
      "https://as.example.com",
      [
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
      ],
    ],
  ])(
    "AUTH-08 has its metadata at the URLs that belong to its identifier %s: %j",
    async (issuer, paths) => {
      const { world, as, connect } = setUp({ issuer });
      world.routes.delete(`https://as.example.com${paths[0]}`);
      world.document(`https://as.example.com${paths.at(-1)}`, as.metadata);
      await connect();
      expect(
        world.gets.filter(
          (path) =>
            path.includes("as.example.com/") && path.includes("well-known"),
        ),
      ).toEqual(paths.map((path) => `as.example.com${path}`));
    },
  );

  it.each([
    [401, "no", "text/plain"],
    [403, "no", "text/plain"],
    [200, "<p>", "text/html"],
    [200, "[]", "application/json"],
  ])(
    "AUTH-08 is looked up at the next URL if one answers with status %i and %s as %s",
    async (status, text, type) => {
      const { world, as, connect } = setUp();
      const answer = new Response(text, {
        status,
        headers: { "content-type": type },
      });
      world.routes.set(
        "https://as.example.com/.well-known/oauth-authorization-server",
        () => answer,
      );
      world.document(
        "https://as.example.com/.well-known/openid-configuration",
        as.metadata,
      );
      await (await connect()).listTools();
    },
  );

  it.each([
    ["https://as.example.com", "https://AS.example.com"],
    ["https://as.example.com", "https://as.example.com//"],
    ["https://as.example.com/tenant", "https://as.example.com/tenant/"],
    ["https://as.example.com", "https://other.example.com"],
  ] as const)(
    "AUTH-09 is rejected if it is named as %s and its metadata says %s",
    async (named, issuer) => {
      const { as, server, person, connect } = setUp({
        revision: modern,
        issuer: named,
      });
      as.metadata["issuer"] = issuer;
      server.metadata["authorization_servers"] = [named];
      const error = await failure(connect());
      expect(error).toMatchObject({ reason: "issuer", issuer: named });
      // The line that accepts the other identifier is shown only within the
      // origin.
      expect(error.message.includes("issuers: {")).toBe(
        issuer !== "https://other.example.com",
      );
      expect(person.count).toBe(0);
    },
  );

  it.each([
    ["https://as.example.com/", "https://as.example.com"],
    ["https://as.example.com", "https://as.example.com/"],
  ])(
    "AUTH-09 may be named as %s if its metadata says %s, which is the same identifier, and counts from then on",
    async (named, published) => {
      const { as, server, person, options, connect } = setUp({
        revision: modern,
      });
      const store = memoryStore();
      as.metadata["issuer"] = published;
      as.metadata["token_endpoint_auth_methods_supported"] = [
        "client_secret_basic",
      ];
      server.metadata["authorization_servers"] = [named];
      const client = { id: "mine", secret: "s", issuer: named };
      await (await connect(oauth(options({ client, store })))).listTools();
      expect(person.pageParams["client_id"]).toBe("mine");
      const grant = await store.get(JSON.stringify(["grant", server.url, ""]));
      expect(grant).toMatchObject({ issuer: published });
      for (const issuer of [named, published]) {
        const login = clientCredentials({ id: "mine", secret: "s", issuer });
        await (
          await connect(oauth(options({ login, store: memoryStore() })))
        ).listTools();
      }
    },
  );

  it("AUTH-36 is not named in an answer with a slash that its metadata does not have", async () => {
    const { as, connect } = setUp({ revision: modern });
    as.metadata["authorization_response_iss_parameter_supported"] = true;
    as.answer = (params) => params.set("iss", "https://as.example.com/");
    expect(await failure(connect())).toMatchObject({ reason: "issuer" });
  });

  it("may have a second identifier that an option accepts, and no third one", async () => {
    const { as, world, options, connect } = setUp();
    as.metadata["issuer"] = "https://as.example.com/";
    const issuers = { "https://as.example.com": "https://as.example.com/" };
    await (await connect(oauth(options({ issuers })))).listTools();
    as.metadata["issuer"] = "https://third.example.com";
    expect(await failure(connect(oauth(options({ issuers }))))).toMatchObject({
      reason: "issuer",
    });
    expect(world.to("third.example.com")).toEqual([]);
  });

  const [issuer, slash] = ["https://as.example.com", "https://as.example.com/"];
  it.each([
    [issuer, issuer],
    [issuer, slash],
    [slash, issuer],
    [slash, slash],
  ])(
    "may be named %s by `client.issuer` if it publishes %s and an option accepts both",
    async (named, published) => {
      const { as, world, server, person, options, connect } = setUp();
      const other = new AuthorizationServer(world, "https://other.example.com");
      as.metadata["issuer"] = published;
      as.metadata["token_endpoint_auth_methods_supported"] = [
        "client_secret_basic",
      ];
      server.metadata["authorization_servers"] = [other.issuer, issuer];
      const issuers = { [issuer]: slash };
      const client = { id: "mine", secret: "s", issuer: named };
      await (await connect(oauth(options({ issuers, client })))).listTools();
      expect(person.pageParams["client_id"]).toBe("mine");
      await connect(
        oauth(options({ issuers, login: clientCredentials(client) })),
      );
      expect(world.to("other.example.com")).toEqual([]);
    },
  );

  it("AUTH-14 is chosen from several if this client is registered there, by either identifier that an option accepts", async () => {
    const { as, world, server, options, connect } = setUp();
    as.metadata["issuer"] = slash;
    const [store, issuers] = [memoryStore(), { [issuer]: slash }];
    await connect(oauth(options({ issuers, store, account: "ann" })));
    const other = new AuthorizationServer(world, "https://other.example.com");
    server.metadata["authorization_servers"] = [other.issuer, issuer];
    await connect(oauth(options({ issuers, store, account: "bob" })));
    expect(other.registrations).toEqual([]);
  });

  it("AUTH-10 AUTH-12 is the origin of a server without metadata, and the request has the header with the revision", async () => {
    const { world, as, connect } = setUp();
    world.routes.delete(
      "https://mcp.example.com/.well-known/oauth-protected-resource/mcp",
    );
    world.routes.set(
      "https://mcp.example.com/.well-known/oauth-authorization-server",
      () => json(as.metadata),
    );
    await (await connect()).listTools();
    const [request] = world.to(
      "mcp.example.com/.well-known/oauth-authorization-server",
    );
    expect(request?.headers.get("mcp-protocol-version")).toBe(legacy.revision);
    expect(world.to("as.example.com/.well-known")).toEqual([]);
  });

  it("AUTH-11 has the default paths at the origin of a server without any metadata", async () => {
    const { world, server, person, connect } = setUp();
    world.routes.clear();
    const origin = "https://mcp.example.com";
    const own = new AuthorizationServer(world, origin);
    world.routes.delete(`${origin}/.well-known/oauth-authorization-server`);
    const old = new ProtectedServer(world, own);
    world.routes.delete(`${origin}/.well-known/oauth-protected-resource/mcp`);
    server.as = own;
    await (await connect()).listTools();
    expect(old.url).toBe(server.url);
    expect(
      world
        .to(origin)
        .filter(({ url }) =>
          /^\/(register|authorize|token)$/.test(url.pathname),
        ),
    ).toHaveLength(3);
    // Servers of that revision do not know the parameter.
    expect(person.pageParams).not.toHaveProperty("resource");
  });

  it("AUTH-12 is not the origin if reading the metadata fails with a server error", async () => {
    const { world, connect } = setUp();
    let count = 0;
    world.routes.set(
      "https://mcp.example.com/.well-known/oauth-protected-resource/mcp",
      () => {
        count++;
        return new Response("down", { status: 503 });
      },
    );
    const error = await failure(connect());
    expect(error).toMatchObject({
      name: "AuthorizationError",
      reason: "network",
      isRetryable: true,
    });
    expect(isAuthorizationError(error)).toBe(true);
    // One retry.
    expect(count).toBe(2);
    expect(world.to("/register")).toEqual([]);
  });

  it("AUTH-14 stays the same if the server names several, and this client is registered at one", async () => {
    const { world, as, server, options, connect } = setUp();
    const other = new AuthorizationServer(world, "https://other.example.com");
    const auth = oauth(options());
    await (await connect(auth)).listTools();
    server.metadata["authorization_servers"] = [other.issuer, as.issuer];
    as.live.clear();
    as.refreshable.clear();
    await (await connect(auth)).listTools();
    expect(other.registrations).toEqual([]);
  });

  it("AUTH-14 is chosen from several by the option chooseIssuer", async () => {
    const { world, as, server, options, connect } = setUp();
    const other = new AuthorizationServer(world, "https://other.example.com");
    server.metadata["authorization_servers"] = [as.issuer, other.issuer];
    server.as = other;
    const auth = oauth(options({ chooseIssuer: () => other.issuer }));
    await (await connect(auth)).listTools();
    expect([as.registrations.length, other.registrations.length]).toEqual([
      0, 1,
    ]);
  });

  it.each([null, "", "not a URL", "javascript:alert(1)", 7])(
    "may have %j as an endpoint that is not used",
    async (value) => {
      const unused = [
        "registration_endpoint",
        "revocation_endpoint",
        "device_authorization_endpoint",
      ];
      const { as, options, connect } = setUp();
      for (const name of unused) as.metadata[name] = value;
      await (
        await connect(oauth(options({ client: { id: "mine" } })))
      ).listTools();
    },
  );

  it.each([
    [
      "token_endpoint",
      null,
      "The authorization server https://as.example.com of mcp.example.com has no token endpoint.",
    ],
    ["token_endpoint", "", "has no token endpoint"],
    [
      "token_endpoint",
      "javascript:alert(1)",
      'mcp.example.com names "javascript:alert(1)" as the token_endpoint of its authorization server, which is not used: it must be an https URL, or an http URL of this machine.',
    ],
    [
      "authorization_endpoint",
      null,
      "The authorization server https://as.example.com of mcp.example.com has no authorization endpoint: use a grant that needs no person, such as clientCredentials.",
    ],
    ["authorization_endpoint", "javascript:alert(1)", "its page to sign in"],
    ["registration_endpoint", null, "not registered"],
    ["registration_endpoint", "not a URL", "it is not a URL"],
  ])(
    "AUTH-13 is refused before a person signs in if its %s is %j",
    async (name, value, text) => {
      const { as, person, connect } = setUp();
      as.metadata[name] = value;
      const error = await failure(connect());
      expect(error.name).toBe("AuthorizationError");
      expect(error.message).toContain(text);
      expect(person.count).toBe(0);
    },
  );

  it("AUTH-13 is not asked to revoke a token if its revocation_endpoint is not a safe URL", async () => {
    const { as, options, connect, server } = setUp();
    as.metadata["revocation_endpoint"] = "javascript:alert(1)";
    const auth = oauth(options());
    await connect(auth);
    const why =
      'mcp.example.com names "javascript:alert(1)" as the revocation_endpoint of its authorization server, which is not used: it must be an https URL, or an http URL of this machine.';
    await expect(auth.logout(server.url)).rejects.toMatchObject({
      reason: "unsafe-url",
      message: `${why} ${why} Remove this client from the account there, or wait until the token expires.`,
    });
  });

  it.each([{}, { error: "not found" }, { resource: null, issuer: null }])(
    "AUTH-05 AUTH-08 is read at the next address if one has %j, without `resource` or `issuer`",
    async (wrong) => {
      const { world, as, server, connect } = setUp();
      server.challenge = "Bearer";
      const root =
        "https://mcp.example.com/.well-known/oauth-protected-resource";
      world.document(`${root}/mcp`, wrong);
      world.document(root, server.metadata);
      world.document(
        "https://as.example.com/.well-known/oauth-authorization-server",
        wrong,
      );
      world.document(
        "https://as.example.com/.well-known/openid-configuration",
        as.metadata,
      );
      await (await connect()).listTools();
      world.document(
        "https://as.example.com/.well-known/openid-configuration",
        wrong,
      );
      const { message } = await failure(connect());
      expect(message).toContain("publishes no metadata");
      expect(message).not.toContain("nothing");
    },
  );

  /**
   * The option that vouches for PKCE, and the line of an error that names it.
   */
  const exact = { [issuer]: { pkce: "S256" } } as const;
  const line = `If the documentation of its provider promises PKCE with S256, add issuers: { "${issuer}": { pkce: "S256" } }.`;
  it.each([
    [undefined, "the option that accepts it"],
    [null, "the option that accepts it"],
    [[], "no option"],
    [["plain"], "no option"],
    ["S256", "no option"],
  ])(
    "AUTH-31 is refused if its methods of PKCE are %j, with an error that names %s",
    async (methods, what) => {
      const { as, person, connect } = setUp();
      as.metadata["code_challenge_methods_supported"] = methods;
      const error = await failure(connect());
      expect(error).toMatchObject({ reason: "metadata" });
      expect(error.message).toContain("code_challenge_methods_supported");
      expect(error.message).toContain(
        'code_challenge_methods_supported`, which the specification forbids clients to accept ("Authorization Code Protection"): without PKCE, a stolen code can be used. ',
      );
      expect(error.message.includes(line)).toBe(what !== "no option");
      expect(person.count).toBe(0);
    },
  );

  it.each([undefined, null])(
    "AUTH-31 is used if its methods of PKCE are %j and an option says that it has S256, which an event tells",
    async (methods) => {
      const { as, person, options, connect } = setUp({ revision: modern });
      as.metadata["code_challenge_methods_supported"] = methods;
      const steps: string[] = [];
      const onEvent = ({ step, issuer }: AuthEvent) =>
        steps.push(`${step} ${issuer}`);
      await (
        await connect(oauth(options({ issuers: exact, onEvent })))
      ).listTools();
      expect(person.pageParams).toMatchObject({
        code_challenge_method: "S256",
        state: expect.any(String),
      });
      expect(steps).toContain("assume-pkce https://as.example.com");
    },
  );

  it.each([
    [["plain"], exact],
    [[], exact],
    ["S256", exact],
    [undefined, { [`${issuer}/x`]: { pkce: "S256" } }],
    [undefined, { [issuer]: {} }],
  ] as const)(
    "AUTH-31 is refused if its methods of PKCE are %j and the option is %j",
    async (methods, issuers) => {
      const { as, options, connect } = setUp();
      as.metadata["code_challenge_methods_supported"] = methods;
      expect(await failure(connect(oauth(options({ issuers }))))).toMatchObject(
        { reason: "metadata" },
      );
    },
  );

  it("AUTH-31 has no event about an option that it does not need", async () => {
    const { options, connect } = setUp();
    const steps: string[] = [];
    await connect(
      oauth(
        options({ issuers: exact, onEvent: ({ step }) => steps.push(step) }),
      ),
    );
    expect(steps).not.toContain("assume-pkce");
  });

  const revisionOf = new Map(legacyRevisions.map((one) => [one.revision, one]));
  it.each(
    [...revisionOf.keys()].flatMap((name) => [
      [name, undefined, name < "2025-11-25" ? "used" : "refused"] as const,
      [name, ["plain"], "refused"] as const,
    ]),
  )(
    "AUTH-31 that serves %s with the methods of PKCE %j is %s",
    async (name, methods, outcome) => {
      const { as, person, connect } = setUp({
        revision: revisionOf.get(name) ?? legacy,
      });
      as.metadata["code_challenge_methods_supported"] = methods;
      if (outcome === "refused")
        expect(await failure(connect())).toMatchObject({ reason: "metadata" });
      else {
        await connect();
        expect(person.pageParams["code_challenge_method"]).toBe("S256");
      }
    },
  );
});

describe("what a person knows about an authorization server", () => {
  const issuer = "https://as.example.com";

  describe("with parameters in its options", () => {
    const params = {
      audience: "api://x",
      access_type: "offline",
      state: "mine",
      code_challenge: "mine",
      client_id: "x",
    };
    const issuers = {
      [issuer]: { params },
      "https://other.example.com": { params: { audience: "other" } },
    };
    const client = { id: "mine", secret: "s", issuer };

    const scene = () => {
      const setup = setUp();
      setup.as.metadata["token_endpoint_auth_methods_supported"] = [
        "client_secret_post",
      ];
      return setup;
    };

    it("gets them with a sign-in, but none that replaces what protects it", async () => {
      const { world, person, options, connect } = scene();
      await connect(oauth(options({ issuers, client })));
      expect(person.pageParams).toMatchObject({
        audience: "api://x",
        access_type: "offline",
        client_id: "mine",
      });
      expect(person.pageParams["state"]).not.toBe("mine");
      expect(person.pageParams["code_challenge"]).not.toBe("mine");
      expect(world.to("/token")[0]?.form).not.toHaveProperty("audience");
    });

    it("gets them with a request for a token without a person", async () => {
      const { world, options, connect } = scene();
      await connect(
        oauth(options({ issuers, login: clientCredentials(client) })),
      );
      expect(world.to("/token")[0]?.form).toMatchObject({
        grant_type: "client_credentials",
        audience: "api://x",
        client_id: "mine",
      });
    });
  });

  it.each(["api://mcp", false] as const)(
    "replaces the resource for this server by %j, which may leave it out",
    async (resource) => {
      const { world, as, person, options, connect } = setUp();
      const auth = oauth(
        options({
          issuers: { [issuer]: { resource } },
          resource: "api://general",
        }),
      );
      await connect(auth);
      as.live.clear();
      await (await connect(auth)).listTools();
      const want = resource === false ? undefined : resource;
      expect(person.pageParams["resource"]).toBe(want);
      expect(world.to("/token").map(({ form }) => form["resource"])).toEqual([
        want,
        want,
      ]);
    },
  );

  const endpoints = {
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
  };
  const facts = { endpoints, pkce: "S256" } as const;
  it.each([
    [
      "names the endpoints of one without metadata",
      false,
      { [issuer]: facts },
      true,
    ],
    ["replaces the endpoints in its metadata", true, { [issuer]: facts }, true],
    [
      "is not enough without metadata and without PKCE",
      false,
      { [issuer]: { endpoints } },
      false,
    ],
    [
      "is not about another one",
      false,
      { "https://other.example.com": facts },
      false,
    ],
  ] as const)("%s", async (_, isPublished, issuers, isEnough) => {
    const { world, as, options, connect } = setUp();
    as.metadata["token_endpoint"] = `${issuer}/wrong`;
    if (!isPublished)
      world.routes.delete(`${issuer}/.well-known/oauth-authorization-server`);
    const opened = connect(oauth(options({ issuers })));
    if (isEnough) await (await opened).listTools();
    else expect(await failure(opened)).toMatchObject({ reason: "metadata" });
    expect(world.to("/wrong")).toEqual([]);
  });

  it("cannot name an endpoint that is not a safe URL", async () => {
    const { options, connect } = setUp();
    const unsafe = {
      [issuer]: {
        endpoints: { token_endpoint: "http://169.254.169.254/token" },
      },
    };
    expect(
      await failure(connect(oauth(options({ issuers: unsafe })))),
    ).toMatchObject({
      reason: "unsafe-url",
    });
  });

  it("may be the other identifier of a renamed server together with facts about it", async () => {
    const { as, person, options, connect } = setUp();
    as.metadata["issuer"] = `${issuer}/`;
    as.metadata["code_challenge_methods_supported"] = undefined;
    const facts = {
      issuer: `${issuer}/`,
      pkce: "S256",
      params: { audience: "api://x" },
    } as const;
    await (
      await connect(oauth(options({ issuers: { [issuer]: facts } })))
    ).listTools();
    expect(person.pageParams["audience"]).toBe("api://x");
  });
});
