import { BlockList, isIP } from "node:net";
import { isAuthorizationError, oauth } from "@mcpgen/auth";
import { guardedFetch } from "@mcpgen/auth/login";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Setup, setUp, type World } from "./kit/index.js";
import { isWhole } from "../../whole.js";

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(
  () =>
    void process.on("unhandledRejection", note).on("uncaughtException", note),
);
afterAll(
  () =>
    void process.off("unhandledRejection", note).off("uncaughtException", note),
);

const count = Number(process.env["FUZZ_RUNS"] ?? (isWhole ? 150 : 30));

const places = {
  resource: "https://mcp.example.com/.well-known/oauth-protected-resource/mcp",
  issuer: "https://as.example.com/.well-known/oauth-authorization-server",
  register: "https://as.example.com/register",
  token: "https://as.example.com/token",
  revoke: "https://as.example.com/revoke",
} as const;
type Place = keyof typeof places;

const urls = [
  "https://as.example.com",
  "https://as.example.com/",
  "https://third.example.com/x",
  "https://third.example.com\\@127.0.0.1/",
  "http://third.example.com/x",
  "https://169.254.169.254/latest/meta-data/",
  "http://169.254.169.254/",
  "https://127.0.0.1:8443/x",
  "https://0x7f000001/x",
  "https://017700000001/x",
  "https://127.1/x",
  "https://１２７.0.0.1/x",
  "https://localhost/x",
  "https://x.localhost./x",
  "https://[::1]/x",
  "https://[::ffff:169.254.169.254]/x",
  "https://[64:ff9b::7f00:1]/x",
  "https://10.0.0.1/x",
  "https://metadata.google.internal/x",
  "https://user:pass@third.example.com/",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "data:application/json,{}",
  "//127.0.0.1/x",
  "",
  "https://",
];

const deep = `${'{"a":['.repeat(20_000)}${"]}".repeat(20_000)}`;

/** A value that replaces a valid one. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...urls),
  fc.constantFrom(...urls).map((url) => [url]),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1e308,
    "S256",
    ["S256"],
    [[]],
    {},
    "\u0000\u001b[2J\r\nset-cookie: x",
  ),
  fc.constantFrom(
    "x".repeat(5_000),
    Array.from({ length: 5_000 }, () => "https://third.example.com"),
  ),
);

const members = fc.constantFrom(
  ...[
    "resource authorization_servers scopes_supported bearer_methods_supported issuer authorization_endpoint token_endpoint",
    "registration_endpoint revocation_endpoint code_challenge_methods_supported token_endpoint_auth_methods_supported",
    "grant_types_supported client_id_metadata_document_supported dpop_signing_alg_values_supported jwks_uri",
    "authorization_response_iss_parameter_supported device_authorization_endpoint client_id client_secret client_secret_expires_at",
    "token_endpoint_auth_method access_token refresh_token token_type expires_in scope id_token error error_description __proto__",
    "constructor toString then hasOwnProperty",
  ].flatMap((line) => line.split(" ")),
);

/** A change of one document or response. */
type Change =
  | {
      readonly kind: "members";
      readonly members: readonly (readonly [string, unknown])[];
    }
  | { readonly kind: "text"; readonly text: string; readonly type: string }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "redirect"; readonly status: number; readonly to: string };

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("members" as const),
      members: fc.array(fc.tuple(members, value), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  fc.record({
    kind: fc.constant("text" as const),
    text: fc.oneof(
      fc.constantFrom(
        "",
        "null",
        "[]",
        "<p>",
        deep,
        "{",
        '{"a":',
        "\ufeff{}",
        "access_token=&error",
        "a=%",
      ),
      fc.constantFrom("x".repeat(300_000), `{"x":"${"y".repeat(10_000_000)}"}`),
      fc.constantFrom(
        '{"__proto__":{"polluted":1}}',
        '{"constructor":{"prototype":{"polluted":1}}}',
      ),
      fc.string(),
      fc.json(),
    ),
    type: fc.constantFrom(
      "application/json",
      "text/html",
      "application/x-www-form-urlencoded",
      "x",
    ),
  }),
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.constantFrom(201, 204, 304, 400, 401, 403, 418, 500, 503),
  }),
  fc.record({
    kind: fc.constant("redirect" as const),
    status: fc.constantFrom(301, 302, 303, 307, 308),
    to: fc.constantFrom(...urls, ...Object.values(places)),
  }),
);

