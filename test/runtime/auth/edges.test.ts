import {
  type AuthEvent,
  clientCredentials,
  type DeviceCode,
  deviceLogin,
  memoryStore,
  oauth,
  type TokenStore,
} from "@mcpgen/auth";
import { describe, expect, it } from "vitest";
import { oauthChallengeOf } from "../../../src/auth/client/challenge.js";
import { Proofs } from "../../../src/auth/client/proofs.js";
import { failure } from "../kit/index.js";
import { gate } from "../kit/watch.js";
import {
  AuthorizationServer,
  json,
  refused,
  type Setup,
  setUp,
} from "./kit/index.js";

const deviceCode = "urn:ietf:params:oauth:grant-type:device_code";

/** A device that signs in: what its authorization server answers, in order. */
function device(scene: Setup, code: object, answers: readonly string[]) {
  const { as, world } = scene;
  as.metadata["device_authorization_endpoint"] = `${as.issuer}/device`;
  world.routes.set(`${as.issuer}/device`, () =>
    json({
      device_code: "dc",
      user_code: "WDJB",
      verification_uri: `${as.issuer}/enter`,
      expires_in: 600,
      ...code,
    }),
  );
  const codes: DeviceCode[] = [];
  const queue = [...answers];
  as.tokenAnswer = ({ form }) => {
    if (form["grant_type"] !== deviceCode) return undefined;
    const next = queue.shift() ?? "authorization_pending";
    return next === "granted" ? as.issue() : refused(next);
  };
  const login = deviceLogin({ onCode: (one) => void codes.push(one) });
  return { codes, auth: oauth(scene.options({ login })) };
}

describe("a device that waits for a person", () => {
  it("shows the page with the code in it, if there is one and it may be opened", async () => {
    const page = "https://as.example.com/enter?code=WDJB";
    const [complete, plain, unsafe] = await Promise.all(
      [page, undefined, "javascript:alert(1)"].map(async (one) => {
        const scene = setUp();
        const code = { interval: 0.001, verification_uri_complete: one };
        const { auth, codes } = device(scene, code, ["expired_token"]);
        const { reason, message } = await failure(scene.connect(auth));
        return [reason, codes[0]?.completeUrl, message];
      }),
    );
    expect(complete?.slice(0, 2)).toEqual(["timeout", page]);
    expect(plain?.slice(0, 2)).toEqual(["timeout", undefined]);
    expect(unsafe).toEqual([
      "unsafe-url",
      undefined,
      'mcp.example.com names "javascript:alert(1)" as its page for the code, which is not used: it must be an https URL, or an http URL of this machine.',
    ]);
  });

  it.each<[string, () => Response, object]>([
    [
      "refuses it",
      () => refused("invalid_scope"),
      {
        reason: "grant",
        code: "invalid_scope",
        message:
          'https://as.example.com did not issue a code to sign in on another device: "invalid_scope".',
      },
    ],
    [
      "answers with a page",
      () => new Response("<p>"),
      {
        reason: "grant",
        code: undefined,
        message: expect.stringMatching(
          /^https:\/\/as\.example\.com did not issue a code to sign in on another device: ".+"\.$/,
        ) as string,
      },
    ],
    [
      "cannot be reached",
      () => {
        throw new Error("It is away.");
      },
      {
        reason: "network",
        message:
          'https://as.example.com could not be reached for a code for a person: "It is away.". Check the connection, and try again.',
      },
    ],
  ])("gets no code from a server that %s", async (_, answer, error) => {
    const scene = setUp();
    const { auth } = device(scene, {}, []);
    scene.world.routes.set(`${scene.as.issuer}/device`, answer);
    expect(await failure(scene.connect(auth))).toMatchObject(error);
  });

  it("registers once, and asks again, if the server does not know its metadata document", async () => {
    const scene = setUp();
    const { as, world } = scene;
    device(scene, { interval: 0.001 }, ["granted"]);
    as.metadata["client_id_metadata_document_supported"] = true;
    const answer = world.routes.get(`${as.issuer}/device`);
    world.routes.set(`${as.issuer}/device`, (seen, init) =>
      seen.form["client_id"] === "client-1" && answer
        ? answer(seen, init)
        : refused("invalid_client"),
    );
    const metadataUrl = "https://app.example.com/client.json";
    const login = deviceLogin({ onCode: () => {} });
    await scene.connect(
      oauth(scene.options({ login, client: { metadataUrl } })),
    );
    expect(world.to("/device").map(({ form }) => form["client_id"])).toEqual([
      metadataUrl,
      "client-1",
    ]);
  });

  it("asks once if the server knows no client at all", async () => {
    const scene = setUp();
    const { auth } = device(scene, {}, []);
    const client = () => refused("invalid_client");
    scene.world.routes.set(`${scene.as.issuer}/device`, client);
    expect(await failure(scene.connect(auth))).toMatchObject({
      code: "invalid_client",
    });
    expect(scene.world.to("/device")).toHaveLength(1);
  });
});

