import { clientCredentials, oauth } from "@mcpgen/auth";
import {
  type CryptoKey,
  generateKeyPair,
  exportJWK,
  exportPKCS8,
  jwtVerify,
} from "jose";
import { describe, expect, it } from "vitest";
import { failure, modern } from "../kit/index.js";
import { AuthorizationServer, type Setup, setUp } from "./kit/index.js";

const id = "worker";
const issuer = "https://as.example.com";
const extension = "io.modelcontextprotocol/oauth-client-credentials";
const token = ({
  world,
}: Setup): Readonly<Record<string, string>> | undefined =>
  world.to("/token")[0]?.form;

describe("client credentials", () => {
  it("AUTH-70 get a token without a person, a page or a registration", async () => {
    const setup = setUp();
    const { world, as, server, options, connect } = setup;
    as.metadata["token_endpoint_auth_methods_supported"] = [
      "client_secret_basic",
    ];
    server.challenge += ', scope="jobs"';
    await (
      await connect(
        oauth(
          options({ login: clientCredentials({ id, secret: "s-1", issuer }) }),
        ),
      )
    ).listTools();
    expect(token(setup)).toEqual({
      grant_type: "client_credentials",
      resource: server.url,
      scope: "jobs",
    });
    expect(world.to("/token")[0]?.headers.get("authorization")).toBe(
      `Basic ${btoa(`${id}:s-1`)}`,
    );
    expect([...world.to("/register"), ...world.to("/authorize")]).toEqual([]);
  });

  it("AUTH-27 are percent-encoded in a Basic header only where a server that decodes it would change them", async () => {
    const { world, as, options, connect } = setUp();
    as.metadata["token_endpoint_auth_methods_supported"] = [
      "client_secret_basic",
    ];
    await connect(
      oauth(
        options({
          login: clientCredentials({
            id: "a:b-c",
            secret: "a+b/c==%-é",
            issuer,
          }),
        }),
      ),
    );
    const header = world.to("/token")[0]?.headers.get("authorization");
    expect(atob(String(header).slice(6))).toBe("a%3Ab-c:a%2Bb/c==%25-%C3%A9");
  });

  it("AUTH-70 work where the authorization server has no page to sign in", async () => {
    const { world, as, options, connect } = setUp();
    for (const name of [
      "authorization_endpoint",
      "registration_endpoint",
      "code_challenge_methods_supported",
    ])
      delete as.metadata[name];
    as.metadata["token_endpoint_auth_methods_supported"] = [
      "client_secret_post",
    ];
    const client = await connect(
      oauth(options({ login: clientCredentials({ id, secret: "s", issuer }) })),
    );
    expect(await client.listTools()).toMatchObject({
      tools: [{ name: "echo" }],
    });
    expect(world.to("/token").map(({ form }) => form)).toMatchObject([
      { grant_type: "client_credentials", client_id: id, client_secret: "s" },
    ]);
  });

  it.each([
    ["object", (key: CryptoKey) => key],
    ["PEM", exportPKCS8],
    ["JWK", exportJWK],
  ])(
    "AUTH-71 may be a key as %s, which signs a new assertion for the issuer each time",
    async (_, written) => {
      const { privateKey, publicKey } = await generateKeyPair("ES256", {
        extractable: true,
      });
      const key = await written(privateKey);
      const setup = setUp();
      const { world, as, options, connect } = setup;
      const client = await connect(
        oauth(
          options({ login: clientCredentials({ id, key, kid: "k", issuer }) }),
        ),
      );
      as.live.clear();
      await client.listTools();
      expect(token(setup)).not.toHaveProperty("client_id");
      expect(token(setup)).not.toHaveProperty("client_secret");
      const ids = new Set<unknown>();
      for (const { form } of world.to("/token")) {
        expect(form["client_assertion_type"]).toBe(
          "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        );
        const checks = { issuer: id, subject: id, audience: as.issuer };
        const { payload, protectedHeader } = await jwtVerify(
          String(form["client_assertion"]),
          publicKey,
          checks,
        );
        expect(protectedHeader).toMatchObject({ alg: "ES256", kid: "k" });
        expect(payload.exp).toBeGreaterThan(Number(payload.iat));
        ids.add(payload.jti);
      }
      expect(ids.size).toBe(2);
    },
  );

  it("AUTH-71 sign with the time of the authorization server if the local clock is wrong", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const setup = setUp();
    const now = new Date(Date.now() + 600_000);
    const metadata = setup.as.metadata;
    setup.world.routes.set(
      "https://as.example.com/.well-known/oauth-authorization-server",
      () => Response.json(metadata, { headers: { date: now.toUTCString() } }),
    );
    await setup.connect(
      oauth(
        setup.options({
          login: clientCredentials({ id, key: privateKey, issuer }),
        }),
      ),
    );
    await jwtVerify(String(token(setup)?.["client_assertion"]), publicKey, {
      currentDate: now,
    });
  });

  const evilScene = () => {
    const { world, as, server, options, connect } = setUp();
    as.metadata["token_endpoint_auth_methods_supported"] = [
      "client_secret_basic",
    ];
    const evil = new AuthorizationServer(world, "https://evil.example.com", {
      token_endpoint_auth_methods_supported: ["client_secret_basic"],
    });
    server.metadata["authorization_servers"] = [evil.issuer];
    const login = clientCredentials({ id, secret: "s", issuer });
    const expected = {
      reason: "issuer",
      message: `mcp.example.com uses the authorization server "${evil.issuer}", but the credentials of this client belong to "${issuer}", so they are not sent. Ask the operator whether the server has moved, and get credentials there if so.`,
    };
    return { world, as, server, evil, login, options, connect, expected };
  };

  it.each(["the login", "the login and a client of the same secret"])(
    "AUTH-26 are not sent to another issuer at first contact, if the options have %s",
    async (kind) => {
      const { world, evil, login, options, connect, expected } = evilScene();
      const client = { id, secret: "s", issuer };
      const more = kind === "the login" ? {} : { client };
      expect(
        await failure(connect(oauth(options({ login, ...more })))),
      ).toMatchObject(expected);
      expect(world.to(`${evil.issuer}/token`)).toEqual([]);
    },
  );

  it("AUTH-26 are sent only to the issuer that they belong to after the server names another one", async () => {
    const { world, as, server, evil, login, options, connect, expected } =
      evilScene();
    server.metadata["authorization_servers"] = [evil.issuer, issuer];
    const connected = await connect(oauth(options({ login })));
    as.live.clear();
    server.metadata["authorization_servers"] = [evil.issuer];
    expect(await failure(connected.listTools())).toMatchObject(expected);
    expect(world.to("evil.example.com/token")).toEqual([]);
    expect(world.to("as.example.com/token")).toHaveLength(1);
  });

  it.each([undefined, "", "as.example.com"])(
    "AUTH-26 are refused at declaration with the issuer %j",
    (wrong) => {
      expect(() =>
        clientCredentials({ id, secret: "s", issuer: wrong } as never),
      ).toThrow(
        new TypeError(
          "clientCredentials needs `issuer`: the issuer identifier of the authorization server that the credentials belong to. No other server gets them.",
        ),
      );
    },
  );

  it("AUTH-26 are refused at declaration without the issuer that they belong to, beside a person too", () => {
    expect(() => oauth({ client: { id, secret: "s" } })).toThrow(
      "`client.secret` needs `client.issuer`",
    );
  });

  it.each([
    { id, issuer },
    { id, issuer, secret: "s", key: "k" },
  ])("AUTH-71 must be either a secret or a key, and are not %j", (wrong) => {
    expect(() => clientCredentials(wrong)).toThrow(
      new TypeError("clientCredentials needs either a secret or a key."),
    );
  });

  it("AUTH-73 get one token with more scopes if the server requires them, and then an error", async () => {
    const { world, as, server, options, connect } = setUp();
    as.metadata["token_endpoint_auth_methods_supported"] = [
      "client_secret_basic",
    ];
    server.challenge += ', scope="base"';
    server.refusal = (_, body) =>
      body.includes("tools/call")
        ? new Response(null, {
            status: 403,
            headers: {
              "www-authenticate":
                'Bearer error="insufficient_scope", scope="more"',
            },
          })
        : undefined;
    const client = await connect(
      oauth(options({ login: clientCredentials({ id, secret: "s", issuer }) })),
    );
    expect(await failure(client.callTool({ name: "echo" }))).toMatchObject({
      reason: "scope",
    });
    expect(world.to("/token").map(({ form }) => form["scope"])).toEqual([
      "base",
      "base more",
    ]);
  });

  it.each([
    ["are declared as a capability with each request", true],
    ["are not declared if they are not in use", false],
  ])("AUTH-76 %s", async (_, isUsed) => {
    const { world, as, options, connect } = setUp({ revision: modern });
    as.metadata["token_endpoint_auth_methods_supported"] = [
      "client_secret_basic",
    ];
    const login = clientCredentials({ id, secret: "s", issuer });
    await (await connect(oauth(options(isUsed ? { login } : {})))).listTools();
    const bodies = world.to("mcp.example.com/mcp").map(({ body }) => body);
    expect(bodies.length).toBeGreaterThan(2);
    for (const body of bodies) {
      const { params } = JSON.parse(body) as {
        params: { _meta: Record<string, { extensions?: object }> };
      };
      const capabilities =
        params._meta["io.modelcontextprotocol/clientCapabilities"];
      expect(capabilities?.extensions).toEqual(
        isUsed ? { [extension]: {} } : undefined,
      );
    }
  });
});
