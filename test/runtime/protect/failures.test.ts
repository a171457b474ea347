import {
  introspection,
  type JwtOptions,
  jwt,
  protect,
  type Verifier,
} from "@mcpgen/auth/protect";
import { afterEach, describe, expect, it, vi } from "vitest";
import { call, modernPost } from "../http/kit/messages.js";
import { endpoints, overSockets } from "../http/kit/server.js";
import { modern } from "../kit/index.js";
import { type Issuer, resource } from "./issuer.js";
import {
  bearer,
  challengeOf,
  protectedServers,
  sharedIssuer,
  type Setup,
} from "./serving.js";
import { isWhole } from "../../whole.js";

const metadataPath = "/.well-known/oauth-authorization-server";

afterEach(() => void vi.useRealTimers());

/** Calls a tool with a token, and returns the status. */
async function callWith({ send }: Setup, token: string): Promise<number> {
  const answer = await send(
    modernPost(modern, call(1, "read"), { headers: bearer(token) }),
  );
  const body = await answer.text();
  expect(body).not.toContain(token.split(".").at(-1));
  if (answer.status === 503) {
    expect(answer.header("retry-after")).toBe("5");
    expect(body).toBe('{"error":"temporarily_unavailable"}');
  }
  return answer.status;
}

/** Faults of the authorization server, and the report to the operator. */
const outages: readonly (readonly [
  string,
  RegExp,
  (issuer: Issuer) => void,
])[] = [
  [
    "fails",
    /answered with status 500/,
    (issuer) => (issuer.answer = () => ({ status: 500, text: "{}" })),
  ],
  [
    "has no metadata",
    /publishes no metadata/,
    (issuer) => (issuer.answer = () => ({ status: 404, text: "{}" })),
  ],
  [
    "answers with a page",
    /publishes no metadata/,
    (issuer) => (issuer.answer = () => ({ status: 200, text: "<p>" })),
  ],
  [
    "sends a document without an end",
    /sent more than 262144 bytes/,
    (issuer) =>
      (issuer.answer = () => ({ status: 200, text: "[".repeat(300_000) })),
  ],
  [
    "publishes the metadata of another one",
    /is the metadata of another issuer/,
    (issuer) =>
      (issuer.answer = metadata(issuer, { issuer: "https://other.example" })),
  ],
  [
    "has no keys",
    /jwks_uri of .* got nothing/,
    (issuer) => (issuer.answer = metadata(issuer, {})),
  ],
  [
    "has keys at an address that is not secure",
    /expected an https URL/,
    (issuer) =>
      (issuer.answer = metadata(issuer, {
        jwks_uri: "http://keys.example/jwks",
      })),
  ],
  [
    "publishes keys that cannot be read",
    /answered with status 200 instead of a key set/,
    (issuer) =>
      (issuer.answer = (path) =>
        path === "/jwks" ? { status: 200, text: "[]" } : undefined),
  ],
  [
    "publishes something else as keys",
    /JSON Web Key Set malformed/,
    (issuer) =>
      (issuer.answer = (path) =>
        path === "/jwks" ? { status: 200, text: '{"keys":7}' } : undefined),
  ],
];

const metadata =
  ({ issuer }: Issuer, more: object) =>
  (path: string) =>
    path === metadataPath
      ? { status: 200, text: JSON.stringify({ issuer, ...more }) }
      : undefined;

/** Invalid results of a verifier. */
const doubtful: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["false", false],
  ["nothing about the token", {}],
  ["only a subject", { sub: "ada" }],
  ["true", true],
  ["text", "ada"],
];