describe("servers of this machine", () => {
  const local = () =>
    setUp({
      url: "http://127.0.0.1:7000/mcp",
      issuer: "http://127.0.0.1:7001",
    });

  it("may be used without TLS, also to sign in a device and to revoke tokens", async () => {
    const scene = local();
    const { auth } = device(scene, { interval: 0.001 }, ["granted"]);
    const client = await scene.connect(auth);
    await client.listTools();
    expect(await auth.logout(scene.server.url)).toEqual([
      { token: "refresh", isRevoked: true },
      { token: "access", isRevoked: true },
    ]);
  });
});

describe("the issuer at the origin of an MCP server without metadata", () => {
  const origin = "https://mcp.example.com";
  it.each([
    [origin, origin],
    [`${origin}/tenant`, `${origin}/tenant`],
    ["https://other.example.com", origin],
    ["no URL", origin],
    [7, origin],
    [undefined, origin],
  ])("that calls itself %j is %s", async (named, expected) => {
    const { world, as, server, options, connect } = setUp({ issuer: origin });
    world.routes.delete(`${origin}/.well-known/oauth-protected-resource/mcp`);
    server.challenge = "Bearer";
    as.metadata["issuer"] = named;
    const issuers: unknown[] = [];
    const onEvent = ({ step, issuer }: AuthEvent): void => {
      if (step !== "discover") issuers.push(issuer);
    };
    await connect(oauth(options({ onEvent })));
    expect(new Set(issuers)).toEqual(new Set([expected]));
  });
});

describe("a logout", () => {
  it("revokes tokens where they were issued, although the server has moved since", async () => {
    const { world, server, options, connect } = setUp();
    const store = memoryStore();
    await connect(oauth(options({ store })));
    const other = new AuthorizationServer(world, "https://new.example.com");
    server.metadata["authorization_servers"] = [other.issuer];
    const auth = oauth(options({ store }));
    await auth.logout(server.url);
    expect(world.to("/revoke").map(({ url }) => url.origin)).toEqual([
      "https://as.example.com",
      "https://as.example.com",
    ]);
  });

  it("during a refresh that waits for its lock leaves nothing to refresh, and a person signs in", async () => {
    const { world, as, person, options, connect } = setUp();
    const memory = memoryStore();
    const began = gate<void>();
    const goOn = gate<void>();
    const lock: TokenStore["lock"] = async (key, work) => {
      if (!key.endsWith("login")) {
        began.end();
        await goOn.ended;
      }
      return work();
    };
    const auth = oauth(options({ store: { ...memory, lock } }));
    const client = await connect(auth);
    as.live.clear();
    const call = client.listTools();
    await began.ended;
    await auth.logout("https://mcp.example.com/mcp");
    goOn.end();
    await call;
    expect(world.to("/token").map(({ form }) => form["grant_type"])).toEqual([
      "authorization_code",
      "authorization_code",
    ]);
    expect(person.count).toBe(2);
  });
});

