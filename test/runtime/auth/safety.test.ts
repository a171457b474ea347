import { memoryStore, oauth } from "@mcpgen/auth";
import { describe, expect, it } from "vitest";
import {
  challengesOf,
  oauthChallengeOf,
} from "../../../src/auth/client/challenge.js";
import { failure } from "../kit/index.js";
import { AuthorizationServer, type Setup, setUp } from "./kit/index.js";

const metadata =
  "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

/** URLs that a client must not request if another party names them. */
const unsafe = [
  "http://as.example.com",
  "ftp://as.example.com",
  "https://127.0.0.1",
  "https://localhost",
  "https://as.localhost",
  "https://10.1.2.3",
  "https://172.16.0.1",
  "https://192.168.1.1",
  "https://169.254.169.254",
  "https://100.64.0.1",
  "https://0.0.0.0",
  "https://0x7f.1",
  "https://2130706433",
  "https://[::1]",
  "https://[::ffff:10.0.0.1]",
  "https://[fd00::1]",
  "https://[fe80::1]",
  "https://[64:ff9b::a00:1]",
  "https://[2002:a00:1::]",
  "https://[2001:0:a00:1:0:0:f5ff:fffe]",
  "https://[2001:20::1]",
  "https://[2001:db8::1]",
  "https://metadata.google.internal",
  "https://printer.local",
  "https://user:pass@as.example.com",
];

