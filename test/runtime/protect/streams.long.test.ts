import { protect, type Verifier } from "@mcpgen/auth/protect";
import { serveWebSocket, webSocket } from "@mcpgen/runtime/websocket";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Answer, Sent } from "../http/kit/exchange.js";
import { ask, call, hello, modernPost } from "../http/kit/messages.js";
import { endpoints } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import {
  type AnyHandlers,
  info,
  type Json,
  legacy,
  legacyRevisions,
  modern,
  turns,
} from "../kit/index.js";
import { gate, until } from "../kit/watch.js";
import { resource } from "./issuer.js";
import {
  bearer,
  protectedServers,
  serversWith,
  type Setup,
} from "./serving.js";

const listen = modernPost(
  modern,
  ask("listen", "subscriptions/listen", {
    notifications: { toolsListChanged: true },
  }),
);

/**
 * The ways to open a stream of notifications. Each resolves once the stream is
 * open.
 */
const streams: readonly (readonly [
  string,
  (setup: Setup, headers: Sent["headers"]) => Promise<Answer>,
])[] = [
  [
    "of a session",
    async (setup, headers) => {
      const session = await Session.start(
        setup,
        legacy,
        {},
        headers as Record<string, string>,
      );
      const stream = await session.listen();
      expect(await stream.next(), "the event to resume from").toMatchObject({
        data: "",
      });
      return stream;
    },
  ],
  [
    "of subscriptions/listen",
    async ({ send }, headers) => {
      const stream = await send({
        ...listen,
        headers: { ...listen.headers, ...headers },
      });
      expect((await stream.message())["method"]).toContain("acknowledged");
      return stream;
    },
  ],
  [
    "of HTTP+SSE",
    async ({ send }, headers) => {
      const stream = await send({
        headers: { accept: "text/event-stream", ...headers },
      });
      expect(await stream.next()).toMatchObject({ event: "endpoint" });
      return stream;
    },
  ],
];

const capabilities = { tools: { listChanged: true } };

/**
 * Claims of a token without a signature, for as long as it is not in `revoked`.
 */
const liveUntil = (revoked: ReadonlySet<string>, lifetime = 300): Verifier => {
  const exp = Date.now() / 1000 + lifetime;
  return (token, { issuers: [iss] }) =>
    revoked.has(token)
      ? undefined
      : { iss, sub: token, aud: resource, exp, scope: "mcp" };
};