describe("a registration", () => {
  it.each([
    [undefined, "none"],
    [["none", "client_secret_basic"], "none"],
    [["client_secret_post", "client_secret_basic"], "client_secret_basic"],
    [["client_secret_post"], "client_secret_post"],
    [["private_key_jwt"], "none"],
    [[], "none"],
  ])("at a server with the methods %j names %s", async (methods, expected) => {
    const { as, connect } = setUp();
    as.metadata["token_endpoint_auth_methods_supported"] = methods;
    await connect().catch(() => {});
    expect(as.registrations[0]).toMatchObject({
      token_endpoint_auth_method: expected,
    });
  });

  it.each([
    [undefined, ["authorization_code", "refresh_token"]],
    [["authorization_code"], ["authorization_code"]],
    [
      ["authorization_code", "refresh_token"],
      ["authorization_code", "refresh_token"],
    ],
  ])(
    "at a server with the grants %j is for %j",
    async (supported, expected) => {
      const { as, connect } = setUp();
      as.metadata["grant_types_supported"] = supported;
      await connect();
      expect(as.registrations[0]?.["grant_types"]).toEqual(expected);
    },
  );

  it.each<[string, (scene: Setup) => Promise<unknown>, string]>([
    [
      "with the redirect URI of a person",
      (scene) => scene.connect(),
      " with the redirect URI http://127.0.0.1:33418/callback",
    ],
    ["of a device", (scene) => scene.connect(device(scene, {}, []).auth), ""],
  ])(
    "tells how to register a client by hand, %s, if the server registers none",
    async (_, connect, where) => {
      const scene = setUp();
      delete scene.as.metadata["registration_endpoint"];
      const { message } = await failure(connect(scene));
      expect(message).toBe(
        `This client is not registered at https://as.example.com, the authorization server of mcp.example.com. Register a client there by hand${where}, and set \`client.id\`.`,
      );
    },
  );
});

describe("a page of a web application", () => {
  const page = "https://app.example.com/signed-in";
  /** A sign-in that has begun, and the answer of the person. */
  const begun = async (scene: Setup, more = {}) => {
    const auth = oauth(scene.options({ login: { page }, ...more }));
    const error = await failure(scene.connect(auth));
    const { headers } = await scene.world.fetch(String(error["signInUrl"]));
    return { auth, answer: String(headers.get("location")) };
  };

  it("takes no answer of a server that the MCP server has left", async () => {
    const scene = setUp();
    const store = memoryStore();
    const { answer } = await begun(scene, { store });
    const other = new AuthorizationServer(
      scene.world,
      "https://new.example.com",
    );
    scene.server.metadata["authorization_servers"] = [other.issuer];
    const later = oauth(scene.options({ login: { page }, store }));
    expect(await failure(later.answer(answer))).toMatchObject({
      reason: "issuer",
      message:
        "mcp.example.com has moved from https://as.example.com to https://new.example.com since the sign-in began. Begin again.",
    });
    expect(scene.world.to("/token")).toEqual([]);
  });

  it("registers for the next sign-in if the server refuses its metadata document at the end", async () => {
    const scene = setUp();
    const { as } = scene;
    as.metadata["client_id_metadata_document_supported"] = true;
    const metadataUrl = "https://app.example.com/client.json";
    as.tokenAnswer = () => refused("invalid_client");
    const { auth, answer } = await begun(scene, { client: { metadataUrl } });
    expect(await failure(auth.answer(answer))).toMatchObject({
      code: "invalid_client",
    });
    expect(as.registrations).toEqual([]);
    await failure(scene.connect(auth));
    expect(as.registrations).toHaveLength(1);
  });
});