/** JSON with the changed members, which may be named `__proto__`. */
function withMembers(
  text: string,
  changed: readonly (readonly [string, unknown])[],
): string {
  const names = new Set(changed.map(([name]) => name));
  const others = Object.entries(JSON.parse(text || "{}") as object).filter(
    ([name]) => !names.has(name),
  );
  const pairs = [...others, ...changed].map(
    ([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one) ?? "null"}`,
  );
  return `{${pairs.join(",")}}`;
}

function spoil(world: World, place: Place, what: Change): void {
  const right = world.routes.get(places[place]);
  world.routes.set(places[place], async (seen, init) => {
    if (what.kind === "status")
      return new Response(null, { status: what.status });
    if (what.kind === "redirect")
      return new Response(null, {
        status: what.status,
        headers: { location: what.to },
      });
    if (what.kind === "text")
      return new Response(what.text, {
        headers: { "content-type": what.type },
      });
    const answer = await right?.(seen, init);
    const headers = { "content-type": "application/json" };
    return new Response(
      withMembers((await answer?.text()) ?? "", what.members),
      {
        status: answer?.status ?? 200,
        headers,
      },
    );
  });
}

const inner = new BlockList();
for (const [address, length] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  inner.addSubnet(address, length, "ipv4");
inner.addSubnet("::", 3, "ipv6");
inner.addSubnet("fc00::", 6, "ipv6");

/**
 * The requests that must never be made, and the pages that must never be
 * opened.
 */
function wrongIn({ world, person }: Setup): string[] {
  const isWrong = ({ protocol, hostname }: URL): boolean => {
    const host = hostname.replace(/[[\]]/g, "");
    const isInner =
      isIP(host) === 0
        ? /localhost|internal/.test(host)
        : inner.check(host, `ipv${isIP(host) as 4}`);
    return protocol !== "https:" || isInner;
  };
  return [...world.seen.map(({ url }) => url), ...person.pages]
    .filter(isWrong)
    .map((url) => url.href);
}

/**
 * The requests that send a token to other hosts than the server, its
 * authorization server and the hosts in `named`.
 */
function leaksIn({ world, server }: Setup, named = ""): string[] {
  return world.seen
    .filter(({ url, body, headers }) => {
      const text = [url.href, body, ...[...headers].flat()].join("\n");
      const isToServer = url.href === server.url;
      const isToIssuer =
        url.host === "as.example.com" || named.includes(url.host);
      return (
        /(access|refresh)-\d/.test(url.href) ||
        (/access-\d/.test(text) && !isToServer && !isToIssuer) ||
        (/refresh-\d/.test(text) && !isToIssuer)
      );
    })
    .map(({ url }) => url.href);
}

/** Uses a server like a program, and returns the errors of the steps. */
async function use(setup: Setup): Promise<unknown[]> {
  const { as, server, options, connect } = setup;
  const failures: unknown[] = [];
  const auth = oauth(options({ loginTimeout: 50 }));
  const step = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  };
  await step(async () => {
    const client = await connect(auth);
    await step(() => client.listTools());
    as.live.clear();
    await step(() => client.listTools());
  });
  await step(() => auth.logout(server.url));
  return failures;
}

describe("a client with hostile servers", () => {
  it("gets a token or an AuthorizationError, requests nothing in a private network, and sends tokens to no other server", async () => {
    const place = fc.constantFrom(...(Object.keys(places) as Place[]));
    const before = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    const reasons = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(place, change), { minLength: 1, maxLength: 2 }),
        async (changes) => {
          const setup = setUp();
          for (const [where, what] of changes) spoil(setup.world, where, what);
          const failures = await use(setup);
          for (const error of failures) {
            const isOurs = isAuthorizationError(error);
            if (!isOurs) throw error;
            reasons.set(error.reason, (reasons.get(error.reason) ?? 0) + 1);
            expect(error.message).toMatch(/^[^\p{Cc}]{10,2000}$/u);
            expect(error.message).not.toMatch(/(access|refresh)-\d/);
          }
          const named = JSON.stringify(
            changes.filter(([where]) => where === "issuer"),
          );
          expect(wrongIn(setup)).toEqual([]);
          expect(leaksIn(setup, named)).toEqual([]);
        },
      ),
      { numRuns: count },
    );
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(
      before,
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    // Thirty random values may give few reasons.
    expect(reasons.size).toBeGreaterThan(isWhole ? 3 : 0);
    expect(unhandled).toEqual([]);
  });

  it("makes no request into a private network and does not crash for any challenge", async () => {
    const name = fc.constantFrom(
      "resource_metadata",
      "scope",
      "error",
      "realm",
      "Resource_Metadata",
      "__proto__",
    );
    const text = fc.oneof(
      fc.constantFrom(...urls),
      fc.string({ maxLength: 40 }),
    );
    const pair = fc
      .tuple(name, text)
      .map(([key, one]) => `${key}="${one.replace(/["\\]/g, "\\$&")}"`);
    const scheme = fc.constantFrom(
      "Bearer",
      "bearer",
      "DPoP",
      "Negotiate",
      "Basic",
      "",
    );
    const challenge = fc
      .array(
        fc
          .tuple(scheme, fc.array(pair, { maxLength: 3 }))
          .map(([one, pairs]) => `${one} ${pairs.join(", ")}`),
        { maxLength: 3 },
      )
      .map((all) => all.join(", ").replace(/[^\t\x20-\x7e]/g, "?"));
    await fc.assert(
      fc.asyncProperty(challenge, fc.boolean(), async (header, isStepUp) => {
        const setup = setUp();
        const headers = { "www-authenticate": header };
        if (isStepUp)
          setup.server.refusal = (_, body) =>
            body.includes("tools/list")
              ? new Response(null, { status: 403, headers })
              : undefined;
        else setup.server.challenge = header;
        const failures = await use(setup);
        for (const error of failures) {
          // The caller gets a 403 that is not about a scope.
          const isRefusal =
            (error as Error).name === "TransportError" && isStepUp;
          if (!isAuthorizationError(error) && !isRefusal) throw error;
        }
        expect(setup.person.count).toBeLessThanOrEqual(4);
        expect(wrongIn(setup)).toEqual([]);
        expect(leaksIn(setup)).toEqual([]);
      }),
      { numRuns: count },
    );
    expect(unhandled).toEqual([]);
  });

  it("does not connect to a host name that resolves to a private address, at any step", async () => {
    const address = fc.constantFrom(
      ...[
        "127.0.0.1 127.255.255.254 0.0.0.0 10.0.0.1 172.31.0.1 192.168.0.1 100.64.0.1",
        "169.254.169.254 ::1 :: ::ffff:127.0.0.1 ::ffff:a9fe:a9fe fe80::1%lo fd00::1",
        "64:ff9b::7f00:1 2002:7f00:1:: 2001::80ff:fffe 2001:1ff::1",
      ].flatMap((line) => line.split(" ")),
    );
    const outer = "93.184.216.34";
    const endpoints = [
      "token_endpoint",
      "registration_endpoint",
      "revocation_endpoint",
    ] as const;
    const where = fc.constantFrom("issuer", "redirect", ...endpoints);
    await fc.assert(
      fc.asyncProperty(
        fc.array(address, { minLength: 1, maxLength: 3 }),
        where,
        async (addresses, step) => {
          const setup = setUp();
          const { as, world, server, options, connect } = setup;
          const url = "https://inside.example.com";
          if (step === "issuer")
            server.metadata["authorization_servers"] = [url];
          else if (step === "redirect")
            world.routes.set(
              places.issuer,
              () =>
                new Response(null, { status: 302, headers: { location: url } }),
            );
          else as.metadata[step] = `${url}/x`;
          const hosts: string[] = [];
          const lookup = async (
            host: string,
          ): Promise<{ address: string; family: number }[]> => {
            hosts.push(host);
            const all =
              host === "inside.example.com" ? [outer, ...addresses] : [outer];
            return all.map((one) => ({
              address: one,
              family: one.includes(":") ? 6 : 4,
            }));
          };
          const guarded = guardedFetch({ lookup });
          const auth = oauth(
            options({
              fetch: (target, init, rules) =>
                target.hostname === "inside.example.com"
                  ? guarded(target, init, rules)
                  : world.fetch(target, init),
            }),
          );
          const failures: unknown[] = [];
          try {
            const client = await connect(auth);
            await client.listTools();
            await auth.logout(server.url);
          } catch (error) {
            failures.push(error);
          }
          expect(failures).toMatchObject([
            { name: "AuthorizationError", reason: "unsafe-url" },
          ]);
          expect(hosts).toContain("inside.example.com");
        },
      ),
      { numRuns: count },
    );
  });
});