describe.each(endpoints)(
  "a stream of notifications behind $name",
  (endpoint) => {
    const open = protectedServers(endpoint);

    it.each(streams)(
      "ends when its token expires, and another token opens it again: %s",
      async (_, openStream) => {
        const verify = liveUntil(new Set(), 1.2);
        const later = liveUntil(new Set());
        const setup = await open(
          {
            verify: (token, context) =>
              (token === "short" ? verify : later)(token, context),
          },
          {},
          { capabilities },
        );
        const stream = await openStream(setup, bearer("short"));
        expect(await stream.next(), "the stream ends").toBeUndefined();
        const again = await openStream(setup, bearer("long"));
        again.leave();
      },
    );

    it.each(streams)(
      "ends when its token is revoked: %s",
      async (_, openStream) => {
        const revoked = new Set<string>();
        const setup = await open(
          { verify: liveUntil(revoked), recheckTime: 1000 },
          {},
          { capabilities },
        );
        const stream = await openStream(setup, bearer("ada"));
        const other = await openStream(setup, bearer("bob"));
        revoked.add("ada");
        expect(await stream.next(), "the stream ends").toBeUndefined();
        const answer = await setup.send({
          body: hello(legacy.revision),
          headers: bearer("ada"),
        });
        expect(answer.status).toBe(401);
        expect(
          (
            await setup.send({
              body: hello(legacy.revision),
              headers: bearer("bob"),
            })
          ).status,
        ).toBe(200);
        other.leave();
      },
    );

    /**
     * A session of HTTP+SSE whose client has sent a first token, which ends
     * after `lifetime` seconds, and then a second one.
     */
    async function refreshedSession(
      lifetime: number,
      revoked = new Set<string>(),
    ) {
      const later = liveUntil(revoked);
      const first = lifetime < 300 ? liveUntil(revoked, lifetime) : later;
      const verify: Verifier = async (token, context) => {
        const claims = await (token === "first" ? first : later)(
          token,
          context,
        );
        return claims && { ...claims, sub: token === "bob" ? "bob" : "ada" };
      };
      const setup = await open(
        { verify, recheckTime: 1000 },
        {},
        { capabilities },
      );
      const openStream = (token: string) =>
        setup.send({
          headers: { accept: "text/event-stream", ...bearer(token) },
        });
      const stream = await openStream("first");
      const { data: path = "" } = (await stream.next()) ?? {};
      const post = async (body: Json, token: string): Promise<number> =>
        (await setup.send({ path, body, headers: bearer(token) })).status;
      expect(await post(hello(legacy.revision), "first")).toBe(202);
      expect(await stream.message()).toMatchObject({
        result: { capabilities },
      });
      expect(await post(ask(1, "ping"), "second")).toBe(202);
      expect(await stream.message()).toMatchObject({ id: 1 });
      const isOpen = async (): Promise<void> => {
        expect(await post(ask(2, "ping"), "first")).toBe(401);
        expect(await post(ask(2, "ping"), "second")).toBe(202);
        expect(await stream.message()).toMatchObject({ id: 2 });
        stream.leave();
      };
      return { openStream, post, isOpen };
    }

    it("of HTTP+SSE stays open when the first of its tokens expires", async () => {
      const { post, isOpen } = await refreshedSession(1.5);
      const notice = {
        jsonrpc: "2.0",
        method: "notifications/roots/list_changed",
      };
      await until(async () => expect(await post(notice, "first")).toBe(401));
      await isOpen();
    });

    it("of HTTP+SSE stays open when the first of its tokens is revoked", async () => {
      const revoked = new Set<string>();
      const { openStream, isOpen } = await refreshedSession(300, revoked);
      const other = await openStream("bob");
      expect(await other.next()).toMatchObject({ event: "endpoint" });
      revoked.add("first").add("bob");
      expect(await other.next(), "the later stream ends").toBeUndefined();
      await isOpen();
    });

    it("of HTTP+SSE stays open when the check of an earlier token ends late", async () => {
      const check = gate<undefined>();
      const started = gate<void>();
      const valid = liveUntil(new Set());
      let isSlow = false;
      const verify: Verifier = async (token, context) => {
        if (token === "first" && isSlow) {
          started.end();
          return check.ended;
        }
        const claims = await valid(token, context);
        return claims && { ...claims, sub: "ada" };
      };
      const setup = await open(
        { verify, recheckTime: 1000 },
        {},
        { capabilities },
      );
      const stream = await setup.send({
        headers: { accept: "text/event-stream", ...bearer("first") },
      });
      const { data: path = "" } = (await stream.next()) ?? {};
      isSlow = true;
      await started.ended;
      const ping = async (id: number): Promise<void> => {
        const answer = await setup.send({
          path,
          body: ask(id, "ping"),
          headers: bearer("second"),
        });
        expect(answer.status).toBe(202);
        expect(await stream.message()).toMatchObject({ id });
      };
      await ping(1);
      check.end(undefined);
      await ping(2);
      stream.leave();
    });

    it("ends when its token cannot be verified any more", async () => {
      let isDown = false;
      const verify = liveUntil(new Set());
      const check: Verifier = (token, context) => {
        if (isDown) throw new Error("The database is down.");
        return verify(token, context);
      };
      const setup = await open(
        { verify: check, recheckTime: 1000 },
        {},
        { capabilities },
      );
      const stream = await streams[1]?.[1](setup, bearer("ada"));
      isDown = true;
      expect(await stream?.next()).toBeUndefined();
    });

    it("leaves no timer behind for a client that disconnects while its token is verified", async () => {
      let count = 0;
      const started = gate<void>();
      const isValid = gate<void>();
      const valid = liveUntil(new Set());
      const verify: Verifier = async (token, context) => {
        if (++count === 2) started.end();
        await isValid.ended;
        return valid(token, context);
      };
      const story = await open(
        { verify, recheckTime: 1000 },
        {},
        { capabilities },
      );
      const leaving = new AbortController();
      const sent = [listen, { headers: { accept: "text/event-stream" } }].map(
        (one, i) =>
          story.send({
            ...one,
            headers: { ...one.headers, ...bearer(String(i)) },
            signal: leaving.signal,
          }),
      );
      const all = Promise.allSettled(sent);
      await started.ended;
      leaving.abort();
      await all;
      await turns(20);
      isValid.end();
      // A timer that was left behind would verify the token again.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(count).toBe(2);
    });

    it("does not end the response to a call that began before the expiry", async () => {
      const expired = gate<void>();
      const handlers = {
        "tools/list": () => ({ tools: [] }),
        "tools/call": async (
          _: Json,
          { progress }: { progress(value: number): void },
        ) => {
          progress(1);
          await expired.ended;
          return { content: [] };
        },
      } as unknown as AnyHandlers;
      const setup = await open(
        { verify: liveUntil(new Set(), 1) },
        {},
        { handlers },
      );
      const sent = modernPost(
        modern,
        call(1, "slow", {}, { progressToken: 1 }),
        { headers: bearer("ada") },
      );
      const answer = await setup.send(sent);
      expect((await answer.message())["method"]).toBe("notifications/progress");
      const list = modernPost(modern, ask(2, "tools/list"), {
        headers: bearer("ada"),
      });
      await until(async () =>
        expect((await setup.send(list)).status).toBe(401),
      );
      expired.end();
      expect(await answer.message()).toMatchObject({ result: { content: [] } });
    });
  },
);

