import { memoryStore, oauth, type TokenStore } from "@mcpgen/auth";
import { http, sse } from "@mcpgen/runtime/http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gate, until } from "../kit/watch.js";
import { failure, legacy, makeClient, turns } from "../kit/index.js";
import {
  json,
  refused,
  type Seen,
  type Setup,
  setUp,
  World,
} from "./kit/index.js";

const grants = (world: World): string[] =>
  world
    .to("as.example.com/token")
    .map(({ form }) => String(form["grant_type"]));
const bearers = (world: World): (string | null)[] =>
  world
    .to("mcp.example.com/mcp")
    .map(({ headers }) => headers.get("authorization"));

/** An answer with JSON, or with a text. */
const answerWith = (status: number, body: string | object): Response =>
  typeof body === "string"
    ? new Response(body, { status })
    : json(body, status);

const unauthorized = ({ challenge }: Setup["server"]): Response =>
  new Response(null, {
    status: 401,
    headers: { "www-authenticate": challenge },
  });

describe("a token", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());
  const later = (seconds: number): void =>
    void vi.setSystemTime(Date.now() + seconds * 1000);

  const closed = async () => {
    const { world, server, connect } = setUp();
    const client = await connect();
    await client.listTools();
    await client.close();
    return { world, server };
  };

  it("AUTH-50 is sent in a header of every request", async () => {
    const { world, server } = await closed();
    const sent = world.seen.filter(({ url }) =>
      url.href.startsWith(server.url),
    );
    const [first, ...others] = sent;
    expect(first?.headers.get("authorization")).toBe(null);
    expect(
      new Set(others.map(({ headers }) => headers.get("authorization"))),
    ).toEqual(new Set(["Bearer access-2"]));
    expect(new Set(others.map(({ method }) => method))).toEqual(
      new Set(["POST", "GET", "DELETE"]),
    );
  });

  it("AUTH-50 is never sent in a URL", async () => {
    const { world } = await closed();
    expect(
      world.seen.filter(({ url }) => url.href.includes("access-")),
    ).toEqual([]);
  });

  it("AUTH-50 is sent with the stream and the messages of HTTP+SSE too", async () => {
    const { world, as, options } = setUp();
    const base = "https://sse.example.com";
    const isKnown = ({ headers }: Seen): boolean =>
      as.live.has((headers.get("authorization") ?? "").slice(7));
    const no = (): Response => new Response(null, { status: 401 });
    world.document(`${base}/.well-known/oauth-protected-resource/sse`, {
      resource: `${base}/sse`,
      authorization_servers: [as.issuer],
    });
    let push!: (event: string) => void;
    world.routes.set(`${base}/sse`, (seen) => {
      if (!isKnown(seen)) return no();
      const body = new ReadableStream({
        start: (controller) => {
          push = (event) => controller.enqueue(new TextEncoder().encode(event));
          push("event: endpoint\ndata: /messages\n\n");
        },
      });
      return new Response(body, {
        headers: { "content-type": "text/event-stream" },
      });
    });
    world.routes.set(`${base}/messages`, (seen) => {
      if (!isKnown(seen)) return no();
      const { id, method } = JSON.parse(seen.body) as {
        id?: number;
        method: string;
      };
      const opened = {
        protocolVersion: legacy.revision,
        capabilities: { tools: {} },
        serverInfo: { name: "x", version: "1" },
      };
      const result = method === "initialize" ? opened : { tools: [] };
      if (id !== undefined)
        push(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
      return new Response(null, { status: 202 });
    });
    const transport = sse(`${base}/sse`, {
      auth: oauth(options()),
      fetch: world.fetch,
    });
    await using client = await makeClient(legacy.protocol, transport);
    expect(await client.listTools()).toEqual({ tools: [] });
    as.live.clear();
    expect(await client.listTools()).toEqual({ tools: [] });
    expect(grants(world)).toEqual(["authorization_code", "refresh_token"]);
  });

  it("AUTH-54 AUTH-55 is refreshed with the newest refresh token if it is rejected, without another sign-in", async () => {
    const { world, as, person, connect } = setUp();
    const client = await connect();
    for (let round = 0; round < 3; round++) {
      as.live.clear();
      await client.listTools();
    }
    expect(grants(world)).toEqual([
      "authorization_code",
      "refresh_token",
      "refresh_token",
      "refresh_token",
    ]);
    const used = world
      .to("/token")
      .flatMap(({ form }) => form["refresh_token"] ?? []);
    expect(new Set(used).size).toBe(3);
    expect(person.count).toBe(1);
  });

  it("AUTH-55 keeps its refresh token if the authorization server sends no new one", async () => {
    const { world, as, connect } = setUp();
    const client = await connect();
    as.tokenAnswer = () => {
      as.live.add("fixed");
      return json({ access_token: "fixed", token_type: "Bearer" });
    };
    for (let round = 0; round < 2; round++) {
      as.live.clear();
      await client.listTools();
    }
    expect(
      world.to("/token").flatMap(({ form }) => form["refresh_token"] ?? []),
    ).toEqual(["refresh-2", "refresh-2"]);
  });

  it("AUTH-54 is refreshed once for a hundred requests that are rejected at the same time", async () => {
    const { world, as, connect } = setUp();
    const client = await connect();
    as.live.clear();
    as.tokenAnswer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return undefined;
    };
    await Promise.all(Array.from({ length: 100 }, () => client.listTools()));
    expect(grants(world)).toEqual(["authorization_code", "refresh_token"]);
  });

  it("AUTH-54 is not refreshed again if a late rejection is about an old token: the request is only repeated", async () => {
    const { world, as, server, connect } = setUp();
    const client = await connect();
    const guarded = world.routes.get(server.url);
    let isLate = true;
    world.routes.set(server.url, async (seen, init) => {
      const answer = await guarded?.(seen, init);
      if (seen.body.includes("tools/call") && isLate) {
        isLate = false;
        // The server rejects the old token after another request has been sent
        // with the new one.
        await until(() => new Set(bearers(world)).size > 2);
      }
      return answer as Response;
    });
    as.live.clear();
    await Promise.all([client.callTool({ name: "echo" }), client.listTools()]);
    expect(grants(world)).toEqual(["authorization_code", "refresh_token"]);
  });

  it("is refreshed before it expires", async () => {
    const { world, connect } = setUp();
    const client = await connect();
    later(3580);
    await client.listTools();
    expect(grants(world)).toEqual(["authorization_code", "refresh_token"]);
    expect(bearers(world).at(-1)).toBe("Bearer access-3");
  });

  it("is not sent after it has expired", async () => {
    const { world, as, person, connect } = setUp();
    const client = await connect();
    as.givesRefreshTokens = false;
    later(3580);
    await client.listTools();
    // This response had no new refresh token, and the old one was used.
    later(4000);
    await client.listTools();
    expect(bearers(world).slice(-2)).toEqual([null, "Bearer access-5"]);
    expect(person.count).toBe(2);
  });

  it("AUTH-63 without a refresh token works until it expires, and then a person signs in", async () => {
    const { world, as, person, connect } = setUp();
    as.givesRefreshTokens = false;
    const client = await connect();
    later(3000);
    await client.listTools();
    expect(person.count).toBe(1);
    later(700);
    await client.listTools();
    expect(grants(world)).toEqual(["authorization_code", "authorization_code"]);
  });

  it("is kept if the authorization server cannot be reached, and is sent until it expires", async () => {
    const { world, as, person, connect } = setUp();
    const client = await connect();
    let isDown = true;
    as.tokenAnswer = () =>
      isDown ? new Response("no", { status: 503 }) : undefined;
    later(3580);
    await client.listTools();
    expect(bearers(world).at(-1)).toBe("Bearer access-2");
    later(100);
    expect(await failure(client.listTools())).toMatchObject({
      reason: "network",
      isRetryable: true,
      message:
        "https://as.example.com issued no token for mcp.example.com: it answers 503. Try again later.",
    });
    isDown = false;
    await client.listTools();
    expect(person.count).toBe(1);
  });

  it("is kept if another server answers for the authorization server, such as the login page of a hotel", async () => {
    const { as, person, options, connect } = setUp();
    const client = await connect(oauth(options()));
    as.live.clear();
    as.tokenAnswer = () =>
      new Response("<h1>Welcome to the hotel</h1>", { status: 200 });
    expect(await failure(client.listTools())).toMatchObject({
      reason: "network",
      isRetryable: true,
    });
    as.tokenAnswer = undefined;
    await client.listTools();
    expect(person.count).toBe(1);
  });

  it.each([
    ["ahead", 600_000],
    ["behind", -600_000],
  ])(
    "remains usable without another sign-in if the clock of this machine is set ten minutes %s",
    async (_, jump) => {
      const { as, person, options, connect } = setUp();
      as.lifetime = 300;
      const client = await connect(oauth(options()));
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + jump });
      try {
        await client.listTools();
        // The token has expired at the server, independent of the local clock.
        as.live.clear();
        await client.listTools();
        await client.listTools();
      } finally {
        vi.useRealTimers();
      }
      expect(person.count).toBe(1);
    },
  );

  it("AUTH-55 is stored although the client closes while it is refreshed", async () => {
    const { world, as, person, options, connect } = setUp();
    const auth = oauth(options());
    const client = await connect(auth);
    as.live.clear();
    const closing = gate<void>();
    as.tokenAnswer = async () => {
      await closing.ended;
      return undefined;
    };
    const listing = failure(client.listTools());
    await until(() => grants(world).length === 2);
    const closed = client.close();
    closing.end();
    await closed;
    await listing;
    await (await connect(auth)).listTools();
    expect(grants(world)).toEqual(["authorization_code", "refresh_token"]);
    expect(person.count).toBe(1);
  });

  it("is obtained once for a method that the server refuses for ever, and again after five minutes or once it is another", async () => {
    const { server, as, person, connect } = setUp();
    const client = await connect();
    expect(person.count).toBe(1);
    server.refusal = (_, body) =>
      body.includes('"tools/call"') ? unauthorized(server) : undefined;
    const call = () => failure(client.callTool({ name: "echo" }));
    for (let i = 0; i < 25; i++) {
      expect((await call()).message).toContain("rejects the token");
      await client.listTools();
      later(1);
    }
    expect(person.count).toBe(2);
    later(300);
    await call();
    await call();
    expect(person.count).toBe(3);
    as.live.clear();
    as.refreshable.clear();
    await client.listTools();
    expect(person.count).toBe(4);
    await call();
    await call();
    expect(person.count).toBe(5);
  });

  it("is replaced once after it was revoked, also for a method that was never called", async () => {
    const { as, person, connect } = setUp();
    const client = await connect();
    await client.listTools();
    as.live.clear();
    as.refreshable.clear();
    await Promise.all(
      Array.from({ length: 3 }, () => client.callTool({ name: "echo" })),
    );
    expect(person.count).toBe(2);
  });

  it("is not replaced for a stream of notifications that the server refuses for ever, while calls work", async () => {
    const { world, server, person, connect } = setUp();
    const all = world.routes.get(server.url) as NonNullable<
      ReturnType<typeof world.routes.get>
    >;
    let streams = 0;
    world.routes.set(server.url, (seen, init) => {
      if (seen.method !== "GET") return all(seen, init);
      streams++;
      return unauthorized(server);
    });
    const client = await connect();
    for (let i = 0; i < 10; i++) await client.listTools();
    await until(() => streams > 0);
    await turns(100);
    expect(person.count).toBe(1);
  });

  it("is refreshed for a stream of notifications if it expires on its way, without a sign-in", async () => {
    const { world, server, as, person, connect } = setUp();
    as.lifetime = 30;
    const all = world.routes.get(server.url) as NonNullable<
      ReturnType<typeof world.routes.get>
    >;
    const streams: (string | null)[] = [];
    world.routes.set(server.url, (seen, init) => {
      if (seen.method !== "GET") return all(seen, init);
      streams.push(seen.headers.get("authorization"));
      if (streams.length > 1) return new Response(null, { status: 405 });
      later(30);
      return unauthorized(server);
    });
    const client = await connect();
    await client.listTools();
    await until(() => streams.length > 1);
    expect(grants(world)).toEqual(["authorization_code", "refresh_token"]);
    expect(streams[1]).not.toBe(streams[0]);
    expect(person.count).toBe(1);
  });

  it("is forgotten when its refresh token is revoked, and a person signs in once", async () => {
    const { world, as, person, connect } = setUp();
    const client = await connect();
    as.live.clear();
    as.refreshable.clear();
    await Promise.all(Array.from({ length: 5 }, () => client.listTools()));
    expect(person.count).toBe(2);
    expect(grants(world)).toEqual([
      "authorization_code",
      "refresh_token",
      "authorization_code",
    ]);
  });

  it.each([
    [400, "Bad Request"],
    [404, "<h1>Not found</h1>"],
    [401, { message: "no such token" }],
    [422, { error: 7 }],
  ])(
    "is forgotten when its refresh is answered with status %i and %j, and a person signs in once",
    async (status, body) => {
      const store = memoryStore();
      const { as, world, person, options, connect } = setUp();
      await connect(oauth(options({ store })));
      as.live.clear();
      as.tokenAnswer = ({ form }) =>
        form["grant_type"] === "refresh_token"
          ? answerWith(status, body)
          : undefined;
      const alone = await connect(oauth(options())).then(() =>
        oauth({ store, fetch: world.fetch }),
      );
      expect(await failure(connect(alone))).toMatchObject({
        reason: "login-required",
      });
      expect(
        await store.get('["grant","https://mcp.example.com/mcp",""]'),
      ).toBeUndefined();
      const count = person.count;
      await (await connect(oauth(options({ store })))).listTools();
      expect(person.count).toBe(count + 1);
    },
  );

  it.each(
    [403, 407, 408, 429, 500, 503].flatMap(
      (status): [number, string | object][] => [
        [status, "<p>No"],
        [status, { message: "no" }],
      ],
    ),
  )(
    "is kept if a proxy or a failure answers its refresh with status %i and %j, and the error may be retried",
    async (status, body) => {
      const { as, person, connect } = setUp();
      const client = await connect();
      as.live.clear();
      as.tokenAnswer = () => answerWith(status, body);
      expect(await failure(client.listTools())).toMatchObject({
        reason: "network",
        isRetryable: true,
      });
      as.tokenAnswer = undefined;
      await client.listTools();
      expect(person.count).toBe(1);
    },
  );

  it("AUTH-53 is neither refreshed nor sent after the server has changed to another authorization server", async () => {
    const { world, as, connect } = setUp();
    const client = await connect();
    as.live.clear();
    as.metadata["issuer"] = "https://as.example.com";
    const moved = setUp();
    world.routes.set(
      "https://new.example.com/.well-known/oauth-authorization-server",
      () =>
        json({
          ...as.metadata,
          issuer: "https://new.example.com",
          token_endpoint: "https://new.example.com/token",
        }),
    );
    world.routes.set("https://new.example.com/token", () => {
      as.live.add("new-token");
      return json({ access_token: "new-token", token_type: "Bearer" });
    });
    world.document(
      "https://mcp.example.com/.well-known/oauth-protected-resource/mcp",
      {
        ...moved.server.metadata,
        authorization_servers: ["https://new.example.com"],
      },
    );
    await client.listTools();
    expect(world.to("https://as.example.com/token")).toHaveLength(1);
    expect(
      world.to("new.example.com/token").map(({ form }) => form["grant_type"]),
    ).toEqual(["authorization_code"]);
    expect(bearers(world).at(-1)).toBe("Bearer new-token");
  });

  it.each([
    [
      "a form",
      new Response("access_token=odd&token_type=bearer&expires_in=60", {
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
    ],
    [
      "null members",
      json({
        access_token: "odd",
        token_type: "bearer",
        refresh_token: null,
        scope: null,
        expires_in: null,
      }),
    ],
    ["texts", json({ access_token: "odd", expires_in: "3600", scope: ["a"] })],
    [
      "no time",
      json({ access_token: "odd", token_type: "Bearer", expires_in: 0 }),
    ],
    [
      "no number",
      json({ access_token: "odd", token_type: "Bearer", expires_in: [] }),
    ],
    [
      "an endless time",
      json({ access_token: "odd", token_type: "Bearer", expires_in: 1e308 }),
    ],
    [
      "an id token",
      json({ access_token: "odd", token_type: "Bearer", id_token: "x" }),
    ],
  ])(
    "is accepted in a response that differs from the specification: %s",
    async (what, answer) => {
      const { as, connect } = setUp();
      as.live.add("odd");
      as.tokenAnswer = () => answer;
      expect(await (await connect()).listTools(), what).toMatchObject({
        tools: [{ name: "echo" }],
      });
    },
  );

  it("is not read from an error response with status 200", async () => {
    const { as, connect } = setUp();
    as.tokenAnswer = () =>
      json({ error: "bad_verification_code", error_description: "expired" });
    const error = await failure(connect());
    expect(error).toMatchObject({
      reason: "grant",
      code: "bad_verification_code",
    });
    expect(error.message).toContain("expired");
  });

  it.each(["a b", "a\r\nx-injected: 1", "\u0000", "ключ", ""])(
    "is rejected and not stored if it is %j, which is not valid in a header",
    async (token) => {
      const { as, options, connect } = setUp();
      const auth = oauth(options());
      as.tokenAnswer = () =>
        json({ access_token: token, token_type: "Bearer" });
      expect(await failure(connect(auth))).toMatchObject({ reason: "grant" });
      as.tokenAnswer = undefined;
      await (await connect(auth)).listTools();
    },
  );

  it.each([
    [400, { error: "invalid_request", refresh_token: "hidden" }],
    [200, { refresh_token: "hidden" }],
    [200, { access_token: "hidden", token_type: "mac" }],
    [500, "access_token hidden"],
    [400, { error: 7, access_token: "hidden" }],
  ])(
    "AUTH-60 is in no error for the answer %i %j of the authorization server",
    async (status, body) => {
      const { as, connect } = setUp();
      as.tokenAnswer = () => answerWith(status, body);
      const error = await failure(connect());
      expect(error.name).toBe("AuthorizationError");
      const seen: unknown[] = [];
      for (
        let one: unknown = error;
        one !== undefined && seen.length < 9;
        one = (one as Error).cause
      )
        seen.push(
          String(one),
          Object.values(one as object),
          (one as Error).stack,
        );
      expect(JSON.stringify(seen)).not.toContain("hidden");
    },
  );
});

