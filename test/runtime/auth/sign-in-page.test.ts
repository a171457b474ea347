import {
  memoryStore,
  oauth,
  type OAuthOptions,
  tokenStore,
  type TokenStore,
} from "@mcpgen/auth";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memorySharedStore } from "../../../src/runtime/cluster/store.js";
import { failure } from "../kit/index.js";
import { AuthorizationServer, type Setup, setUp } from "./kit/index.js";

const page = "https://app.example.com/signed-in";

/**
 * Returns a function that handles one request of a person. Each request has a
 * new `oauth`, as in another process.
 */
function application({ options }: Setup, more: OAuthOptions = {}) {
  const store = memoryStore();
  return (account: string) =>
    oauth(options({ login: { page }, store, account, ...more }));
}

/**
 * Connects for a person who has not signed in, and returns the page to send the
 * person to.
 */
async function begin(
  { connect }: Setup,
  auth: ReturnType<typeof oauth>,
): Promise<string> {
  const error = (await failure(connect(auth))) as Error & {
    signInUrl?: string;
  };
  expect(error).toMatchObject({
    name: "AuthorizationError",
    reason: "login-required",
  });
  return error.signInUrl ?? "";
}

/** The URL to which the authorization server redirects the person. */
async function visit({ world }: Setup, url: string): Promise<string> {
  const { headers } = await world.fetch(url);
  return headers.get("location") ?? "";
}