describe("what goes wrong outside of OAuth", () => {
  it("is told with the text that a `fetch` throws in place of an error", async () => {
    const { options, connect } = setUp();
    const fetch = () => Promise.reject("a text" as unknown as Error);
    expect(await failure(connect(oauth(options({ fetch }))))).toMatchObject({
      reason: "network",
      message:
        'https://mcp.example.com could not be reached for its protected resource metadata: "a text". Check the connection, and try again.',
    });
  });

  it("is reported as an unsafe URL if a `fetch` refuses its address", async () => {
    const { options, connect } = setUp();
    const refused = new Error("10.0.0.1 is in a private network");
    const fetch = () =>
      Promise.reject(Object.assign(refused, { code: "PRIVATE_ADDRESS" }));
    expect(await failure(connect(oauth(options({ fetch }))))).toMatchObject({
      reason: "unsafe-url",
      message:
        'mcp.example.com names https://mcp.example.com for its protected resource metadata, which is not used: "10.0.0.1 is in a private network", and the server is not; `allowPrivate: true` allows it.',
    });
  });

  it("says that a key is not valid, without the key", async () => {
    const { as, options, connect } = setUp();
    const { issuer } = as;
    const login = clientCredentials({ id: "ours", issuer, key: "s3cret-key" });
    const error = await failure(connect(oauth(options({ login }))));
    expect(error).toMatchObject({ reason: "grant", issuer });
    expect(error.message).toMatch(
      /^https:\/\/as\.example\.com issued no token for mcp\.example\.com: ".+"\. Ask its operator for the reason\.$/,
    );
    expect(error.message).not.toContain("s3cret");
  });
});

describe("the nonces of servers", () => {
  it("are kept for the hundred that came last", async () => {
    const proofs = new Proofs(new Map());
    const url = (i: number): URL => new URL(`https://s${i}.example.com/x`);
    for (let i = 0; i <= 100; i++) proofs.read(url(i).origin, `nonce-${i}`);
    proofs.read(url(1).origin, "nonce-1b");
    proofs.read(url(101).origin, "nonce-101");
    const nonceOf = async (i: number): Promise<unknown> => {
      const [, payload = ""] = (await proofs.make("GET", url(i))).split(".");
      const text = Buffer.from(payload, "base64url").toString();
      return (JSON.parse(text) as { nonce?: string }).nonce;
    };
    expect(await Promise.all([0, 1, 2, 3, 101].map(nonceOf))).toEqual([
      undefined,
      "nonce-1b",
      undefined,
      "nonce-3",
      "nonce-101",
    ]);
  });

  it("stay if an answer has none", async () => {
    const proofs = new Proofs(new Map());
    const url = new URL("https://a.example.com/");
    for (const nonce of ["first", "", null, undefined])
      proofs.read(url.origin, nonce);
    const [, payload = ""] = (await proofs.make("GET", url)).split(".");
    expect(Buffer.from(payload, "base64url").toString()).toContain("first");
  });
});

describe("the parameters of a challenge", () => {
  it.each<[string, string, object]>([
    ["an escaped quote", 'Bearer scope="a\\"b"', { scope: 'a"b' }],
    ["an escaped letter", 'Bearer scope="a\\b\\\\"', { scope: "ab\\" }],
    ["the first of two", 'Bearer scope=a, SCOPE="b"', { scope: "a" }],
    ["an empty value", 'Bearer scope="", error=', { scope: "", error: "" }],
    ["a token in place of them", "Bearer abc==, DPoP scope=a", {}],
    [
      "those of the one with an error",
      'Bearer scope=a, DPoP error="x", scope=b',
      { error: "x", scope: "b" },
    ],
    [
      "those of the one with metadata",
      "DPoP scope=a, Bearer resource_metadata=x",
      { resource_metadata: "x" },
    ],
    [
      "those of the first otherwise",
      "DPoP scope=a, Bearer scope=b",
      { scope: "a" },
    ],
    [
      "nothing after 16,384 characters",
      `Bearer x="${"a".repeat(16_370)}", y=b`,
      { x: "a".repeat(16_370) },
    ],
  ])("are read with %s", (_, header, expected) => {
    expect(oauthChallengeOf(header)).toEqual(expected);
  });
});