describe("the end of a token", () => {
  afterEach(() => void vi.useRealTimers());

  /**
   * Waits for the end of a token whose verifier changes its mind after the
   * first time.
   */
  async function ends(
    second: () => unknown,
    seconds: number,
  ): Promise<boolean> {
    vi.useFakeTimers();
    const claims = {
      iss: "https://as.example.com",
      aud: resource,
      exp: Date.now() / 1000 + 60,
      scope: "a b",
    };
    const results = [() => ({ ...claims, sub: "ada" }), second];
    const verify = (() => results.shift()?.()) as Verifier;
    const protection = protect({
      resource,
      issuers: [claims.iss],
      verify,
      recheckTime: 30_000,
    });
    const header = (): string => "Bearer token";
    const admission = await protection.admit({
      method: "GET",
      url: "/mcp",
      header,
    });
    if (!("auth" in admission) || admission.auth === "anonymous")
      throw new Error("The token was not accepted.");
    let hasEnded = false;
    const stop = protection.whenEnded(admission.auth, () => (hasEnded = true));
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    stop();
    expect(vi.getTimerCount()).toBe(0);
    return hasEnded;
  }
  const later = { iss: "https://as.example.com", aud: resource, exp: 2 ** 40 };

  it.each([
    [
      "does not come while the token is the same",
      () => ({ ...later, sub: "ada", scope: "b a" }),
      false,
    ],
    [
      "does not come when the token gets more scopes",
      () => ({ ...later, sub: "ada", scope: "a b c" }),
      false,
    ],
    [
      "comes when the token loses a scope",
      () => ({ ...later, sub: "ada", scope: "a" }),
      true,
    ],
    [
      "comes when the token is another user's",
      () => ({ ...later, sub: "bob", scope: "a b" }),
      true,
    ],
    ["comes when the verifier returns nothing", () => undefined, true],
  ])("%s", async (_, second, hasEnded) => {
    expect(await ends(second, 31)).toBe(hasEnded);
  });

  it("is looked for at each new expiry while the verifier extends the token", async () => {
    vi.useFakeTimers();
    const start = Date.now();
    const times: number[] = [];
    const verify: Verifier = (token, { issuers: [iss] }) => {
      times.push(Date.now() - start);
      return {
        iss,
        sub: token,
        aud: resource,
        exp: (Date.now() + 1200) / 1000,
      };
    };
    const protection = protect({
      resource,
      issuers: ["https://as.example.com"],
      verify,
    });
    const admission = await protection.admit({
      method: "GET",
      url: "/mcp",
      header: () => "Bearer ada",
    });
    if (!("auth" in admission) || admission.auth === "anonymous")
      throw new Error("The token was not accepted.");
    const stop = protection.whenEnded(admission.auth, () =>
      expect.unreachable(),
    );
    await vi.advanceTimersByTimeAsync(3600);
    stop();
    expect(times).toEqual([0, 1200, 2400, 3600]);
  });

  it("comes 10 seconds after the verifier has stopped to answer", async () => {
    const never = (): Promise<never> => new Promise(() => {});
    expect(await ends(never, 39)).toBe(false);
    expect(await ends(never, 41)).toBe(true);
  });
});