describe("a client with unsafe URLs and documents", () => {
  describe.each(unsafe)("with %s", (url) => {
    it("AUTH-13 does not request it as an authorization server", async () => {
      const { world, server, person, connect } = setUp();
      server.metadata["authorization_servers"] = [url];
      expect(await failure(connect())).toMatchObject({ reason: "unsafe-url" });
      expect(
        world.seen.every(({ url }) => url.host === "mcp.example.com"),
      ).toBe(true);
      expect(person.count).toBe(0);
    });

    it.each([
      "token_endpoint",
      "registration_endpoint",
      "authorization_endpoint",
    ])("AUTH-13 does not request it as the %s", async (name) => {
      const { world, as, connect } = setUp();
      as.metadata[name] = `${url}/x`;
      expect(await failure(connect())).toMatchObject({ reason: "unsafe-url" });
      expect(world.to(`${url}/x`)).toEqual([]);
    });

    it("AUTH-13 does not request it as the revocation_endpoint, which only a logout uses", async () => {
      const { world, as, server, options, connect } = setUp();
      as.metadata["revocation_endpoint"] = `${url}/x`;
      const auth = oauth(options());
      await connect(auth);
      expect(await failure(auth.logout(server.url))).toMatchObject({
        reason: "unsafe-url",
      });
      expect(world.to(`${url}/x`)).toEqual([]);
    });

    it("AUTH-13 ignores it in a challenge", async () => {
      const { world, server, connect } = setUp();
      server.challenge = `Bearer resource_metadata="${url}/metadata"`;
      await connect();
      expect(world.to("/metadata")).toEqual([]);
    });
  });

  it.each([
    [
      "http://as.example.com",
      "it must be an https URL, or an http URL of this machine",
    ],
    ["https://user@as.example.com", "it has a user name or a password"],
    ["https://:x@as.example.com", "it has a user name or a password"],
    [
      "https://10.1.2.3",
      "it is in a private network and the server is not; `allowPrivate: true` allows it",
    ],
  ])("AUTH-13 say what is wrong with %s", async (url, why) => {
    const { as, connect } = setUp();
    as.metadata["token_endpoint"] = url;
    expect((await failure(connect())).message).toBe(
      `mcp.example.com names "${url}" as the token_endpoint of its authorization server, which is not used: ${why}.`,
    );
  });

  const redirect =
    (location: string, status = 302) =>
    (): Response =>
      new Response(null, { status, headers: { location } });

  it.each(["https://169.254.169.254/latest", "http://mcp.example.com/x"])(
    "AUTH-13 does not follow a redirect to %s",
    async (target) => {
      const { world, connect } = setUp();
      world.routes.set(metadata, redirect(target));
      expect(await failure(connect())).toMatchObject({ reason: "unsafe-url" });
      expect(world.to(target)).toEqual([]);
    },
  );

  const elsewhere = "https://www.example.com/metadata";

  it.each([300, 301, 302, 303, 307, 308, 399])(
    "AUTH-13 follows a redirect with the status %i to a safe URL",
    async (status) => {
      const { world, server, connect } = setUp();
      world.routes.set(metadata, redirect(elsewhere, status));
      world.document(elsewhere, server.metadata);
      await connect();
      expect(world.to(elsewhere)).toHaveLength(1);
    },
  );

  it.each([201, 299, 400, 500])(
    "AUTH-13 ignores the Location of an answer with the status %i, which is no redirect",
    async (status) => {
      const { world, server, connect } = setUp();
      world.routes.set(metadata, redirect(elsewhere, status));
      world.document(elsewhere, server.metadata);
      await connect().catch(() => {});
      expect(world.to(metadata)).not.toEqual([]);
      expect(world.to(elsewhere)).toEqual([]);
    },
  );

  it("AUTH-13 follows three redirects at most", async () => {
    const { world, connect } = setUp();
    world.routes.set(metadata, redirect(metadata));
    await failure(connect());
    expect(world.to(metadata)).toHaveLength(4);
  });

  it("AUTH-13 does not follow a redirect of the token endpoint", async () => {
    const { world, as, connect } = setUp();
    as.tokenAnswer = () =>
      new Response(null, {
        status: 307,
        headers: { location: "https://evil.example.com/token" },
      });
    await failure(connect());
    expect(world.to("evil")).toEqual([]);
  });

  it("AUTH-13 allows local URLs for a local server, and private networks if an option allows them", async () => {
    const local = setUp({
      url: "http://127.0.0.1:7000/mcp",
      issuer: "http://localhost:7001",
    });
    await (await local.connect()).listTools();
    const { options, connect } = setUp({ issuer: "https://10.0.0.7" });
    await (await connect(oauth(options({ allowPrivate: true })))).listTools();
    const inner = setUp({
      url: "https://10.0.0.8/mcp",
      issuer: "https://10.0.0.7",
    });
    await (await inner.connect()).listTools();
    const toMachine = setUp({
      url: "https://10.0.0.8/mcp",
      issuer: "https://127.0.0.1",
    });
    expect(await failure(toMachine.connect())).toMatchObject({
      reason: "unsafe-url",
    });
  });

  describe.each(
    (() => {
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
      return [
        "x".repeat(10_000_000),
        deep,
        `{"resource":${deep}}`,
        '{"__proto__":{"issuer":"x"},"constructor":1}',
        '{"resource":"https://mcp.example.com/mcp","authorization_servers":{"0":"x"}}',
        '{"resource":"https://mcp.example.com/mcp","authorization_servers":[null,7,"nowhere"]}',
        "null",
        '"text"',
      ].map((text) => ({ text, start: text.slice(0, 90) }));
    })(),
  )("for a document that begins with $start", ({ text }) => {
    const headers = { "content-type": "application/json" };

    it.each([
      metadata,
      "https://as.example.com/.well-known/oauth-authorization-server",
    ])("rejects with an AuthorizationError if it is at %s", async (place) => {
      const { world, person, connect } = setUp();
      world.routes.set(place, () => new Response(text, { headers }));
      expect(await failure(connect())).toMatchObject({
        name: "AuthorizationError",
      });
      expect(person.count).toBe(0);
    });

    it("rejects with an AuthorizationError if it is the answer to a request for a token", async () => {
      const { as, connect } = setUp();
      as.tokenAnswer = () => new Response(text, { headers });
      expect(await failure(connect())).toMatchObject({
        name: "AuthorizationError",
      });
    });
  });

  it("stops reading a document that is too long", async () => {
    const { world, connect } = setUp();
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    world.routes.set(metadata, () => new Response(body));
    await failure(connect());
    expect(sent).toBeLessThan(1_000_000);
  });

  it.each(["[]", '{ "client_id": 7 }', "<p>"])(
    "rejects with an error if the response to a registration is %s",
    async (text) => {
      const { world, connect } = setUp();
      world.routes.set(
        "https://as.example.com/register",
        () => new Response(text, { status: 201 }),
      );
      expect(await failure(connect())).toMatchObject({
        reason: "registration",
      });
    },
  );
});

