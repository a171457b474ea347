import { enterprise, oauth, workloadIdentity } from "@mcpgen/auth";
import { describe, expect, it } from "vitest";
import { failure, modern } from "../kit/index.js";
import {
  AuthorizationServer,
  json,
  refused,
  type Setup,
  setUp,
} from "./kit/index.js";

const issuer = "https://as.example.com";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const idJag = "urn:ietf:params:oauth:token-type:id-jag";

/** Makes the authorization server issue tokens for assertions only. */
function takeAssertions({ as }: Setup): void {
  for (const name of [
    "authorization_endpoint",
    "registration_endpoint",
    "code_challenge_methods_supported",
  ])
    delete as.metadata[name];
  as.metadata["token_endpoint_auth_methods_supported"] = [
    "client_secret_basic",
    "none",
  ];
  as.tokenAnswer = ({ form }) => {
    if (form["grant_type"] !== jwtBearer)
      return refused("unsupported_grant_type");
    return String(form["assertion"]).startsWith("good")
      ? as.issue()
      : refused("invalid_grant");
  };
}

describe("a workload", () => {
  it("AUTH-83 authenticates with the token of its platform, without a registration or a page", async () => {
    const setup = setUp();
    takeAssertions(setup);
    const { world, as, server, options, connect } = setup;
    const audiences: string[] = [];
    const assertion = (audience: string): string => {
      audiences.push(audience);
      return `good-${audiences.length}`;
    };
    const client = await connect(
      oauth(options({ login: workloadIdentity({ issuer, assertion }) })),
    );
    as.live.clear();
    await client.listTools();
    const forms = world.to("/token").map(({ form }) => form);
    const sent = { grant_type: jwtBearer, resource: server.url };
    expect(forms).toEqual([
      { ...sent, assertion: "good-1" },
      { ...sent, assertion: "good-2" },
    ]);
    expect(
      world.to("/token").map(({ headers }) => headers.get("authorization")),
    ).toEqual([null, null]);
    expect(audiences).toEqual([as.issuer, as.issuer]);
  });

  it("AUTH-83 does not retry after an error", async () => {
    const setup = setUp();
    takeAssertions(setup);
    const login = workloadIdentity({ issuer, assertion: () => "bad" });
    expect(
      await failure(setup.connect(oauth(setup.options({ login })))),
    ).toMatchObject({
      reason: "grant",
      code: "invalid_grant",
    });
    expect(setup.world.to("/token")).toHaveLength(1);
  });
});

describe("an identity without a person", () => {
  const idp = "https://idp.corp.example.com";

  it.each([
    [
      "workload identity",
      (asked: string[]) =>
        workloadIdentity({
          issuer,
          assertion: (audience) => {
            asked.push(audience);
            return "good";
          },
        }),
    ],
    [
      "enterprise",
      (asked: string[]) =>
        enterprise({
          idp: {
            tokenEndpoint: `${idp}/token`,
            client: { id: "at-idp", secret: "s1" },
          },
          subject: () => {
            asked.push(issuer);
            return { token: "id-token" };
          },
          client: { id: "at-as", secret: "s2" },
          issuer,
        }),
    ],
  ])(
    "AUTH-26 by %s is asked for and sent only for the issuer of the options, at first contact and after the server names another one",
    async (_, declare) => {
      const asked: string[] = [];
      const login = declare(asked);
      const setup = setUp();
      takeAssertions(setup);
      const { world, as, server, options, connect } = setup;
      world.routes.set(`${idp}/token`, () =>
        json({
          access_token: "good-jag",
          token_type: "N_A",
          issued_token_type: idJag,
        }),
      );
      const evil = new AuthorizationServer(world, "https://evil.example.com");
      server.metadata["authorization_servers"] = [evil.issuer];
      expect(await failure(connect(oauth(options({ login }))))).toMatchObject({
        reason: "issuer",
      });
      expect(asked).toEqual([]);
      server.metadata["authorization_servers"] = [evil.issuer, issuer];
      const client = await connect(oauth(options({ login })));
      as.live.clear();
      server.metadata["authorization_servers"] = [evil.issuer];
      expect(await failure(client.listTools())).toMatchObject({
        reason: "issuer",
      });
      expect(asked).toEqual([issuer]);
      expect(world.to("evil.example.com/token")).toEqual([]);
    },
  );

  it("AUTH-26 is refused at declaration without an issuer", () => {
    expect(() =>
      workloadIdentity({ assertion: () => "good" } as never),
    ).toThrow("workloadIdentity needs `issuer`");
    expect(() => enterprise({ idp: {}, client: {} } as never)).toThrow(
      "enterprise needs `issuer`",
    );
  });
});