describe("a WebSocket", () => {
  it("closes when its token expires or is revoked, and stays open otherwise", async () => {
    const revoked = new Set<string>();
    const verifyShort = liveUntil(revoked, 1.5);
    const verifyLong = liveUntil(revoked);
    const verify: Verifier = (token, context) =>
      (token === "short" ? verifyShort : verifyLong)(token, context);
    const issuers = ["https://as.example.com"];
    const protection = protect({
      resource,
      issuers,
      verify,
      recheckTime: 1000,
    });
    await using up = await serveWebSocket(serversWith([]), {
      port: 0,
      protect: protection,
    });
    const closed: string[] = [];
    const connect = (token: string, era = legacy) => {
      const transport = webSocket(up.url, { headers: bearer(token) });
      return era.protocol.Client.connect(transport, {
        info,
        onClose: () => void closed.push(token),
      });
    };
    const clients = await Promise.all(
      ["short", "revoked", "long"].map((token) => connect(token)),
    );
    revoked.add("revoked");
    await until(() => expect(closed.sort()).toEqual(["revoked", "short"]));
    expect(await clients[2]?.listTools()).toMatchObject({
      tools: expect.any(Array) as unknown,
    });
    await Promise.all(clients.map((client) => client.close()));
  });

  it("AUTH-01 AUTH-02 is refused without a token, with the URL of the metadata, which its server publishes", async () => {
    const issuers = ["https://as.example.com"];
    const protection = protect({
      resource,
      issuers,
      verify: liveUntil(new Set()),
    });
    await using up = await serveWebSocket(serversWith([]), {
      port: 0,
      protect: protection,
    });
    const origin = up.url.replace(/^ws/, "http").replace("/mcp", "");
    const { request } = await import("node:http");
    const upgrade = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
    };
    const headers = {
      ...upgrade,
      "sec-websocket-key": btoa("0123456789abcdef"),
      "sec-websocket-protocol": "mcp",
    };
    const [status, challenge] = await new Promise<[unknown, unknown]>(
      (resolve, reject) => {
        request(`${origin}/mcp`, { headers })
          .on("response", ({ statusCode, headers: answer }) =>
            resolve([statusCode, answer["www-authenticate"]]),
          )
          .on("error", reject)
          .end();
      },
    );
    expect([status, challenge]).toEqual([
      401,
      'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
    ]);
    const metadata = await fetch(
      `${origin}/.well-known/oauth-protected-resource/mcp`,
    );
    expect(await metadata.json()).toMatchObject({
      resource,
      authorization_servers: issuers,
    });
    for (const { protocol } of legacyRevisions)
      await (
        await protocol.Client.connect(
          webSocket(up.url, { headers: bearer("ada") }),
          { info },
        )
      ).close();
  });
});
