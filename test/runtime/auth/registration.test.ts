import {
  clientCredentials,
  memoryStore,
  oauth,
  type TokenStore,
} from "@mcpgen/auth";
import { describe, expect, it } from "vitest";
import { failure } from "../kit/index.js";
import { AuthorizationServer, json, refused, setUp } from "./kit/index.js";

const metadataUrl = "https://app.example.com/client.json";

describe("the client id", () => {
  it.each([
    [
      "mine",
      {
        id: "mine",
        secret: "s",
        issuer: "https://as.example.com",
        metadataUrl,
      },
    ],
    [metadataUrl, { metadataUrl }],
    ["client-1", {}],
  ])("AUTH-20 AUTH-29 is %s with the option client: %j", async (id, client) => {
    const { as, person, options, connect } = setUp();
    as.metadata["client_id_metadata_document_supported"] = true;
    as.metadata["token_endpoint_auth_methods_supported"] = [
      "none",
      "client_secret_basic",
    ];
    await (await connect(oauth(options({ client })))).listTools();
    expect(person.pageParams["client_id"]).toBe(id);
    expect(as.registrations).toHaveLength(id === "client-1" ? 1 : 0);
  });

  /**
   * Why no client is registered, the option client, and whether there is an
   * endpoint.
   */
  const unregistered = [
    ["if there is no registration endpoint", {}, false],
    ["with the option dynamic: false", { dynamic: false }, true],
  ] as const;
  it.each(unregistered)(
    "AUTH-20 must be configured %s, and the error names the option",
    async (_, client, hasEndpoint) => {
      const { as, person, options, connect } = setUp();
      if (!hasEndpoint) delete as.metadata["registration_endpoint"];
      const error = await failure(connect(oauth(options({ client }))));
      expect(error).toMatchObject({ reason: "registration" });
      expect(error.message).toContain("client.id");
      expect(person.count).toBe(0);
    },
  );

  it.each([
    ["client.json", "an https URL with a path"],
    ["http://app.example.com/client.json", "an https URL with a path"],
    ["https:app.example.com/client.json", "an https URL with a path"],
    ["https://app.example.com", "an https URL with a path"],
    ["https://app.example.com/", "an https URL with a path"],
    ["https://app.example.com?client.json", "an https URL with a path"],
    ["https:///client.json", "an https URL with a path"],
    ["https://app.example.com:x/client.json", "an https URL with a path"],
    ["https://app.example.com/client.json#a", "a fragment"],
    ["https://app.example.com/client.json#", "a fragment"],
    ["https://ada@app.example.com/client.json", "a user name or a password"],
    ["https://:x@app.example.com/client.json", "a user name or a password"],
    ["https://@app.example.com/client.json", "a user name or a password"],
    ["https://app.example.com/a/../client.json", 'a segment "." or ".."'],
    ["https://app.example.com/./client.json", 'a segment "." or ".."'],
    ["https://app.example.com/a/%2E./client.json", 'a segment "." or ".."'],
    ["https://app.example.com/a/..?b", 'a segment "." or ".."'],
    ["https://app.example.com/a\\..\\client.json", "a blank or a backslash"],
    [" https://app.example.com/client.json", "a blank or a backslash"],
    ["https://app.example.com/client\n.json", "a blank or a backslash"],
  ])(
    "AUTH-21 cannot be %j as a metadata document: the error says %s, before anything is sent",
    (url, rule) => {
      const { options } = setUp();
      const declare = (): unknown =>
        oauth(options({ client: { metadataUrl: url } }));
      expect(declare).toThrow(TypeError);
      expect(declare).toThrow(`client.metadataUrl: expected`);
      expect(declare).toThrow(rule);
    },
  );

  it.each([
    "https://app.example.com/client.json?a=/../b@c",
    "https://app.example.com:8443/a..b/.well-known/client",
    "HTTPS://App.Example.com/@/client.json",
  ])("AUTH-21 is %s, exactly as it is written", async (url) => {
    const { as, person, options, connect } = setUp();
    as.metadata["client_id_metadata_document_supported"] = true;
    const auth = oauth(options({ client: { metadataUrl: url } }));
    await (await connect(auth)).listTools();
    expect(person.pageParams["client_id"]).toBe(url);
  });

  it.each(["invalid_client", "unauthorized_client", "invalid_client_metadata"])(
    "AUTH-21 comes from a registration if the authorization server answers %s to the metadata document",
    async (code) => {
      const { as, person, options, connect } = setUp();
      as.metadata["client_id_metadata_document_supported"] = true;
      as.answer = (params) => {
        if (person.pageParams["client_id"] !== metadataUrl) return;
        params.delete("code");
        params.set("error", code);
      };
      const auth = oauth(options({ client: { metadataUrl } }));
      await (await connect(auth)).listTools();
      expect(
        person.pages.map((page) => page.searchParams.get("client_id")),
      ).toEqual([metadataUrl, "client-1"]);
      as.live.clear();
      as.refreshable.clear();
      await (await connect(auth)).listTools();
      expect(person.pageParams["client_id"]).toBe("client-1");
    },
  );

  it.each(unregistered)(
    "AUTH-21 must be configured %s if the metadata document is refused, and the error says so",
    async (_, registration, hasEndpoint) => {
      const { as, person, options, connect } = setUp();
      as.metadata["client_id_metadata_document_supported"] = true;
      if (!hasEndpoint) delete as.metadata["registration_endpoint"];
      as.answer = (params) => {
        params.delete("code");
        params.set("error", "invalid_client");
      };
      const client = { metadataUrl, ...registration };
      const error = await failure(connect(oauth(options({ client }))));
      expect(error).toMatchObject({ reason: "registration" });
      expect(error.message).toContain(
        `refused the metadata document ${metadataUrl}`,
      );
      expect(error.message).toContain("client.id");
      expect(person.count).toBe(1);
    },
  );

  it("AUTH-21 comes from a registration at the next sign-in if a page of the authorization server gave no answer", async () => {
    const { world, as, person, options, connect } = setUp();
    as.metadata["client_id_metadata_document_supported"] = true;
    const authorize = world.routes.get("https://as.example.com/authorize");
    world.routes.set("https://as.example.com/authorize", (seen, init) =>
      seen.url.searchParams.get("client_id") === metadataUrl
        ? new Response("unknown client", { status: 400 })
        : (authorize as NonNullable<typeof authorize>)(seen, init),
    );
    const auth = oauth(options({ client: { metadataUrl }, loginTimeout: 20 }));
    expect(await failure(connect(auth))).toMatchObject({ reason: "timeout" });
    await (await connect(auth)).listTools();
    expect(person.pageParams["client_id"]).toBe("client-1");
  });

  it("is registered with the scope that is requested then, without which some servers register a default", async () => {
    const { as, person, options, connect } = setUp();
    as.answer = (params) => {
      if (as.registrations.at(-1)?.["scope"] === person.pageParams["scope"])
        return;
      params.delete("code");
      params.set("error", "invalid_scope");
    };
    const scopes = ["mcp", "files"];
    await (await connect(oauth(options({ scopes })))).listTools();
    expect(as.registrations.map(({ scope }) => scope)).toEqual(["mcp files"]);
    expect(person.count).toBe(1);
  });

  it("is registered for all scopes that the authorization server publishes, so that it stays the same client when it signs in for more", async () => {
    const { as, options, connect } = setUp();
    as.metadata["scopes_supported"] = ["mcp", "mail"];
    await (await connect(oauth(options({ scopes: ["files"] })))).listTools();
    expect(as.registrations.map(({ scope }) => scope)).toEqual([
      "files mcp mail",
    ]);
  });

  it("is registered once more without a scope if the server refuses the metadata", async () => {
    const { world, as, options, connect } = setUp();
    const url = "https://as.example.com/register";
    const register = world.routes.get(url);
    const bodies: Record<string, unknown>[] = [];
    world.routes.set(url, (seen, init) => {
      const body = JSON.parse(seen.body) as Record<string, unknown>;
      bodies.push(body);
      return "scope" in body
        ? json({ error: "invalid_client_metadata" }, 400)
        : (register as NonNullable<typeof register>)(seen, init);
    });
    await (await connect(oauth(options({ scopes: ["mcp"] })))).listTools();
    expect(bodies.map(({ scope }) => scope)).toEqual(["mcp", undefined]);
    expect(as.registrations).toHaveLength(1);
  });

  it("is registered anew after the server has refused the scopes of a sign-in, and the error names the options", async () => {
    const { as, person, options, connect } = setUp();
    as.answer = (params) => {
      if (as.registrations.length > 1) return;
      params.delete("code");
      params.set("error", "invalid_scope");
    };
    const auth = oauth(options({ scopes: ["mcp"] }));
    const error = await failure(connect(auth));
    expect(error).toMatchObject({ reason: "scope", code: "invalid_scope" });
    expect(error.message).toContain("Set `scopes` to those that it accepts");
    expect(error.message).toContain("`offline: false`");
    await (await connect(auth)).listTools();
    expect([person.count, as.registrations.length]).toEqual([2, 2]);
  });

  it("AUTH-23 AUTH-24 AUTH-28 is registered with the required metadata of the client", async () => {
    const { as, options, connect } = setUp();
    await connect(oauth(options({ client: { name: "caller" } })));
    expect(as.registrations).toEqual([
      {
        client_name: "caller",
        redirect_uris: ["http://127.0.0.1:33418/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        application_type: "native",
      },
    ]);
  });

  it("AUTH-23 is registered as a web application if the redirect URI is on another machine", async () => {
    const { as, person, connect } = setUp();
    person.uri = "https://app.example.com/callback";
    await connect();
    expect(as.registrations).toMatchObject([{ application_type: "web" }]);
  });

  it.each([
    [
      ["authorization_code", "refresh_token"],
      ["authorization_code", "refresh_token"],
    ],
    [["authorization_code"], ["authorization_code"]],
  ])(
    "AUTH-28 with the published grants %j is registered for %j",
    async (supported, grantTypes) => {
      const { as, connect } = setUp();
      as.metadata["grant_types_supported"] = supported;
      await connect();
      expect(as.registrations).toMatchObject([{ grant_types: grantTypes }]);
    },
  );

  it("AUTH-25 cannot be registered if the redirect URI is rejected, and the error contains the server's description", async () => {
    const { world, person, connect } = setUp();
    const answer = {
      error: "invalid_redirect_uri",
      error_description: "no loopback\u001b[2J here",
    };
    world.routes.set("https://as.example.com/register", () =>
      json(answer, 400),
    );
    const error = await failure(connect());
    expect(error).toMatchObject({
      reason: "registration",
      code: "invalid_redirect_uri",
    });
    expect(error.message).toContain("no loopback");
    expect(error.message).toContain("http://127.0.0.1:33418/callback");
    expect(error.message).not.toContain("\u001b");
    expect(person.count).toBe(0);
  });

  it.each([
    [{ error: "wrong", error_description: "no room" }, ["wrong", "no room"]],
    [{ error: "wrong", error_description: 5 }, ["wrong"]],
    [{ error: null, error_description: "no room" }, ["no room"]],
    [{ error: {} }, []],
    [{}, []],
    [[], []],
    ["no", []],
  ])(
    "AUTH-25 cannot be registered if the server answers %j, and the error has what is text of it: %j",
    async (answer, texts) => {
      const { world, connect } = setUp();
      world.routes.set("https://as.example.com/register", () =>
        json(answer as object, 400),
      );
      const { message } = await failure(connect());
      const [, quoted = ""] =
        /answers 400 to the registration of this client(?:: (.*?))?\. /.exec(
          message,
        ) ?? [];
      expect(quoted.replace(/["“”]/g, "")).toBe(texts.join(", "));
    },
  );

  it("AUTH-26 is never sent to another authorization server", async () => {
    const { world, server, options, connect } = setUp();
    const auth = oauth(options());
    await (await connect(auth)).listTools();
    const other = new AuthorizationServer(world, "https://other.example.com");
    server.as = other;
    server.metadata["authorization_servers"] = [other.issuer];
    await (await connect(auth)).listTools();
    expect(other.registrations).toHaveLength(1);
    const id = [...other.clients.keys()].at(-1);
    expect(
      world
        .to("other.example.com/authorize")
        .map(({ url }) => url.searchParams.get("client_id")),
    ).toEqual([id]);
    expect(JSON.stringify(world.to("other.example.com"))).not.toContain(
      "refresh-",
    );
  });

  it("AUTH-26 causes an error if it is configured for another authorization server", async () => {
    const { options, connect } = setUp();
    const client = { id: "mine", issuer: "https://mine.example.com" };
    const error = await failure(connect(oauth(options({ client }))));
    expect(error).toMatchObject({ reason: "registration" });
  });

  it("AUTH-26 causes an error if it is configured and the server moves to another authorization server", async () => {
    const { world, server, options, connect } = setUp();
    const auth = oauth(options({ client: { id: "mine" } }));
    await (await connect(auth)).listTools();
    const other = new AuthorizationServer(world, "https://other.example.com");
    server.as = other;
    server.metadata["authorization_servers"] = [other.issuer];
    const error = await failure(connect(auth));
    expect(error).toMatchObject({
      reason: "registration",
      issuer: other.issuer,
    });
    expect(error.message).toContain("client.issuer");
    expect(world.to("other.example.com/authorize")).toEqual([]);
  });

  const registered = () => {
    const store = memoryStore();
    const { as, person, world, options, connect } = setUp();
    const again = async (): Promise<void> => {
      as.live.clear();
      as.refreshable.clear();
      await (await connect(oauth(options({ store })))).listTools();
    };
    return { as, person, world, again };
  };

  it("is used for later sign-ins until the redirect URI changes", async () => {
    const { as, person, again } = registered();
    await again();
    await again();
    expect(as.registrations).toHaveLength(1);
    expect(person.preferred).toBe(person.uri);
    person.uri = "http://127.0.0.1:40000/callback";
    await again();
    expect(as.registrations).toHaveLength(2);
  });

  it.each([
    [1, 2],
    [0, 1],
    [undefined, 1],
    ["1", 1],
  ])(
    "is used for later sign-ins until its secret expires, and for ever if it does not: %j",
    async (client_secret_expires_at, count) => {
      const { world, again } = registered();
      const client = { client_id: "old", client_secret: "s" };
      world.routes.set("https://as.example.com/register", () =>
        json({ ...client, client_secret_expires_at }, 201),
      );
      await again();
      await again();
      expect(world.to("/register")).toHaveLength(count);
    },
  );

  it("is registered again if the authorization server no longer knows it", async () => {
    const { as, person, options, connect } = setUp();
    const auth = oauth(options());
    await (await connect(auth)).listTools();
    as.live.clear();
    as.tokenAnswer = ({ form }) =>
      form["client_id"] === "client-1"
        ? refused("invalid_client", 401)
        : undefined;
    await (await connect(auth)).listTools();
    expect(as.registrations).toHaveLength(2);
    expect(person.count).toBe(2);
  });
});

describe("the authentication of a client at the token endpoint", () => {
  const basic = `Basic ${btoa("client-1:secret")}`;
  it.each([
    [["none"], undefined, null, { client_id: "client-1" }],
    [["client_secret_basic"], undefined, basic, {}],
    [
      ["client_secret_post"],
      undefined,
      null,
      { client_id: "client-1", client_secret: "secret" },
    ],
    [
      ["client_secret_basic", "client_secret_post"],
      "client_secret_post",
      null,
      { client_secret: "secret" },
    ],
    [undefined, undefined, basic, {}],
  ])(
    "AUTH-27 with %j in the metadata and %s in the registration is the header %s and the form %j",
    async (methods, method, header, form) => {
      const { world, as, connect } = setUp();
      as.metadata["token_endpoint_auth_methods_supported"] = methods;
      const answer = {
        client_id: "client-1",
        client_secret: "secret",
        ...(method && { token_endpoint_auth_method: method }),
      };
      world.routes.set("https://as.example.com/register", () =>
        json(answer, 201),
      );
      await connect();
      const [token] = world.to("as.example.com/token");
      expect(token?.headers.get("authorization")).toBe(header);
      expect(token?.form).toMatchObject(form);
      if (header !== null)
        expect(token?.form).not.toHaveProperty("client_secret");
    },
  );

  const configured = {
    id: "mine",
    secret: "hidden-secret",
    issuer: "https://as.example.com",
  };
  const kinds = {
    client: { client: configured },
    login: { login: clientCredentials(configured) },
  };
  it.each(
    [["none"], ["private_key_jwt"], []].flatMap((methods) => [
      { methods, kind: "client" } as const,
      { methods, kind: "login" } as const,
    ]),
  )(
    "AUTH-27 is not left out silently if the option $kind has a secret and the authorization server takes $methods",
    async ({ methods, kind }) => {
      const { world, as, options, connect } = setUp();
      as.metadata["token_endpoint_auth_methods_supported"] = methods;
      const error = await failure(connect(oauth(options(kinds[kind]))));
      expect(error).toMatchObject({
        reason: "registration",
        issuer: configured.issuer,
      });
      const listed =
        methods.map((one) => JSON.stringify(one)).join(", ") || "no method";
      expect(error.message).toContain(
        `it supports ${listed}, neither client_secret_basic nor client_secret_post`,
      );
      expect(error.message).not.toContain("hidden-secret");
      expect(world.to("as.example.com/token")).toEqual([]);
    },
  );
});

describe("an error about a client or its store", () => {
  it.each([{}, { metadataUrl }])(
    "AUTH-25 names the redirect URI to register if the authorization server has no registration, and nothing that did not happen, with %j",
    async (client) => {
      const { as, person, options, connect } = setUp();
      delete as.metadata["registration_endpoint"];
      const { message } = await failure(connect(oauth(options({ client }))));
      expect(message).toContain(
        `Register a client there by hand with the redirect URI ${person.uri}`,
      );
      expect(message).not.toContain("refused");
    },
  );

  it.each([301, 302, 303, 307, 308])(
    "says that a token endpoint redirects with status %i, and the request is not sent to the other URL",
    async (status) => {
      const { world, as, connect } = setUp();
      const headers = {
        location: "https://evil.example.com/token?client_secret=s",
      };
      as.tokenAnswer = () => new Response(null, { status, headers });
      const error = await failure(connect());
      expect(error).toMatchObject({ reason: "metadata", isRetryable: false });
      expect(error.message).toContain(
        "https://as.example.com redirects the request for a token",
      );
      expect(world.to("evil.example.com")).toEqual([]);
    },
  );

  it.each(["get", "set", "lock"])(
    "says that the store fails, not the server, if its method %s throws",
    async (method) => {
      const { options, connect } = setUp();
      const damaged = (): never => {
        throw new Error(
          "The file a.json is damaged. Remove it, and sign in again.",
        );
      };
      const store: TokenStore = { ...memoryStore(), [method]: damaged };
      const error = await failure(connect(oauth(options({ store }))));
      expect(error).toMatchObject({
        name: "AuthorizationError",
        reason: "store",
        isRetryable: false,
      });
      expect(error.message).toBe(
        "The token store cannot be used for mcp.example.com: The file a.json is damaged. Remove it, and sign in again.",
      );
    },
  );

  it("says that the server refuses, not the store, if the store works", async () => {
    const { as, options, connect } = setUp();
    as.tokenAnswer = () => refused("invalid_grant");
    const error = await failure(
      connect(oauth(options({ store: memoryStore() }))),
    );
    expect(error).toMatchObject({ reason: "grant" });
  });
});