describe.each(endpoints)("a protected server behind $name", (httpEndpoint) => {
  const open = protectedServers(httpEndpoint);

  it.each(outages)(
    "answers with 503, reports the reason, and recovers if its authorization server %s",
    async (_, why, fail) => {
      const setup = await open();
      const { issuer } = setup;
      const token = await issuer.token();
      fail(issuer);
      expect(await callWith(setup, token)).toBe(503);
      expect(setup.log).toEqual([expect.stringMatching(why)]);
      expect(setup.log.join()).not.toContain(token.split(".").at(-1));
      expect(setup.callers).toEqual([]);
      issuer.answer = undefined;
      // The next request is sent after 5 seconds at the earliest, one for keys
      // after 30.
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
      expect(await callWith(setup, await issuer.token())).toBe(200);
    },
  );

  it("answers with 503 and reports the reason while its authorization server is down", async () => {
    const setup = await open();
    const token = await setup.issuer.token();
    await setup.issuer.stop();
    expect(await callWith(setup, token)).toBe(503);
    expect(setup.log).toEqual([expect.stringMatching(/could not be reached/)]);
    expect(setup.callers).toEqual([]);
  });

  it("sends its authorization server at most one request in 5 seconds while it fails, for any number of tokens", async () => {
    const setup = await open();
    setup.issuer.answer = () => ({ status: 500, text: "{}" });
    for (let i = 0; i < 20; i++)
      expect(
        await callWith(setup, await setup.issuer.token({ jti: String(i) })),
      ).toBe(503);
    expect(setup.issuer.requests).toEqual([metadataPath]);
  });

  it("is asked for its keys at most once in 5 seconds while it does not send them, however many tokens come", async () => {
    const story = await open();
    const { issuer } = story;
    const known = await issuer.token();
    const isDown = (path: string) =>
      path === "/jwks" ? { status: 500, text: "{}" } : undefined;
    const requestsForKeys = async (status: number): Promise<number> => {
      issuer.requests.length = 0;
      for (let i = 0; i < 10; i++)
        expect(
          await callWith(
            story,
            await issuer.token({ jti: String(i) }, { kid: String(i) }),
          ),
        ).toBe(status);
      return issuer.requests.filter((path) => path === "/jwks").length;
    };
    issuer.answer = isDown;
    expect(await requestsForKeys(503)).toBe(1);
    issuer.answer = undefined;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5000 });
    expect(await callWith(story, known)).toBe(200);
    issuer.answer = isDown;
    vi.setSystemTime(Date.now() + 31_000);
    expect(await requestsForKeys(503)).toBe(1);
    expect(await callWith(story, known)).toBe(200);
  });

  it("accepts a new key of its authorization server at once", async () => {
    const setup = await open();
    const { issuer } = setup;
    expect(await callWith(setup, await issuer.token())).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    await issuer.addKey("PS256");
    expect(await callWith(setup, await issuer.token())).toBe(200);
  });

  it("looks up an unknown key at most once in 30 seconds", async () => {
    const setup = await open();
    const { issuer } = setup;
    expect(await callWith(setup, await issuer.token())).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    const stranger = await issuer.addKey();
    issuer.keys.pop();
    for (let i = 0; i < 10; i++)
      expect(
        await callWith(
          setup,
          await issuer.token({ jti: String(i) }, {}, stranger),
        ),
      ).toBe(401);
    expect(issuer.requests.filter((path) => path === "/jwks")).toHaveLength(2);
  });

  it("rejects a key that is no longer published after its cache time", async () => {
    const setup = await open();
    const { issuer } = setup;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    await issuer.addKey("PS256");
    expect(await callWith(setup, await issuer.token())).toBe(200);
    const [old] = issuer.keys.splice(0, 1);
    const token = await issuer.token(
      { exp: Date.now() / 1000 + 3600 },
      {},
      old,
    );
    expect(await callWith(setup, token)).toBe(200);
    vi.setSystemTime(Date.now() + 601_000);
    expect(await callWith(setup, token)).toBe(401);
  });

  it("accepts a token that does not name its key, if its authorization server has several keys", async () => {
    const setup = await open();
    await setup.issuer.addKey();
    const named = setup.issuer.keys.map(({ jwk }) => jwk);
    const unnamed = named.map((jwk) => ({ ...jwk, kid: undefined }));
    setup.issuer.answer = (path) =>
      path === "/jwks"
        ? { status: 200, text: JSON.stringify({ keys: unnamed }) }
        : undefined;
    expect(
      await callWith(
        setup,
        await setup.issuer.token({}, { kid: undefined as never }),
      ),
    ).toBe(200);
    const stranger = await setup.issuer.addKey();
    expect(
      await callWith(
        setup,
        await setup.issuer.token({}, { kid: undefined as never }, stranger),
      ),
    ).toBe(401);
  });

  it.each(doubtful)(
    "accepts no token if its verifier returns %s",
    async (_, result) => {
      const setup = await open({ verify: () => result as never });
      expect(await callWith(setup, "opaque")).toBe(401);
      expect(setup.callers).toEqual([]);
    },
  );

  it("answers with 503 and reports the reason only to the operator if its verifier throws", async () => {
    const verify: Verifier = () => {
      throw new Error("The database is down.");
    };
    const setup = await open({ verify });
    expect(await callWith(setup, "opaque")).toBe(503);
    expect(await callWith(setup, "opaque")).toBe(503);
    expect(setup.log).toEqual([
      "Error: The database is down.",
      "Error: The database is down.",
    ]);
  });

  it.runIf(isWhole || httpEndpoint !== overSockets)(
    "verifies at most 4,000 new tokens at the same time, and answers with 503 to a request with another one",
    async () => {
      let finish = (): void => {};
      const finished = new Promise<void>((resolve) => (finish = resolve));
      let count = 0;
      let isFull = (): void => {};
      const full = new Promise<void>((resolve) => (isFull = resolve));
      const verify: Verifier = async () => {
        if (++count === 4000) isFull();
        await finished;
        return undefined;
      };
      const setup = await open({ verify });
      const waiting = Array.from({ length: 4000 }, (_, i) =>
        callWith(setup, `invented-${i}`),
      );
      await full;
      expect(await callWith(setup, "another")).toBe(503);
      expect(setup.log).toEqual([
        expect.stringMatching(
          /^Error: 4000 new tokens are being verified, .* Check that/,
        ),
      ]);
      finish();
      expect(new Set(await Promise.all(waiting))).toEqual(new Set([401]));
      expect(await callWith(setup, "another")).toBe(401);
    },
  );

  it("answers with 503 if introspection fails, and logs neither the token nor the secret", async () => {
    const endpoint = "http://127.0.0.1:1/introspect";
    const verify = introspection({
      id: "files",
      secret: "s3cret-of-the-server",
      endpoint,
    });
    const setup = await open({ verify });
    expect(await callWith(setup, "opaque-token")).toBe(503);
    expect(setup.log).toEqual([
      expect.stringMatching(
        /could not verify a token: http:.*could not be reached/,
      ),
    ]);
    expect(setup.log.join()).not.toMatch(/opaque-token|s3cret/);
  });

  it("checks the claims that a verifier of the user returns", async () => {
    const exp = Date.now() / 1000 + 60;
    const claims = {
      iss: "https://as.example.com",
      sub: "ada",
      aud: resource,
      exp,
    };
    const issuers = ["https://as.example.com"];
    const verify: Verifier = (token) =>
      token === "good" ? claims : { ...claims, aud: "https://other.example" };
    const setup = await open({ issuers, verify });
    expect(await callWith(setup, "good")).toBe(200);
    expect(await callWith(setup, "foreign-token")).toBe(401);
    expect(setup.callers).toMatchObject([
      { subject: "ada", clientId: undefined, scopes: [] },
    ]);
  });

  it("accepts another audience only if the option audience names it", async () => {
    const setup = await open({ audience: ["api://files"] });
    expect(
      await callWith(
        setup,
        await setup.issuer.token({ aud: ["x", "api://files"] }),
      ),
    ).toBe(200);
    expect(
      await callWith(
        setup,
        await setup.issuer.token({ aud: ["x", "api://other"] }),
      ),
    ).toBe(401);
  });

  it.each([
    ["https://h.example", ["x", "https://h.example/"], 200],
    ["https://h.example", ["x", "HTTPS://H.Example"], 200],
    ["https://h.example", ["x", "https://h.example:443"], 200],
    ["https://h.example", "https://h.example/mcp", 401],
    ["https://h.example", "http://h.example", 401],
    ["https://h.example", "https://h.example:444", 401],
    ["https://h.example", "https://ada@h.example/", 401],
    ["https://h.example/mcp", ["x", "https://H.EXAMPLE:443/mcp"], 200],
    ["https://h.example/mcp", "https://h.example/mcp/", 401],
    ["https://h.example/mcp", "https://h.example/MCP", 401],
    ["https://h.example/mcp", "https://h.example", 401],
    ["https://h.example/mcp", "https://h.example/mcp?a", 401],
  ])(
    "answers at %s to a token for %j with %i, as another form of its URL is the same",
    async (url, aud, status) => {
      const setup = await open({ resource: url });
      expect(await callWith(setup, await setup.issuer.token({ aud }))).toBe(
        status,
      );
    },
  );

  it.each([
    ["api://Files", 200],
    ["api://files", 401],
    ["URN:files", 401],
  ])(
    "answers to a token for %s with %i if an option lists two audiences",
    async (aud, status) => {
      const setup = await open({ audience: ["api://Files", "urn:files"] });
      expect(await callWith(setup, await setup.issuer.token({ aud }))).toBe(
        status,
      );
    },
  );

  it.each([
    [
      { aud: ["https://other.example/\u001b[2J", 7] },
      /another server.*`aud`.*"https:\/\/other\.example\/\\u001b\[2J".*"https:\/\/mcp\.example\.com\/mcp"/,
    ],
    [{ aud: undefined }, /another server.*`aud` is nothing/],
    [{ nbf: Date.now() / 1000 + 301 }, /not valid yet.*`nbf` is \d/],
    [{ sub: undefined, client_id: undefined }, /neither a user nor a client/],
  ])(
    "reports why it rejects an authentic token with the claims %j",
    async (claims, why) => {
      const setup = await open();
      const token = await setup.issuer.token(claims);
      expect(await callWith(setup, token)).toBe(401);
      expect(setup.log).toEqual([expect.stringMatching(why)]);
      expect(setup.log[0]).toContain(setup.issuer.issuer);
      expect(setup.log[0]).not.toContain(token.split(".").at(-1));
    },
  );

  it("reports the issuer of the claims that a verifier of the user returns, if it accepts another one", async () => {
    const verify: Verifier = () => ({
      iss: "https://other.example/",
      sub: "ada",
      aud: resource,
      exp: Date.now(),
    });
    const setup = await open({ verify });
    expect(await callWith(setup, "opaque")).toBe(401);
    expect(setup.log).toEqual([
      expect.stringMatching(
        /another issuer.*`iss` is "https:\/\/other\.example\/"/,
      ),
    ]);
  });

  it("does not report a token that has expired, or that no key of its authorization server signed", async () => {
    const setup = await open();
    const stranger = await setup.issuer.addKey();
    setup.issuer.keys.pop();
    const forged = await setup.issuer.token(
      { aud: "https://other" },
      { kid: setup.issuer.keys[0]?.kid ?? "" },
      stranger,
    );
    for (const token of [await setup.issuer.token({ exp: 1 }), forged])
      expect(await callWith(setup, token)).toBe(401);
    expect(setup.log).toEqual([]);
  });

  it.each([undefined, "application/AT+JWT"])(
    "accepts a token of the type %j as a JWT",
    async (typ) => {
      const setup = await open();
      expect(
        await callWith(
          setup,
          await setup.issuer.token({}, { typ: typ as never }),
        ),
      ).toBe(200);
      expect(setup.log).toEqual([]);
    },
  );

  it("reports a token of another type", async () => {
    const setup = await open();
    const { issuer } = setup;
    expect(
      await callWith(setup, await issuer.token({}, { typ: "logout+jwt" })),
    ).toBe(401);
    expect(setup.log).toEqual([
      expect.stringMatching(
        /`typ` is "logout\+jwt".*expected at\+jwt, JWT or none/,
      ),
    ]);
    expect(setup.log[0]).toContain(issuer.issuer);
  });

  it("uses the keys that it knows while its authorization server is down, for the time `staleKeys`, with a warning for each attempt to read them", async () => {
    const setup = await open({ verify: jwt({ staleKeys: 3_600_000 }) });
    const { issuer } = setup;
    const now = Date.now();
    const stranger = await issuer.addKey();
    issuer.keys.pop();
    expect(await callWith(setup, await issuer.token())).toBe(200);
    issuer.answer = () => ({ status: 502, text: "{}" });
    vi.useFakeTimers({ toFake: ["Date"], now });
    const after = async (
      minutes: number,
      key = issuer.keys[0],
    ): Promise<number> => {
      vi.setSystemTime(now + minutes * 60_000);
      return callWith(
        setup,
        await issuer.token({ jti: `${minutes} ${key?.kid}` }, {}, key),
      );
    };
    expect([await after(9), setup.log]).toEqual([200, []]);
    expect([await after(11), await after(11.01), setup.log.length]).toEqual([
      200, 200, 1,
    ]);
    expect(setup.log[0]).toMatch(/\/jwks answered with status 502.*used until/);
    expect([await after(30), await after(69)]).toEqual([200, 200]);
    expect(
      setup.log.splice(0).every((text) => text.includes("is not renewed")),
    ).toBe(true);
    // A key that is not known may have been published since.
    expect(await after(69.2, stranger)).toBe(503);
    expect(setup.log.splice(0).at(-1)).toMatch(
      /^Error: .*\/jwks answered with status 502/,
    );
    expect(await after(71)).toBe(503);
    expect(setup.log.splice(0).at(-1)).toMatch(
      /^Error: .*\/jwks answered with status 502/,
    );
    issuer.answer = undefined;
    expect([await after(72), setup.log]).toEqual([200, []]);
  });

  it.each([
    [{}, 70],
    [{ staleKeys: 0 }, 10],
  ] as const)(
    "uses the keys that it knows with the options %j for %i minutes while its authorization server is down",
    async (options, minutes) => {
      const now = Date.now();
      vi.useRealTimers();
      const setup = await open({ verify: jwt(options) });
      expect(await callWith(setup, await setup.issuer.token())).toBe(200);
      setup.issuer.answer = () => ({ status: 502, text: "{}" });
      vi.useFakeTimers({ toFake: ["Date"], now });
      for (const [time, status] of [
        [minutes - 1, 200],
        [minutes + 1, 503],
      ] as const) {
        vi.setSystemTime(now + time * 60_000);
        expect([
          time,
          await callWith(setup, await setup.issuer.token()),
        ]).toEqual([time, status]);
      }
    },
  );

  it("accepts the tokens of each of several authorization servers only with its own keys", async () => {
    const other = await open();
    const issuers = [other.issuer.issuer];
    const setup = await open({ issuers });
    expect(await callWith(setup, await other.issuer.token())).toBe(200);
    // The same claims, signed by a key of another issuer.
    const forged = await setup.issuer.token({ iss: other.issuer.issuer });
    expect(await callWith(setup, forged)).toBe(401);
    const answer = await setup.send(
      modernPost(modern, call(1, "read"), { headers: bearer(forged) }),
    );
    expect(challengeOf(answer)).toMatchObject({ error: "invalid_token" });
  });
});

