import { connect } from "node:net";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createSseHandler } from "@mcpgen/runtime/sse";
import { describe, expect, it } from "vitest";
import {
  type Json,
  legacy,
  modern,
  resultOf,
  revisions,
  text,
  textOf,
  turns,
} from "../../kit/index.js";
import { until, gate, watch } from "../../kit/watch.js";
import { type Answer, sendNode, sendWeb } from "../kit/exchange.js";
import { ask, call, hello, modernPost, tell } from "../kit/messages.js";
import { messages, rest, resuming } from "../kit/resuming.js";
import {
  endpoints,
  named,
  opener,
  overSockets,
  serversWith,
  slow,
  stuck,
} from "../kit/server.js";
import { Session } from "../kit/session.js";
import { isWhole } from "../../../whole.js";

const listen = (headers: Record<string, string> = {}) =>
  modernPost(
    modern,
    ask("l", "subscriptions/listen", {
      notifications: { toolsListChanged: true },
    }),
    {
      headers,
    },
  );
const ping = (headers: Record<string, string> = {}) =>
  modernPost(modern, call(1, "echo", { value: "x" }), { headers });
const authenticate = (request: Request) => ({
  principal: request.headers.get("x-user") ?? "nobody",
});

describe.each(endpoints)(
  "the limits of an endpoint behind $name",
  (endpoint) => {
    const open = opener(endpoint, revisions);

    it("count listeners separately from requests", async () => {
      const up = await open({ limits: { requests: 1, sessions: 3 } });
      const streams: Answer[] = [];
      for (let i = 0; i < 3; i++) streams.push(await up.send(listen()));
      expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
      for (const stream of streams)
        expect((await stream.message())["method"]).toContain("acknowledged");
      expect((await up.send(ping())).status).toBe(200);
      const full = await up.send(listen());
      expect([full.status, full.header("retry-after")]).toEqual([503, "10"]);
      expect((await up.send(ping())).status).toBe(200);
      streams[0]?.leave();
      await until(async () => {
        const again = await up.send(listen());
        expect(again.status).toBe(200);
        streams.push(again);
      });
      for (const stream of streams) stream.leave();
    });

    it("apply to the listeners of each principal", async () => {
      const up = await open({ authenticate, limits: { sessions: 20 } });
      const [ada, bob] = [{ "x-user": "ada" }, { "x-user": "bob" }];
      const streams = [await up.send(listen(ada)), await up.send(listen(ada))];
      expect((await up.send(listen(ada))).status).toBe(429);
      streams.push(await up.send(listen(bob)));
      expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await up.send(ping(ada))).status).toBe(200);
      for (const stream of streams) stream.leave();
    });

    it("apply to the requests of each principal, with and without sessions, so that others are served", async () => {
      const seen = watch();
      const work = gate<Json>();
      const up = await open(
        { authenticate, limits: { requests: 12 } },
        slow(seen, work.ended),
        {},
        revisions,
      );
      const [ada, bob] = [{ "x-user": "ada" }, { "x-user": "bob" }];
      const session = await Session.start(up, legacy, {}, ada);
      const slowly = modernPost(modern, call(1, "slow"), { headers: ada });
      const waiting = [
        up.send(slowly),
        up.send(slowly),
        session.post(call(2, "slow")),
      ];
      await seen.until("begun", 3);
      const full = await up.send(ping(ada));
      expect([full.status, full.header("retry-after")]).toEqual([429, "1"]);
      expect((await session.post(ask(3, "ping"))).status).toBe(429);
      expect((await up.send(ping(bob))).status).toBe(200);
      expect((await Session.start(up, legacy, {}, bob)).opening.status).toBe(
        200,
      );
      work.end(text("done"));
      for (const answer of waiting) expect((await answer).status).toBe(200);
      for (let i = 0; i < 4; i++)
        expect((await up.send(ping(ada))).status).toBe(200);
    });

    it("count each member of a batch as a request of the principal", async () => {
      const batching = named("2025-03-26");
      const options = {
        authenticate,
        sessions: false,
        limits: { requests: 12 },
      };
      const up = await open(options, {}, {}, [batching]);
      const batch = (count: number): Json[] =>
        Array.from({ length: count }, (_, id) => ask(id, "ping"));
      const headers = { "x-user": "ada" };
      expect((await up.send({ body: batch(3), headers })).status).toBe(200);
      expect((await up.send({ body: batch(4), headers })).status).toBe(429);
      expect((await up.send({ body: batch(3), headers })).status).toBe(200);
    });

    it("apply to the bytes of listeners, in total and per principal, separately from other requests", async () => {
      const up = await open({ authenticate, limits: { bytes: 100_000 } });
      const long = (user: string) => {
        const notifications = {
          resourceSubscriptions: [`test://${"x".repeat(6000)}`],
        };
        return modernPost(
          modern,
          ask("l", "subscriptions/listen", { notifications }),
          {
            headers: { "x-user": user },
          },
        );
      };
      const streams = [await up.send(long("ada"))];
      expect((await up.send(long("ada"))).status).toBe(429);
      for (let i = 0; i < 14; i++)
        streams.push(await up.send(long(`user ${i}`)));
      expect(new Set(streams.map(({ status }) => status))).toEqual(
        new Set([200]),
      );
      expect((await up.send(long("bob"))).status).toBe(503);
      expect((await up.send(ping())).status).toBe(200);
      for (const stream of streams) stream.leave();
      await until(async () => {
        const again = await up.send(long("ada"));
        expect(again.status).toBe(200);
        again.leave();
      });
    });

    it("apply to the sessions of each principal, and sessions that were only initialized are ended first", async () => {
      const up = await open({ authenticate, limits: { sessions: 20 } });
      const [ada, bob] = [{ "x-user": "ada" }, { "x-user": "bob" }];
      const used = await Session.start(up, legacy, {}, ada);
      expect((await used.post(ask(1, "ping"))).status).toBe(200);
      const others = await Session.start(up, legacy, {}, bob);
      const fresh = await Session.start(up, legacy, {}, ada);
      const next = await Session.start(up, legacy, {}, ada);
      expect(next.opening.status).toBe(200);
      expect((await fresh.post(ask(2, "ping"))).status).toBe(404);
      for (const session of [used, next, others])
        expect((await session.post(ask(3, "ping"))).status).toBe(200);
      const full = await up.send({
        body: hello(legacy.revision),
        headers: ada,
      });
      expect([full.status, full.header("retry-after")]).toEqual([429, "10"]);
      expect((await used.send({ method: "DELETE" })).status).toBe(204);
      await until(async () => {
        expect(
          (await up.send({ body: hello(legacy.revision), headers: ada }))
            .status,
        ).toBe(200);
      });
    });

    it("make room by ending a session that was only initialized, and never one that is used or has a listener", async () => {
      const up = await open({ limits: { sessions: 3 } });
      const used = await Session.start(up, legacy);
      await used.post(ask(1, "ping"));
      const listened = await Session.start(up, legacy);
      const stream = await listened.listen();
      const fresh = await Session.start(up, legacy);
      expect((await Session.start(up, legacy)).opening.status).toBe(200);
      expect((await fresh.post(ask(1, "ping"))).status).toBe(404);
      for (const session of [used, listened])
        expect((await session.post(ask(1, "ping"))).status).toBe(200);
      stream.leave();
    });

    it("count each member of a batch, also without sessions", async () => {
      const seen = watch();
      const work = gate<Json>();
      const batching = named("2025-03-26");
      const up = await open(
        { sessions: false, limits: { requests: 10 } },
        slow(seen, work.ended),
        {},
        [batching],
      );
      const batch = (count: number): Json[] =>
        Array.from({ length: count }, (_, id) => call(id, "slow"));
      const first = up.send({ body: batch(6) });
      await seen.until("begun", 6);
      const refused = await up.send({ body: batch(6) });
      expect([refused.status, refused.header("retry-after")]).toEqual([
        503,
        "1",
      ]);
      const second = up.send({ body: batch(4) });
      await seen.until("begun", 10);
      expect(seen.events).toHaveLength(10);
      work.end(text("done"));
      for (const answer of [await first, await second])
        expect(answer.status).toBe(200);
      expect((await up.send({ body: batch(10) })).status).toBe(200);
    });

    it("count the bytes of bodies until their requests are answered", async () => {
      const seen = watch();
      const work = gate<Json>();
      const up = await open(
        { limits: { bytes: 10_000 } },
        slow(seen, work.ended),
      );
      const large = modernPost(
        modern,
        call(1, "slow", { value: "x".repeat(6000) }),
      );
      const first = up.send(large);
      await seen.until("begun");
      expect((await up.send(large)).status).toBe(503);
      expect((await up.send(ping())).status).toBe(200);
      work.end(text("done"));
      expect((await first).status).toBe(200);
      for (let i = 0; i < 5; i++)
        expect((await up.send(large)).status).toBe(200);
      // Rejected bodies and invalid JSON no longer count.
      for (let i = 0; i < 5; i++)
        expect((await up.send({ body: `{"${"x".repeat(6000)}` })).status).toBe(
          400,
        );
      expect((await up.send(large)).status).toBe(200);
    });

    it("apply to the events of all sessions, and the oldest are dropped first", async () => {
      const tools = {
        large: async (_: Json, context: { release(): void }) => {
          context.release();
          await turns();
          return text("x".repeat(600));
        },
      };
      const up = await open({ limits: { bytes: 2600 } }, tools, {}, [resuming]);
      const primes: (readonly [Session, string | undefined])[] = [];
      for (let i = 0; i < 3; i++) {
        const session = await Session.start(up, resuming);
        const [prime] = await rest(await session.post(call(1, "large")));
        await turns();
        primes.push([session, prime?.id]);
      }
      const statuses = [];
      for (const [session, id] of primes)
        statuses.push((await session.listen({ "last-event-id": id })).status);
      expect(statuses).toEqual([400, 200, 200]);
    });

    it("drop a delivered response after the time in which the client may reconnect", async () => {
      const up = await open({ keepAliveTime: 20 }, {}, {}, [resuming]);
      const session = await Session.start(up, resuming);
      const events = await rest(
        await session.post(call(1, "count", {}, { progressToken: 1 })),
      );
      expect(messages(events).at(-1)).toMatchObject({ id: 1, result: {} });
      await until(async () => {
        expect(
          (await session.listen({ "last-event-id": events[0]?.id })).status,
        ).toBe(400);
      });
    });

    it("keep an undelivered response for any time", async () => {
      const seen = watch();
      const tools = {
        late: async (_: Json, context: { release(): void }) => {
          context.release();
          await seen.until("on");
          seen.saw("done");
          return text("late");
        },
      };
      const up = await open({ keepAliveTime: 5 }, tools, {}, [resuming]);
      const session = await Session.start(up, resuming);
      const stream = await session.listen();
      const [prime] = await rest(await session.post(call(1, "late")));
      seen.saw("on");
      await seen.until("done");
      // More keep-alive times than a delivered response is kept.
      for (let signs = 0; signs < 8;)
        if ((await stream.next())?.comment !== undefined) signs++;
      stream.leave();
      const again = await session.listen({ "last-event-id": prime?.id });
      const [reply] = messages(await rest(again));
      expect(textOf(resultOf(reply ?? {}))).toBe("late");
    });

    it.runIf(isWhole || endpoint === overSockets)(
      "disconnect slow readers if the unsent data of all clients is too large",
      async () => {
        const value = "x".repeat(1_000_000);
        const seen = watch();
        const up = await open(
          { limits: { bytes: 500_000 } },
          {
            flood: async (_, context) => {
              for (let i = 0; i < 40; i++) {
                context.log("error", value);
                await turns(1);
              }
              seen.saw("flooded");
              return text("flooded");
            },
          },
          {},
          [legacy],
        );
        const session = await Session.start(up, legacy);
        const streams = [
          await session.post(call(1, "flood")),
          await session.post(call(2, "flood")),
        ];
        await seen.until("flooded", 2);
        expect((await session.post(ask(3, "ping"))).status).toBe(200);
        for (const stream of streams)
          expect((await rest(stream)).length).toBeLessThan(40);
      },
    );

    it.runIf(endpoint !== overSockets)(
      "end the response of a slow reader with an error, and with none below its share",
      async () => {
        const seen = watch();
        const up = await open(
          { limits: { bytes: 10_000 } },
          {
            flood: async ({ size }, context) => {
              for (let i = 0; i < 3; i++)
                context.log("error", "x".repeat(size as number));
              await turns(1);
              seen.saw("flooded");
              return text("flooded");
            },
          },
          {},
          [legacy],
        );
        const session = await Session.start(up, legacy);
        for (const [size, count, isBroken] of [
          [21_000, 4, false],
          [100_000, 0, true],
        ] as const) {
          const stream = await session.post(call(size, "flood", { size }));
          await seen.until("flooded", isBroken ? 2 : 1);
          await turns();
          expect(messages(await rest(stream))).toHaveLength(count);
          expect(stream.isBroken).toBe(isBroken);
        }
        expect((await session.post(ask(3, "ping"))).status).toBe(200);
      },
    );

    it("count the data of a client no longer once it has read it, at the next keep-alive", async () => {
      const seen = watch();
      const up = await open(
        { limits: { bytes: 100_000 }, keepAliveTime: 20 },
        {
          flood: async ({ size }, context) => {
            for (let i = 0; i < 3; i++) {
              context.log("error", "x".repeat(size as number));
              await turns(1);
            }
            seen.saw("flooded");
            await seen.until("end");
            return text("flooded");
          },
        },
        {},
        [legacy],
      );
      const session = await Session.start(up, legacy);
      const first = await session.post(call(1, "flood", { size: 190_000 }));
      await seen.until("flooded");
      let signs = 0;
      const read = async (): Promise<void> => {
        while (signs < 3)
          if ((await first.next())?.comment !== undefined) signs++;
      };
      await read();
      const second = await session.post(call(2, "flood", { size: 100_000 }));
      await seen.until("flooded", 2);
      seen.saw("end");
      expect(messages(await rest(second))).toHaveLength(4);
      expect(messages(await rest(first))).toHaveLength(1);
    });

    it("do not disconnect a slow reader below its own limit while all clients together are below theirs", async () => {
      const flood: Parameters<typeof open>[1] = {
        flood: async (_, context) => {
          for (let i = 0; i < 3; i++) {
            context.log("error", "x".repeat(500_000));
            await turns(1);
          }
          return text("flooded");
        },
      };
      const up = await open({}, flood, {}, [legacy]);
      const session = await Session.start(up, legacy);
      const stream = await session.post(call(1, "flood"));
      await turns();
      expect(messages(await rest(stream))).toHaveLength(4);
    });
  },
);