describe("a web application", () => {
  afterEach(() => void vi.useRealTimers());

  it("AUTH-35 sends a person to the sign-in page, and accepts the response in another request or process", async () => {
    const scene = setUp();
    const authFor = application(scene);
    const answer = await visit(scene, await begin(scene, authFor("ann")));
    expect(answer).toContain(`${page}?code=`);
    expect((await authFor("ann").answer(answer)).href).toBe(scene.server.url);
    await (await scene.connect(authFor("ann"))).listTools();
    expect(scene.as.registrations).toMatchObject([
      { redirect_uris: [page], application_type: "web" },
    ]);
  });

  it("calls onEvent with each step of a sign-in, also when a person is sent to the page again", async () => {
    const scene = setUp();
    const { issuer } = scene.as;
    const events: unknown[] = [];
    const authFor = application(scene, {
      onEvent: (event) => events.push(event),
    });
    await begin(scene, authFor("ann"));
    const url = await begin(scene, authFor("ann"));
    await authFor("ann").answer(await visit(scene, url));
    const server = scene.server.url;
    const [discover, register, signIn, token] = [
      { step: "discover", server },
      { step: "register", server, issuer },
      { step: "sign-in", server, issuer },
      { step: "token", server, issuer },
    ];
    expect(events).toEqual([
      discover,
      register,
      signIn,
      discover,
      signIn,
      discover,
      token,
    ]);
  });

  it("keeps the tokens of its users separate", async () => {
    const scene = setUp();
    const authFor = application(scene);
    const [ann, bob] = [
      await begin(scene, authFor("ann")),
      await begin(scene, authFor("bob")),
    ];
    await authFor("bob").answer(await visit(scene, bob));
    await scene.connect(authFor("bob"));
    expect(await failure(scene.connect(authFor("ann")))).toMatchObject({
      reason: "login-required",
    });
    await authFor("ann").answer(await visit(scene, ann));
    await scene.connect(authFor("ann"));
    const tokens = scene.world
      .to("/mcp")
      .map(({ headers }) => headers.get("authorization"));
    expect(new Set(tokens.filter((token) => token !== null)).size).toBe(2);
  });

  const answered = async () => {
    const scene = setUp();
    const authFor = application(scene);
    return {
      authFor,
      answer: await visit(scene, await begin(scene, authFor("mallory"))),
    };
  };
  const refusal = new TypeError(
    "This account has no pending sign-in for this answer.",
  );

  it("rejects a response to the sign-in of another person", async () => {
    const { authFor, answer } = await answered();
    await expect(authFor("ann").answer(answer)).rejects.toThrow(refusal);
  });

  it("rejects a response that was used before", async () => {
    const { authFor, answer } = await answered();
    await authFor("mallory").answer(answer);
    await expect(authFor("mallory").answer(answer)).rejects.toThrow(refusal);
  });

  it("rejects a response to no sign-in", async () => {
    const { authFor } = await answered();
    await expect(
      authFor("ann").answer(`${page}?code=1&state=x`),
    ).rejects.toThrow(refusal);
    await expect(authFor("ann").answer(page)).rejects.toThrow(refusal);
  });

  const stores: readonly (readonly [string, () => TokenStore])[] = [
    ["in memory", memoryStore],
    [
      "that processes share",
      () => tokenStore(memorySharedStore(), { secrets: ["s".repeat(32)] }),
    ],
  ];
  it.each(stores)(
    "uses a response once that arrives twice at once, with a store %s",
    async (_, makeStore) => {
      const scene = setUp();
      const authFor = application(scene, { store: makeStore() });
      const answer = await visit(scene, await begin(scene, authFor("ann")));
      const results = await Promise.allSettled([
        authFor("ann").answer(answer),
        authFor("ann").answer(answer),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual([
        "fulfilled",
        "rejected",
      ]);
      expect(scene.world.to("as.example.com/token")).toHaveLength(1);
      await scene.connect(authFor("ann"));
    },
  );

  it("sends two tabs of one person to the same sign-in, and either tab may end it", async () => {
    const scene = setUp();
    const store = memoryStore();
    let count = 0;
    const counted: TokenStore = {
      ...store,
      set: (key, value) => {
        if (value?.kind === "sign-in") count++;
        return store.set(key, value);
      },
    };
    const authFor = application(scene, { store: counted });
    const [first, second] = [
      await begin(scene, authFor("ann")),
      await begin(scene, authFor("ann")),
    ];
    expect(second).toBe(first);
    expect(count).toBe(1);
    expect(scene.as.registrations).toHaveLength(1);
    await authFor("ann").answer(await visit(scene, second));
    await scene.connect(authFor("ann"));
  });

  it("starts a new sign-in if one is too old, and rejects the response to the old one", async () => {
    const scene = setUp();
    const authFor = application(scene, { loginTimeout: 60_000 });
    const first = await begin(scene, authFor("ann"));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_001 });
    await expect(
      authFor("ann").answer(await visit(scene, first)),
    ).rejects.toThrow("no pending sign-in");
    expect(await begin(scene, authFor("ann"))).not.toBe(first);
  });

  it("rejects a response to a sign-in if the server has moved to another authorization server since", async () => {
    const scene = setUp();
    const authFor = application(scene);
    const first = await begin(scene, authFor("ann"));
    const moved = new AuthorizationServer(
      scene.world,
      "https://new.example.com",
    );
    scene.server.as = moved;
    scene.server.metadata["authorization_servers"] = [moved.issuer];
    await expect(
      authFor("ann").answer(await visit(scene, first)),
    ).rejects.toThrow(
      "mcp.example.com has moved from https://as.example.com to https://new.example.com since the sign-in began. Begin again.",
    );
  });

  it("starts a new sign-in if the server has moved while an answer is awaited", async () => {
    const scene = setUp();
    const authFor = application(scene);
    await begin(scene, authFor("ann"));
    const moved = new AuthorizationServer(
      scene.world,
      "https://new.example.com",
    );
    scene.server.as = moved;
    scene.server.metadata["authorization_servers"] = [moved.issuer];
    const second = await begin(scene, authFor("ann"));
    await authFor("ann").answer(await visit(scene, second));
    await scene.connect(authFor("ann"));
  });

  it("AUTH-36 gets an error if the person refuses, or if the response is from another issuer", async () => {
    const scene = setUp();
    const authFor = application(scene);
    scene.as.answer = (params) => {
      params.delete("code");
      params.set("error", "access_denied");
    };
    const denied = await visit(scene, await begin(scene, authFor("ann")));
    expect(await failure(authFor("ann").answer(denied))).toMatchObject({
      reason: "denied",
      code: "access_denied",
    });
    scene.as.answer = (params) => params.set("iss", "https://evil.example.com");
    const mixed = await visit(scene, await begin(scene, authFor("ann")));
    expect(await failure(authFor("ann").answer(mixed))).toMatchObject({
      reason: "issuer",
    });
    expect(scene.world.to("as.example.com/token")).toEqual([]);
  });

  it("AUTH-57 gets more scopes with another sign-in, and refreshes its tokens without one", async () => {
    const scene = setUp();
    const authFor = application(scene);
    await authFor("ann").answer(
      await visit(scene, await begin(scene, authFor("ann"))),
    );
    scene.as.live.clear();
    const client = await scene.connect(authFor("ann"));
    await client.listTools();
    scene.server.refusal = (_, body) =>
      body.includes("tools/list") && !scene.person.pageParams["scope"]
        ? new Response(null, {
            status: 403,
            headers: {
              "www-authenticate":
                'Bearer error="insufficient_scope", scope="files:write"',
            },
          })
        : undefined;
    const error = (await failure(client.listTools())) as Error & {
      signInUrl?: string;
    };
    expect(error).toMatchObject({ reason: "login-required" });
    expect(new URL(error.signInUrl ?? "").searchParams.get("scope")).toBe(
      "files:write",
    );
  });
});

describe("processes that share a store of tokens", () => {
  const secrets = ["the secret of all processes, of 32 bytes"];

  it("AUTH-35 finish in one process what a person began in another, and then call without a sign-in", async () => {
    const scene = setUp();
    const shared = memorySharedStore();
    const process = () =>
      application(scene, { store: tokenStore(shared, { secrets }) })("ann");
    const answer = await visit(scene, await begin(scene, process()));
    await process().answer(answer);
    await (await scene.connect(process())).listTools();
    await expect(process().answer(answer)).rejects.toThrow(
      "no pending sign-in",
    );
  });

  it("refresh a rejected token once", async () => {
    const scene = setUp();
    const shared = memorySharedStore();
    const process = () =>
      oauth(scene.options({ store: tokenStore(shared, { secrets }) }));
    await scene.connect(process());
    const clients = [];
    for (let index = 0; index < 6; index++)
      clients.push(await scene.connect(process()));
    scene.as.live.clear();
    await Promise.all(clients.map((client) => client.listTools()));
    const grants = scene.world
      .to("as.example.com/token")
      .map(({ form }) => form["grant_type"]);
    expect(grants).toEqual(["authorization_code", "refresh_token"]);
  });
});