describe("a challenge", () => {
  const url = "https://x.example.com/a,b";

  it.each([
    `Bearer resource_metadata="${url}"`,
    `Bearer realm="a, b=\\"c\\"", resource_metadata="${url}"`,
    `Negotiate abc==, Bearer resource_metadata="${url}"`,
    `Basic realm="Bearer resource_metadata=x", bearer  Resource_Metadata = "${url}" , scope=x`,
    `DPoP algs="ES256", resource_metadata="${url}"`,
    `Digest nonce="x", qop="a,b", BEARER resource_metadata="${url}", error=invalid_token`,
    `Bearer, Bearer resource_metadata="${url}"`,
    `, ,Bearer resource_metadata="${url}",`,
  ])(
    "AUTH-06 is read at any position of the header, with quotes, commas and parameters in any order: %s",
    (header) => {
      expect(oauthChallengeOf(header)["resource_metadata"]).toBe(url);
    },
  );

  it.each([
    ["Bearer scope=a", { scope: "a" }],
    ['Basic realm="x"', {}],
    [undefined, {}],
  ])(
    "AUTH-06 is not in the header %j, whose parameters are %j",
    (header, parameters) => {
      expect(oauthChallengeOf(header)).toEqual(parameters);
    },
  );

  it("AUTH-06 is parsed in bounded time and without an exception, for any header", () => {
    const pieces = [
      "Bearer",
      " ",
      ",",
      "=",
      '"',
      "\\",
      "a",
      "realm",
      "error=x",
      'scope="a b"',
      "\u0000",
      "é",
      "==",
      "\t",
    ];
    let seed = 7;
    const next = (limit: number): number =>
      (seed = (seed * 16_807) % 2_147_483_647) % limit;
    for (let round = 0; round < 20_000; round++) {
      const header = Array.from(
        { length: next(30) },
        () => pieces[next(pieces.length)],
      ).join("");
      for (const { scheme } of challengesOf(header))
        expect(scheme).not.toBe("");
    }
    for (const piece of pieces) challengesOf(piece.repeat(1_000_000));
  });
});

describe("a server that claims to be another authorization server", () => {
  const good = "https://as.example.com";

  /**
   * A server of revision 2025-03-26 that is its own authorization server, with
   * the issuer of another one.
   */
  const impostor = (world: Setup["world"], more: object): string => {
    const evil = new AuthorizationServer(world, "https://evil.example.com");
    world.document(
      "https://evil.example.com/.well-known/oauth-authorization-server",
      {
        ...evil.metadata,
        issuer: good,
        token_endpoint_auth_methods_supported: ["client_secret_post"],
        ...more,
      },
    );
    world.routes.set(
      "https://evil.example.com/mcp",
      () => new Response(null, { status: 401 }),
    );
    return "https://evil.example.com/mcp";
  };

  it.each([
    ["configured", true],
    ["registered", false],
  ])(
    "AUTH-26 receives no %s credentials for the other server",
    async (_, isStated) => {
      const store = memoryStore();
      const { as, world, server, options, connect } = setUp();
      as.metadata["token_endpoint_auth_methods_supported"] = [
        "client_secret_post",
      ];
      const client = isStated
        ? { id: "mine", secret: "hidden-secret", issuer: good }
        : {};
      world.routes.set(`${good}/register`, () =>
        Response.json(
          { client_id: "mine", client_secret: "hidden-secret" },
          { status: 201 },
        ),
      );
      const auth = oauth(options({ store, client }));
      await (await connect(auth)).listTools();
      const url = impostor(world, {});
      Object.assign(server, { url });
      await failure(connect(auth));
      const shown = world
        .to("https://evil.example.com")
        .map(({ url, body }) => `${url.href} ${body}`);
      expect(shown.join("\n")).not.toContain("hidden-secret");
    },
  );

  it("AUTH-36 receives no code of the other server if responses name their issuer", async () => {
    const { as, world, server, connect } = setUp();
    as.answer = (params) => params.set("iss", good);
    const url = impostor(world, {
      authorization_endpoint: `${good}/authorize`,
      registration_endpoint: `${good}/register`,
    });
    Object.assign(server, { url });
    expect(await failure(connect())).toMatchObject({ reason: "issuer" });
    expect(world.to("https://evil.example.com/token")).toEqual([]);
  });
});