/** A body that is not complete. */
interface Incomplete {
  readonly status: Promise<number>;
  more(count: number): void;
  end(): void;
}

/**
 * Sends the beginning of a body over a socket, and resolves with the status of
 * the response.
 */
function begin(
  port: number,
  length: number,
  sent: number,
  {
    path = "/mcp",
    user = "",
  }: { readonly path?: string; readonly user?: string } = {},
): Incomplete {
  const socket = connect(port, "127.0.0.1");
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    "accept: application/json, text/event-stream",
    "content-type: application/json",
    `content-length: ${length}`,
    ...(user ? [`x-user: ${user}`] : []),
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${" ".repeat(sent)}`);
  const status = new Promise<number>((resolve) =>
    socket.once("data", (chunk) =>
      resolve(Number(/^HTTP\/1.1 (\d+)/.exec(String(chunk))?.[1])),
    ),
  );
  socket.on("error", () => {});
  const more = (count: number): void => void socket.write(" ".repeat(count));
  return { status, more, end: () => socket.destroy() };
}

/** The same for a handler of web requests. */
function beginWeb(
  handler: (request: Request) => Promise<Response>,
): Incomplete {
  let to: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (to = controller),
  });
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  const init = { method: "POST", headers, body, duplex: "half" as const };
  const status = handler(new Request("http://127.0.0.1/mcp", init)).then(
    (response) => response.status,
  );
  const more = (count: number): void =>
    to?.enqueue(new Uint8Array(count).fill(32));
  more(10);
  return { status, more, end: () => {} };
}

/** Records the numbers of the bodies that were rejected, and their statuses. */
function watchAll(bodies: readonly Incomplete[]): [number, number][] {
  const rejected: [number, number][] = [];
  bodies.forEach(
    ({ status }, i) => void status.then((code) => rejected.push([i, code])),
  );
  return rejected;
}

/**
 * Resolves once what was sent before has arrived: requests that do not count
 * pass after it.
 */
const settled = async (port: number): Promise<void> => {
  for (let i = 0; i < 2; i++) await sendNode(port, { method: "OPTIONS" });
};

/**
 * Ways to send bodies to an endpoint with room for three requests: each begins
 * one, and sends a whole request.
 */
const ways = [
  {
    way: "serveHttp",
    open: async () => {
      const { close, port } = await serveHttp(
        createHttpHandler(serversWith(), { limits: { requests: 3 } }),
        {
          port: 0,
        },
      );
      const send = async (): Promise<number> =>
        (await sendNode(port, ping())).status;
      return {
        close,
        begin: () => begin(port, 10_000, 10),
        settle: () => settled(port),
        send,
        expected: 200,
      };
    },
  },
  {
    way: "createHttpHandler",
    open: async () => {
      const handler = createHttpHandler(serversWith(), {
        limits: { requests: 3 },
      });
      const send = async (): Promise<number> =>
        (await sendWeb(handler, ping())).status;
      return {
        close: () => handler.close(),
        begin: () => beginWeb(handler),
        settle: turns,
        send,
        expected: 200,
      };
    },
  },
  {
    way: "createSseHandler",
    open: async () => {
      const { close, port } = await serveHttp(
        createSseHandler(serversWith(), { limits: { requests: 3 } }),
        {
          port: 0,
        },
      );
      const stream = await sendNode(port, {
        headers: { accept: "text/event-stream" },
      });
      const path = (await stream.next())?.data ?? "";
      const send = async (): Promise<number> =>
        (
          await sendNode(port, {
            path,
            body: tell("notifications/initialized"),
          })
        ).status;
      return {
        close,
        begin: () => begin(port, 10_000, 10, { path }),
        settle: () => settled(port),
        send,
        expected: 202,
      };
    },
  },
];

describe.each(ways)("incomplete bodies behind $way", ({ open }) => {
  it("count as requests: for each request above the limit the slowest is rejected, and the fast ones are read on", async () => {
    const up = await open();
    const bodies = [up.begin(), up.begin(), up.begin()];
    const rejected = watchAll(bodies);
    await up.settle();
    bodies[0]?.more(600);
    await up.settle();
    expect(await up.send()).toBe(up.expected);
    await until(() => expect(rejected).toHaveLength(1));
    expect(rejected).toEqual([[expect.toSatisfy((index) => index !== 0), 503]]);
    // Two are left, so that one more request has room.
    for (let i = 0; i < 5; i++) expect(await up.send()).toBe(up.expected);
    expect(rejected).toHaveLength(1);
    for (const { end } of bodies) end();
    await up.close();
  });
});

describe("incomplete bodies", () => {
  const [endpoint] = endpoints;
  const open = opener(endpoint as (typeof endpoints)[number], revisions);
  it("count for the whole endpoint: the longest are rejected, and short ones are served", async () => {
    const up = await open({ limits: { bytes: 400_000 } });
    const bodies = Array.from({ length: 8 }, (_, i) =>
      begin(up.port, 1_000_000, 100_000 + i),
    );
    const refused = await Promise.race(bodies.map(({ status }) => status));
    expect(refused).toBe(503);
    await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const answer = await up.send(
          modernPost(modern, call(i, "echo", { value: "x".repeat(10_000) })),
        );
        expect(answer.status).toBe(200);
      }),
    );
    for (const { end } of bodies) end();
  });

  it("have no place to give while all other requests wait for an answer", async () => {
    const seen = watch();
    const up = await open({ limits: { requests: 1 } }, stuck(seen));
    const waiting = await up.send(
      modernPost(modern, call(1, "stuck", {}, { progressToken: 1 })),
    );
    await seen.until("begun");
    expect((await up.send(ping())).status).toBe(503);
    waiting.leave();
  });

  it("give their places to a batch, but not to one that has no room even then", async () => {
    const up = await open(
      { sessions: false, limits: { requests: 4 } },
      {},
      {},
      [named("2025-03-26")],
    );
    const bodies = Array.from({ length: 4 }, () => begin(up.port, 1000, 10));
    const rejected = watchAll(bodies);
    const batch = (count: number) =>
      up.send({
        body: Array.from({ length: count }, (_, id) => ask(id, "ping")),
      });
    // A batch takes one place while it is read.
    await until(async () => {
      expect((await batch(5)).status).toBe(503);
      expect(rejected).toHaveLength(1);
    });
    expect((await batch(5)).status).toBe(503);
    expect(rejected).toHaveLength(1);
    expect((await batch(4)).status).toBe(200);
    await until(() =>
      expect(rejected.map(([, code]) => code)).toEqual([503, 503, 503, 503]),
    );
    for (const { end } of bodies) end();
  });

  it("give no place to a principal above its share", async () => {
    const up = await open({ authenticate, limits: { requests: 8 } });
    const bodies = [
      "bob",
      "bob",
      "carl",
      "carl",
      "dora",
      "dora",
      "ada",
      "ada",
    ].map((user) => begin(up.port, 1000, 10, { user }));
    const rejected = watchAll(bodies);
    await until(async () =>
      expect((await up.send(ping({ "x-user": "ada" }))).status).toBe(429),
    );
    expect(rejected).toEqual([]);
    expect((await up.send(ping({ "x-user": "carol" }))).status).toBe(200);
    for (const { end } of bodies) end();
  });

  it("count as requests of their principal", async () => {
    const up = await open({ authenticate, limits: { requests: 8 } });
    const bodies = Array.from({ length: 2 }, () => begin(up.port, 1000, 10));
    await until(async () => expect((await up.send(ping())).status).toBe(429));
    expect((await up.send(ping({ "x-user": "ada" }))).status).toBe(200);
    for (const { end } of bodies) end();
    await until(async () => expect((await up.send(ping())).status).toBe(200));
  });
});