describe("a person of a company", () => {
  const idp = "https://idp.corp.example.com";
  const login = enterprise({
    idp: {
      tokenEndpoint: `${idp}/token`,
      client: { id: "at-idp", secret: "s1" },
    },
    subject: () => ({ token: "id-token" }),
    client: { id: "at-as", secret: "s2" },
    issuer,
  });
  const answer = {
    access_token: "good-jag",
    token_type: "N_A",
    issued_token_type: idJag,
    expires_in: 60,
  };

  it("is refused at declaration without the issuer or the token endpoint of the identity provider", () => {
    const declare = (idp: object) => () =>
      enterprise({
        idp: { client: { id: "at-idp" }, ...idp },
        subject: () => ({ token: "id-token" }),
        client: { id: "at-as" },
        issuer,
      });
    expect(declare({})).toThrow(
      new TypeError(
        "enterprise needs the issuer or the token endpoint of the identity provider.",
      ),
    );
    expect(declare({ issuer: idp })).not.toThrow();
    expect(declare({ tokenEndpoint: `${idp}/token` })).not.toThrow();
  });

  it("AUTH-74 AUTH-75 AUTH-77 is signed in by the identity provider and the authorization server, without a page", async () => {
    const setup = setUp({ revision: modern });
    takeAssertions(setup);
    const { world, as, server, options, connect } = setup;
    world.routes.set(`${idp}/token`, () => json(answer));
    await (await connect(oauth(options({ login })))).listTools();
    const [exchange, grant] = world.seen.filter(
      ({ url }) => url.pathname === "/token",
    );
    expect(exchange?.url.origin).toBe(idp);
    expect(exchange?.headers.get("authorization")).toBe(
      `Basic ${btoa("at-idp:s1")}`,
    );
    expect(exchange?.form).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      requested_token_type: idJag,
      audience: as.issuer,
      resource: server.url,
      subject_token: "id-token",
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    });
    expect(grant?.url.origin).toBe(as.issuer);
    expect(grant?.headers.get("authorization")).toBe(
      `Basic ${btoa("at-as:s2")}`,
    );
    expect(grant?.form).toEqual({
      grant_type: jwtBearer,
      resource: server.url,
      assertion: "good-jag",
    });
    expect([...world.to("/authorize"), ...world.to("/register")]).toEqual([]);
    const bodies = world.to(server.url).map(({ body }) => body);
    for (const body of bodies)
      expect(body).toContain(
        '"io.modelcontextprotocol/enterprise-managed-authorization":{}',
      );
  });

  it("AUTH-77 is signed in by an identity provider whose endpoint comes from the metadata of its issuer", async () => {
    const setup = setUp();
    takeAssertions(setup);
    const { world, options, connect } = setup;
    world.document(`${idp}/.well-known/openid-configuration`, {
      issuer: idp,
      token_endpoint: `${idp}/oauth`,
    });
    world.routes.set(`${idp}/oauth`, () => json(answer));
    const byIssuer = enterprise({
      idp: { issuer: idp, client: { id: "at-idp" } },
      subject: () => ({
        token: "assertion",
        type: "urn:ietf:params:oauth:token-type:saml2",
      }),
      client: { id: "at-as" },
      issuer,
    });
    await connect(oauth(options({ login: byIssuer })));
    expect(world.to(`${idp}/oauth`)[0]?.form).toMatchObject({
      client_id: "at-idp",
      subject_token_type: "urn:ietf:params:oauth:token-type:saml2",
    });
  });

  const inside = "https://10.1.2.3";
  it.each([{ issuer: inside }, { tokenEndpoint: `${inside}/token` }])(
    "AUTH-77 is signed in by an identity provider in the private network: %j",
    async (where) => {
      const setup = setUp();
      takeAssertions(setup);
      const { world, options, connect } = setup;
      world.document(`${inside}/.well-known/openid-configuration`, {
        issuer: inside,
        token_endpoint: `${inside}/token`,
      });
      world.routes.set(`${inside}/token`, () => json(answer));
      const near = enterprise({
        idp: { ...where, client: { id: "at-idp" } } as never,
        subject: () => ({ token: "id-token" }),
        client: { id: "at-as" },
        issuer,
      });
      await connect(oauth(options({ login: near })));
      expect(world.to(`${inside}/token`)).toHaveLength(1);
    },
  );

  it("AUTH-89 has no token of the identity provider in a URL, in an event or in a request to the authorization server", async () => {
    const setup = setUp();
    takeAssertions(setup);
    const { world, as, options, connect } = setup;
    const plain = {
      access_token: "corporate",
      token_type: "Bearer",
      issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
    };
    world.routes.set(`${idp}/token`, () => json(plain));
    const events: unknown[] = [];
    const error = await failure(
      connect(
        oauth(options({ login, onEvent: (event) => events.push(event) })),
      ),
    );
    expect(error).toMatchObject({ reason: "grant" });
    expect(world.to(`${as.issuer}/token`)).toEqual([]);
    world.routes.set(`${idp}/token`, () => json(answer));
    await connect(
      oauth(options({ login, onEvent: (event) => events.push(event) })),
    );
    const texts = [
      String(error),
      JSON.stringify(events),
      ...world.seen.map(({ url }) => url.href),
    ].join();
    for (const secret of ["corporate", "good-jag", "id-token"])
      expect(texts).not.toContain(secret);
  });
});
