import { responseCache } from "@mcpgen/runtime";
import {
  memoryStore,
  oauth,
  type OAuthOptions,
  type Login,
  type Redirect,
  type TokenStore,
} from "@mcpgen/auth";
import { type Authorizer, http } from "@mcpgen/runtime/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  failure,
  legacy,
  makeClient,
  makeServer,
  modern,
  turns,
} from "../kit/index.js";
import { gate, until } from "../kit/watch.js";
import { type Setup, setUp } from "./kit/index.js";
import { createHttpHandler } from "@mcpgen/runtime/http";

/** A login whose person takes this many milliseconds. */
const slow = ({ person }: Setup, time: number): Login => ({
  redirectUri: (preferred) => {
    const redirect: Redirect = person.redirectUri(preferred);
    const answer = redirect.answer.then(async (params) => {
      await vi.advanceTimersByTimeAsync(time);
      return params;
    });
    return { ...redirect, answer };
  },
});

describe("a connection with `auth`", () => {
  afterEach(() => void vi.useRealTimers());

  it.each([legacy, modern])(
    "in $revision does not time out while a person signs in, but times out while it waits for a token",
    async (revision) => {
      vi.useFakeTimers();
      const setup = setUp({ revision });
      const auth = oauth(setup.options({ login: slow(setup, 200_000) }));
      const client = await setup.connect(auth);
      await client.listTools();
      setup.as.live.clear();
      setup.as.tokenAnswer = async () => {
        await vi.advanceTimersByTimeAsync(200_000);
        return undefined;
      };
      expect(await failure(client.listTools())).toMatchObject({
        name: "TimeoutError",
      });
    },
  );

  it("closes a sign-in when it is closed and no other connection waits for it", async () => {
    const setup = setUp();
    let closed = 0;
    const opened = gate<void>();
    const redirect: Redirect = {
      uri: "http://127.0.0.1:1/x",
      open: () => opened.end(),
      answer: new Promise(() => {}),
      close: () => void closed++,
    };
    const { world, server, options } = setup;
    const stop = new AbortController();
    const auth = oauth(options({ login: { redirectUri: () => redirect } }));
    const transport = http(server.url, {
      auth,
      fetch: world.fetch,
      signal: stop.signal,
    });
    const opening = failure(makeClient(legacy.protocol, transport));
    await opened.ended;
    stop.abort();
    await opening;
    await until(() => expect(closed).toBe(1));
  });

  it.each([
    [
      "metadata is read",
      ({ world, as }: Setup, wait: () => Promise<void>): OAuthOptions => {
        const address = `${as.issuer}/.well-known/oauth-authorization-server`;
        const answer = world.routes.get(address);
        world.routes.set(address, async (seen, init) => {
          await wait();
          return (await answer?.(seen, init)) as Response;
        });
        return {};
      },
    ],
    [
      "the client is registered",
      ({ world, as }: Setup, wait: () => Promise<void>): OAuthOptions => {
        const address = `${as.issuer}/register`;
        const answer = world.routes.get(address);
        world.routes.set(address, async (seen, init) => {
          await wait();
          return (await answer?.(seen, init)) as Response;
        });
        return {};
      },
    ],
    [
      "the store is read again",
      (_: Setup, wait: () => Promise<void>): OAuthOptions => {
        const store = memoryStore();
        let count = 0;
        const get: TokenStore["get"] = async (key) => {
          if (++count === 2) await wait();
          return store.get(key);
        };
        return { store: { ...store, get } };
      },
    ],
    [
      "a known client prepares the sign-in",
      ({ person }: Setup, wait: () => Promise<void>): OAuthOptions => ({
        client: { id: "client-1" },
        login: {
          redirectUri: async (preferred) => {
            await wait();
            return person.redirectUri(preferred);
          },
        },
      }),
    ],
  ])(
    "opens no window for a connection that is closed while %s",
    async (what, optionsOf) => {
      const setup = setUp();
      const { world, server, person, options } = setup;
      const began = gate<void>();
      const goOn = gate<void>();
      const more = optionsOf(setup, () => {
        began.end();
        return goOn.ended;
      });
      const stop = new AbortController();
      const transport = http(server.url, {
        auth: oauth(options(more)),
        fetch: world.fetch,
        signal: stop.signal,
      });
      const opening = failure(makeClient(legacy.protocol, transport));
      await began.ended;
      stop.abort();
      await opening;
      goOn.end();
      await turns(50);
      expect(world.to("/register")).toHaveLength(
        what === "the client is registered" ? 1 : 0,
      );
      expect(person.count).toBe(0);
    },
  );

  it("starts a new sign-in after another connection has aborted", async () => {
    const setup = setUp();
    const { world, server, person, options, connect } = setup;
    let isAway = true;
    const opened = gate<void>();
    const login: Login = {
      redirectUri: (preferred) => {
        const redirect = person.redirectUri(preferred);
        return isAway ? { ...redirect, open: () => opened.end() } : redirect;
      },
    };
    const auth = oauth(options({ login }));
    const stop = new AbortController();
    const transport = http(server.url, {
      auth,
      fetch: world.fetch,
      signal: stop.signal,
    });
    const opening = failure(makeClient(legacy.protocol, transport));
    await opened.ended;
    isAway = false;
    stop.abort();
    const next = connect(auth);
    await opening;
    await (await next).listTools();
    expect(person.count).toBe(1);
  });

  it("waits for the refresh that a connection began before it was closed, which has the only refresh token", async () => {
    const { world, as, server, person, options, connect } = setUp();
    // Without a lock, nothing but the process itself keeps order.
    const { get, set } = memoryStore();
    const auth = oauth(options({ store: { get, set } }));
    const first = await connect(auth);
    const began = gate<void>();
    const goOn = gate<void>();
    as.live.clear();
    as.tokenAnswer = async () => {
      began.end();
      await goOn.ended;
      return undefined;
    };
    const call = failure(first.listTools());
    await began.ended;
    await first.close();
    await call;
    const sent = world.to(server.url).length;
    const next = connect(auth);
    await until(() => world.to(server.url).length > sent);
    await turns(20);
    goOn.end();
    await (await next).listTools();
    expect(world.to("/token").map(({ form }) => form["grant_type"])).toEqual([
      "authorization_code",
      "refresh_token",
    ]);
    expect(person.count).toBe(1);
  });

  it("asks nobody for a token to end its session", async () => {
    const { world, as, server, person, connect } = setUp();
    const client = await connect();
    as.live.clear();
    as.refreshable.clear();
    world.seen.length = 0;
    await client.close();
    await turns(50);
    expect(world.seen.map(({ method, url }) => [method, url.href])).toEqual([
      ["DELETE", server.url],
    ]);
    expect(person.count).toBe(1);
  });

  it("keeps cached results when a token is refreshed, and not when another person signs in", async () => {
    const { world, as, server, options, connect } = setUp({ revision: modern });
    const cacheable = makeServer(modern.protocol, {
      handlers: {
        "tools/list": () => ({
          tools: [],
          ttlMs: 60_000,
          cacheScope: "private",
        }),
        "tools/call": () => ({ content: [] }),
      },
    });
    const handler = createHttpHandler(
      cacheable as never,
      { allowedHosts: ["mcp.example.com"] } as never,
    );
    const guarded = world.routes.get(server.url);
    world.routes.set(server.url, async (seen, init) => {
      const answer = await guarded?.(seen, init);
      return answer?.status === 401
        ? answer
        : handler(new Request(server.url, init));
    });
    const lists = (): number =>
      world.seen.filter(({ body }) => body.includes("tools/list")).length;
    const auth = oauth(options());
    const client = await connect(auth, { cache: responseCache() });
    await client.listTools();
    await client.listTools();
    expect(lists()).toBe(1);
    as.live.clear();
    await client.callTool({ name: "x" });
    expect(world.to("/token")).toHaveLength(2);
    await client.listTools();
    expect(lists()).toBe(1);
    await auth.logout(server.url);
    await client.listTools();
    expect(lists()).toBeGreaterThan(1);
  });

  it("sends one request at most four times, each time with new headers", async () => {
    const { world, server } = setUp();
    const requests: string[] = [];
    const attempts: number[] = [];
    const auth: Authorizer = {
      connect: () => ({
        identity: undefined,
        headers: ({ method, url }) => {
          requests.push(`${method} ${url.pathname}`);
          return { authorization: `Bearer wrong-${requests.length}` };
        },
        challenged: async ({ attempt, sent, status, method }) => {
          attempts.push(attempt);
          expect(sent["authorization"]).toBe(`Bearer wrong-${requests.length}`);
          expect([status, method]).toEqual([401, "POST"]);
          return true;
        },
        close: () => {},
      }),
    };
    const opening = makeClient(
      legacy.protocol,
      http(server.url, { auth, fetch: world.fetch }),
    );
    expect(await failure(opening)).toMatchObject({
      name: "TransportError",
      status: 401,
    });
    expect(attempts).toEqual([1, 2, 3]);
    expect(requests).toEqual(Array(4).fill("POST /mcp"));
    expect(
      world.to(server.url).map(({ headers }) => headers.get("authorization")),
    ).toEqual([1, 2, 3, 4].map((count) => `Bearer wrong-${count}`));
  });

  it("keeps the headers of the user beside those of the token", async () => {
    const { world, server, options } = setUp();
    const headers = { "x-tenant": "7", authorization: "Basic x" };
    const transport = http(server.url, {
      auth: oauth(options()),
      fetch: world.fetch,
      headers,
    });
    await using client = await makeClient(legacy.protocol, transport);
    await client.listTools();
    const last = world.to(server.url).at(-1);
    expect(last?.headers.get("x-tenant")).toBe("7");
    expect(last?.headers.get("authorization")).toBe("Bearer access-2");
  });
});