describe("protect", () => {
  const issuer = sharedIssuer();

  it.each([
    [
      "a resource that is not a URL",
      { resource: "mcp" },
      'resource: expected an https URL, or an http URL of this machine, without a user name; got "mcp".',
    ],
    [
      "a resource without https",
      { resource: "http://mcp.example.com/mcp" },
      'resource: expected an https URL, or an http URL of this machine, without a user name; got "http://mcp.example.com/mcp".',
    ],
    [
      "a resource with a fragment",
      { resource: "https://mcp.example.com/mcp#" },
      "resource: expected a URL without a fragment, got https://mcp.example.com/mcp#.",
    ],
    [
      "no issuer",
      { issuers: [] },
      "issuers: expected at least one issuer, got an empty list.",
    ],
    [
      "no issuer beside a function",
      { issuers: () => true },
      "metadata: expected authorization_servers with at least one issuer, because `issuers` is a function.",
    ],
    [
      "an issuer without https",
      { issuers: ["http://as.example.com"] },
      'issuers[0]: expected an https URL, or an http URL of this machine, without a user name; got "http://as.example.com".',
    ],
    [
      "an issuer with a password",
      { issuers: ["https://a:b@as.example.com"] },
      'issuers[0]: expected an https URL, or an http URL of this machine, without a user name; got "https://a:b@as.example.com".',
    ],
  ])("throws for %s", (_, options, words) => {
    expect(() =>
      protect({ resource, issuers: [issuer.current.issuer], ...options }),
    ).toThrow(new TypeError(`protect: ${words}`));
  });

  it.each(["none", "HS256", "RSA1_5", ""])(
    "throws for tokens that are signed with %j",
    (name) => {
      expect(() =>
        jwt({ algorithms: ["ES256", name] } satisfies JwtOptions),
      ).toThrow(/not a signature algorithm/);
    },
  );
});