describe("a store", () => {
  const restart = (
    { options, connect }: Setup,
    store: TokenStore,
  ): Promise<unknown> =>
    connect(oauth(options({ store }))).then((client) => client.listTools());

  it("has the token for the next process, which needs no sign-in and no discovery", async () => {
    const store = memoryStore();
    const setup = setUp();
    await restart(setup, store);
    const before = setup.world.seen.length;
    await restart(setup, store);
    expect(setup.person.count).toBe(1);
    expect(
      setup.world.seen
        .slice(before)
        .every(({ url }) => url.href === setup.server.url),
    ).toBe(true);
  });

  it("keeps tokens separate by server and by account", async () => {
    const store = memoryStore();
    const { person, options, connect } = setUp();
    for (const account of ["ada", "bob", "ada"])
      await connect(oauth(options({ store, account })));
    expect(person.count).toBe(2);
  });

  it("lets one process refresh, and the others use its token", async () => {
    const store = memoryStore();
    const setup = setUp();
    const { world, as, options, connect } = setup;
    const processes = await Promise.all(
      Array.from({ length: 8 }, () => oauth(options({ store }))),
    );
    await connect(processes[0]);
    const clients = await Promise.all(processes.map((auth) => connect(auth)));
    as.live.clear();
    await Promise.all(clients.map((client) => client.listTools()));
    expect(grants(world)).toEqual(["authorization_code", "refresh_token"]);
  });

  it("without a lock keeps the token of the process that refreshed it, although another process lost the race", async () => {
    const { lock: _, ...store } = memoryStore();
    const { world, as, person, options, connect } = setUp();
    await connect(oauth(options({ store })));
    const clients = await Promise.all(
      [1, 2].map(() => connect(oauth(options({ store })))),
    );
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let refreshes = 0;
    as.live.clear();
    as.tokenAnswer = async ({ form }) => {
      // The request of the loser is answered after the winner has stored its
      // token.
      if (form["grant_type"] === "refresh_token" && ++refreshes === 2)
        await finished;
      return undefined;
    };
    const lists = clients.map((client) => client.listTools());
    await Promise.race(lists);
    await until(() => refreshes === 2);
    finish();
    await Promise.all(lists);
    expect(person.count).toBe(1);
    await (await connect(oauth({ store, fetch: world.fetch }))).listTools();
  });

  it("is revoked by a logout, with its refresh token", async () => {
    const { world, as, options, connect } = setUp();
    const auth = oauth(options());
    await connect(auth);
    expect(await auth.logout("https://mcp.example.com/mcp")).toEqual([
      { token: "refresh", isRevoked: true },
      { token: "access", isRevoked: true },
    ]);
    expect(
      world
        .to("/revoke")
        .map(({ form }) => [form["token"], form["token_type_hint"]]),
    ).toEqual([
      ["refresh-2", "refresh_token"],
      ["access-2", "access_token"],
    ]);
    expect(as.refreshable.size).toBe(0);
    expect(await auth.logout("https://mcp.example.com/mcp")).toEqual([]);
  });

  it("is not there after a logout, so that the next request needs a sign-in", async () => {
    const { person, options, connect } = setUp();
    const auth = oauth(options());
    const client = await connect(auth);
    await auth.logout("https://mcp.example.com/mcp");
    await client.listTools();
    expect(person.count).toBe(2);
  });

  it.each([
    [
      "no endpoint",
      false,
      ({ as }: Setup) => delete as.metadata["revocation_endpoint"],
    ],
    [
      "an endpoint that refuses access tokens",
      true,
      ({ world }: Setup) =>
        world.routes.set("https://as.example.com/revoke", ({ form }) =>
          form["token"] === "access-2"
            ? refused("unsupported_token_type")
            : new Response(null, { status: 200 }),
        ),
    ],
  ])(
    "resolves a logout with the tokens that an authorization server with %s does not revoke",
    async (_, isRevoked, change) => {
      const scene = setUp();
      change(scene);
      const auth = oauth(scene.options());
      await scene.connect(auth);
      expect(await auth.logout("https://mcp.example.com/mcp")).toEqual([
        { token: "refresh", isRevoked },
        { token: "access", isRevoked: false },
      ]);
    },
  );

  it("has no token after a logout even if the authorization server does not revoke it, and the error says what became of each", async () => {
    const { world, person, options, connect } = setUp();
    const auth = oauth(options());
    const client = await connect(auth);
    world.routes.set(
      "https://as.example.com/revoke",
      () => new Response("no", { status: 503 }),
    );
    const error = await failure(auth.logout("https://mcp.example.com/mcp"));
    expect(error).toMatchObject({
      name: "AuthorizationError",
      reason: "network",
      isRetryable: true,
    });
    expect(error.message).toMatch(
      /did not revoke the refresh token .* did not revoke the access token .*503/,
    );
    expect(error.message).toContain(
      "Remove this client from the account there, or wait until the token expires.",
    );
    await client.listTools();
    expect(person.count).toBe(2);
  });

  it("has no token after a logout if the authorization server revokes only the access token, and the error says so", async () => {
    const { world, options, connect } = setUp();
    const auth = oauth(options());
    await connect(auth);
    world.routes.set("https://as.example.com/revoke", ({ form }) =>
      form["token_type_hint"] === "refresh_token"
        ? refused(`no-${String(form["token"])}`)
        : new Response(null, { status: 200 }),
    );
    expect(
      await failure(auth.logout("https://mcp.example.com/mcp")),
    ).toMatchObject({
      reason: "grant",
      code: "no-[hidden]",
      message: expect.stringMatching(
        /did not revoke the refresh .* The access token is revoked\.$/,
      ) as string,
    });
  });

  it.each([
    [500, "network"],
    [499, "grant"],
    [429, "network"],
    [408, "network"],
  ])(
    "has no token after a logout, and the error names no token that the authorization server does not revoke: status %i",
    async (status, reason) => {
      const { world, options, connect } = setUp();
      const auth = oauth(options());
      await connect(auth);
      world.routes.set("https://as.example.com/revoke", ({ form }) =>
        form["token_type_hint"] === "refresh_token"
          ? refused("unsupported_token_type")
          : new Response("no", { status }),
      );
      expect(
        await failure(auth.logout("https://mcp.example.com/mcp")),
      ).toMatchObject({
        reason,
        message: `https://as.example.com did not revoke the access token for mcp.example.com: it answers ${status}. Remove this client from the account there, or wait until the token expires.`,
      });
    },
  );

  it("is read by clients of all transports", async () => {
    const { world, server, options } = setUp();
    const auth = oauth(options());
    for (let count = 0; count < 2; count++)
      await (
        await makeClient(
          legacy.protocol,
          http(server.url, { auth, fetch: world.fetch }),
        )
      ).close();
    expect(grants(world)).toEqual(["authorization_code"]);
  });
});
