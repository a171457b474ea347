import { memoryStore, oauth } from "@mcpgen/auth";
import { describe, expect, it } from "vitest";
import { failure } from "../kit/index.js";
import { json, type Seen, type Setup, setUp } from "./kit/index.js";

/**
 * A line break, an escape sequence, a control character of eight bits, and a
 * mark that reverses text.
 */
const evil = "x\r\nforged: line\u001b[2J\u009b1A\u202eevil";

/** Everything of an error that a program may print. */
const textOf = (error: Error): string => {
  const { message, code, cause } = error as Error & { code?: unknown };
  return [
    message,
    String(code),
    cause instanceof Error ? textOf(cause) : "",
  ].join(" ");
};

describe("the error of a client that is not authorized", () => {
  const metadataOf = (url: string) => (setup: Setup) =>
    (setup.server.metadata["authorization_servers"] = [url]);

  it.each<[string, (setup: Setup) => unknown]>([
    ["an issuer", metadataOf(`https://as.example.com/${evil}`)],
    [
      "an issuer with a letter of another script",
      metadataOf("https://as.example.com/ключ"),
    ],
    ["an issuer with a space", metadataOf("https://as.example.com/a b")],
    [
      "the issuer of a server without metadata",
      ({ world }) => {
        world.routes.delete(
          "https://mcp.example.com/.well-known/oauth-protected-resource/mcp",
        );
        world.document(
          "https://mcp.example.com/.well-known/oauth-authorization-server",
          {
            issuer: `https://mcp.example.com/${evil}`,
          },
        );
      },
    ],
    ["the issuer of metadata", ({ as }) => (as.metadata["issuer"] = evil)],
    ["the resource", ({ server }) => (server.metadata["resource"] = evil)],
    ["an endpoint", ({ as }) => (as.metadata["token_endpoint"] = evil)],
    [
      "a registration",
      ({ world }) =>
        world.routes.set("https://as.example.com/register", () =>
          json({ error: evil }, 400),
        ),
    ],
    [
      "the answer to a sign-in",
      ({ as }) => (as.answer = (params) => params.set("error", evil)),
    ],
    [
      "the state of an answer",
      ({ as }) => (as.answer = (params) => params.set("state", evil)),
    ],
    [
      "a second state of an answer",
      ({ as }) => (as.answer = (params) => params.append("state", evil)),
    ],
    [
      "an error of the token endpoint",
      ({ as }) => (as.tokenAnswer = () => json({ error: evil }, 400)),
    ],
    [
      "the type of a token",
      ({ as }) =>
        (as.tokenAnswer = () => json({ access_token: "a", token_type: evil })),
    ],
    [
      "an error of the network",
      ({ world }) =>
        world.routes.set("https://as.example.com/token", () => {
          throw new Error(evil);
        }),
    ],
  ])("shows %s of another party on one line, quoted", async (_, spoil) => {
    const setup = setUp();
    spoil(setup);
    const error = await failure(setup.connect());
    expect(error.name).toBe("AuthorizationError");
    expect(error.message).toMatch(/^[^\p{C}]{10,2000}$/u);
    expect(error.cause instanceof Error ? error.cause.message : "").not.toMatch(
      /\p{C}/u,
    );
  });

  it.each([
    "https://as.example.com/\u001b",
    "https://as.example.com/ключ",
    "https://as.example.com/a b",
  ])(
    "refuses the issuer %j, which is not printable ASCII, before anything is sent to it",
    async (issuer) => {
      const { world, server, connect } = setUp();
      server.metadata["authorization_servers"] = [issuer];
      expect(await failure(connect())).toMatchObject({
        reason: "metadata",
        message: expect.stringContaining("must be printable ASCII") as string,
      });
      expect(world.to("as.example.com")).toEqual([]);
    },
  );

  it.each(
    ["client_secret_basic", "client_secret_post"].flatMap((method) => [
      [method, 400, "error_description"] as const,
      [method, 401, "error"] as const,
      [method, 200, "error"] as const,
    ]),
  )(
    "with %s has no secret that was sent, although an answer with status %i repeats the request as its %s",
    async (method, status, name) => {
      const secret = 's3 cr"et/+%';
      const client = { id: "ours", secret, issuer: "https://as.example.com" };
      const repeat = ({ body, headers, form }: Seen): string =>
        [...Object.values(form), ...headers.values(), body].join(" ");
      const { world, as, options, connect } = setUp();
      as.metadata["token_endpoint_auth_methods_supported"] = [method];
      const auth = oauth(options({ client }));
      const connected = await connect(auth);
      world.routes.set("https://as.example.com/revoke", (seen) =>
        json({ error: repeat(seen) }, 400),
      );
      as.tokenAnswer = (seen) =>
        json({ error: "invalid_request", [name]: repeat(seen) }, status);
      const errors = [await failure(connect(oauth(options({ client }))))];
      expect(errors[0]?.message).toContain("[hidden]");
      as.live.clear();
      errors.push(await failure(connected.listTools()));
      errors.push(await failure(auth.logout("https://mcp.example.com/mcp")));
      expect(errors.map((one) => one.name)).toEqual(
        errors.map(() => "AuthorizationError"),
      );
      const basic = Buffer.from(`ours:${encodeURIComponent(secret)}`)
        .toString("base64")
        .slice(0, 16);
      const secrets = [
        secret,
        encodeURIComponent(secret),
        "s3",
        basic,
        "code-",
        "access-",
        "refresh-",
      ];
      for (const error of errors)
        expect(secrets.filter((one) => textOf(error).includes(one))).toEqual(
          [],
        );
    },
  );

  it.each([
    [403, 'error="insufficient_scope", scope="TOKEN"'],
    [401, 'resource_metadata="ftp://TOKEN.example.com/"'],
  ] as const)(
    "has no token, although the server repeats it with status %i in the challenge %s",
    async (status, challenge) => {
      const store = memoryStore();
      const { world, server, options, connect } = setUp();
      await connect(oauth(options({ store })));
      const client = await connect(oauth({ store, fetch: world.fetch }));
      world.routes.delete(
        "https://mcp.example.com/.well-known/oauth-protected-resource/mcp",
      );
      server.refusal = (authorization) => {
        const header = `Bearer ${challenge.replace("TOKEN", authorization.replace("Bearer ", ""))}`;
        return new Response(null, {
          status,
          headers: { "www-authenticate": header },
        });
      };
      const error = await failure(client.callTool({ name: "echo" }));
      expect(error.name).toBe("AuthorizationError");
      expect(textOf(error)).not.toContain("access-");
    },
  );

  it.each([
    ["begins", "abc", "abcdef"],
    ["begins", "abcdef", "abc"],
    ["ends", "def", "abcdef"],
    ["ends", "abcdef", "def"],
  ])(
    "has no part of a secret that %s with another one: the code %s, the secret %s",
    async (_, code, secret) => {
      const { as, options, connect } = setUp();
      as.metadata["token_endpoint_auth_methods_supported"] = [
        "client_secret_post",
      ];
      as.answer = (params) => params.set("code", code);
      as.tokenAnswer = ({ form }) =>
        json(
          {
            error: "invalid_request",
            error_description: `${form["client_secret"]} ${form["code"]}`,
          },
          400,
        );
      const client = { id: "ours", secret, issuer: as.issuer };
      const { message } = await failure(connect(oauth(options({ client }))));
      expect(message).toContain('"[hidden] [hidden]"');
    },
  );

  it.each(["grant_type", "client_id", "redirect_uri", "resource"])(
    "shows what was sent as %s, which is no secret, if an answer repeats it",
    async (name) => {
      const { as, options, connect } = setUp();
      let sent = "";
      as.tokenAnswer = ({ form }) => {
        sent = form[name] ?? "";
        const text = `no ${sent}`;
        return json({ error: "invalid_request", error_description: text }, 400);
      };
      const { message } = await failure(connect(oauth(options())));
      expect(sent).not.toBe("");
      expect(message).toContain(`no ${sent}`);
    },
  );

  it("has no secret that the option fetch repeats in its own error", async () => {
    const { world, as, options, connect } = setUp();
    as.metadata["token_endpoint_auth_methods_supported"] = [
      "client_secret_basic",
    ];
    const client = { id: "ours", secret: "s3cret-of-ours", issuer: as.issuer };
    const fetch: typeof world.fetch = (url, init) => {
      if (!String(url).endsWith("/token")) return world.fetch(url, init);
      const { authorization } = Object.fromEntries(
        new Headers(init?.headers as Record<string, string>),
      );
      throw new TypeError(
        `invalid header ${String(authorization)} of ${atob(String(authorization).slice(6))}`,
      );
    };
    const error = await failure(connect(oauth(options({ fetch, client }))));
    expect(error).toMatchObject({ reason: "network" });
    expect(textOf(error)).not.toMatch(/s3cret|b3Vyczpz/);
  });
});
