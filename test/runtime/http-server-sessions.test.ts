import { afterEach, describe, expect, it } from "vitest";
import type { HttpOptions } from "@mcpgen/runtime/http";
import {
  type Answer,
  ask,
  call,
  doors,
  type Event,
  hello,
  named,
  type Open,
  type Revision,
  sendNode,
  serversWith,
  Session,
  sessionRevisions,
  tell,
  type Tools,
  watch,
  eventually,
} from "./http-server-kit.js";
import {
  errorOf,
  type Json,
  legacy,
  legacyRevisions,
  resultOf,
  type ServerOptions,
  text,
  textOf,
  turns,
} from "./kit.js";

/** The newest revision that says how streams are resumed. */
const resuming = named("2025-11-25");

/** All events until the stream ends. */
async function rest(answer: Answer): Promise<Event[]> {
  const events: Event[] = [];
  for (let event = await answer.next(); event; event = await answer.next()) events.push(event);
  return events;
}
const messages = (events: readonly Event[]): Json[] =>
  events.flatMap(({ data }) => (data ? [JSON.parse(data) as Json] : []));

describe.each(doors)("sessions behind $name", (door) => {
  const opened: Open[] = [];
  const open = async (
    options: HttpOptions = {},
    tools: Tools = {},
    settings: ServerOptions = {},
    wanted: readonly Revision[] = legacyRevisions,
  ): Promise<Open> => {
    const up = await door.open(serversWith(tools, settings, wanted), options);
    opened.push(up);
    return up;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });

  it.each(sessionRevisions)(
    "SESS-01 SESS-02 each handshake at $revision opens one of its own",
    async (revision) => {
      const up = await open();
      const ids = new Set<string>();
      for (let i = 0; i < 20; i++) {
        const answer = await up.send({ body: hello(revision.revision) });
        const id = answer.header("mcp-session-id") ?? "";
        expect(id).toMatch(/^[\x21-\x7e]{32,}$/);
        expect(resultOf(await answer.json())["protocolVersion"]).toBe(revision.revision);
        ids.add(id);
      }
      expect(ids.size).toBe(20);
    },
  );

  it("SESS-01 a handshake that fails opens none", async () => {
    const up = await open({ maxSessions: 1 });
    for (const body of [
      ask(1, "initialize"),
      ask(1, "initialize", { protocolVersion: 5 }),
      ask(null, "initialize", {}),
      tell("initialize"),
    ]) {
      const answer = await up.send({ body });
      expect([answer.header("mcp-session-id"), answer.status < 500]).toEqual([undefined, true]);
    }
    expect((await up.send({ body: hello(legacy.revision) })).status).toBe(200);
    const full = await up.send({ body: hello(legacy.revision) });
    expect([full.status, full.header("retry-after")]).toEqual([503, "10"]);
  });

  it("SESS-04 LIFE-07 a request without a session is refused with 400", async () => {
    const up = await open();
    for (const sent of [
      { body: ask(1, "ping") },
      { body: call(1, "echo") },
      { method: "GET" },
      { method: "DELETE" },
    ]) {
      const answer = await up.send(sent);
      expect(answer.status).toBe(400);
      expect(errorOf(await answer.json())["code"]).toBe(-32600);
    }
  });

  it("SESS-05 SESS-07 a session that was ended, or never was, is refused with 404", async () => {
    const session = await Session.start(await open(), legacy);
    expect((await session.send({ method: "DELETE" })).status).toBe(204);
    for (const sent of [{ body: ask(1, "ping") }, { method: "GET" }, { method: "DELETE" }]) {
      expect((await session.send(sent)).status).toBe(404);
      const madeUp = await session.send({ ...sent, headers: { "mcp-session-id": "made-up" } });
      expect(madeUp.status).toBe(404);
    }
    const again = await session.send({ body: hello(legacy.revision) });
    expect(again.status, "an initialize that names an ended session").toBe(404);
  });

  it("LIFE-08 a second handshake in a session is refused, and the session is as it was", async () => {
    const session = await Session.start(await open(), legacy);
    const answer = await session.post({ ...hello("2024-11-05"), id: 2 });
    expect([answer.status, errorOf(await answer.json())["code"]]).toEqual([400, -32600]);
    expect(resultOf(await session.ask(ask(3, "ping")))).toEqual({});
  });

  it("SESS-08 a session belongs to who opened it, and every request says who sends it", async () => {
    const asked: string[] = [];
    const up = await open({
      authenticate: (request) => {
        const who = request.headers.get("authorization");
        asked.push(`${request.method} ${who}`);
        if (who) return { principal: who, scope: "all" };
        return new Response("Who are you?", { status: 401, headers: { "www-authenticate": "Bearer" } });
      },
    });
    const ada = await Session.start(up, legacy, {}, { authorization: "Ada" });
    const bob = { authorization: "Bob" };
    for (const sent of [{ body: ask(1, "ping") }, { method: "GET" }, { method: "DELETE" }]) {
      const stolen = await ada.send({ ...sent, headers: bob });
      expect(stolen.status).toBe(404);
      const nobody = await ada.send({ ...sent, headers: { authorization: undefined } });
      expect([nobody.status, nobody.header("www-authenticate"), await nobody.text()]).toEqual([
        401,
        "Bearer",
        "Who are you?",
      ]);
    }
    expect(resultOf(await ada.ask(ask(1, "ping")))).toEqual({});
    expect(asked).toContain("DELETE Bob");
  });

  it("what authenticate knows reaches the handler, and the page is told of a challenge", async () => {
    const up = await open(
      {
        allowedOrigins: ["https://app.example.com"],
        authenticate: async (request) =>
          request.headers.get("authorization") === "Bearer good"
            ? { principal: "ada", scopes: ["read"] }
            : Response.json({ error: "invalid_token" }, { status: 401 }),
      },
      { who: (_, { auth }) => text(JSON.stringify(auth)) },
    );
    const session = await Session.start(up, legacy, {}, { authorization: "Bearer good" });
    expect(textOf(resultOf(await session.ask(call(1, "who"))))).toBe('{"principal":"ada","scopes":["read"]}');
    const origin = "https://app.example.com";
    const refused = await up.send({ body: ask(1, "ping"), headers: { origin } });
    expect([refused.status, refused.header("access-control-allow-origin")]).toEqual([401, origin]);
    expect(refused.header("access-control-expose-headers")).toMatch(/www-authenticate/i);
    expect(await refused.json()).toEqual({ error: "invalid_token" });
    const asked = await up.send({ method: "OPTIONS", headers: { origin } });
    expect(asked.status, "a browser asks before it may show who is calling").toBe(204);
  });

  it("a session that nobody uses ends by itself, and one with a listener does not", async () => {
    const up = await open({ sessionIdleTime: 500, keepAliveTime: 20 });
    const idle = await Session.start(up, legacy);
    const listener = await Session.start(up, legacy);
    const stream = await listener.listen();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect((await idle.post(ask(1, "ping"))).status).toBe(404);
    expect((await listener.post(ask(1, "ping"))).status).toBe(200);
    stream.leave();
  });

  it("a session whose client left a call behind that never ends, ends too", async () => {
    const seen = watch();
    const up = await open(
      { sessionIdleTime: 500, keepAliveTime: 20 },
      {
        stuck: async (_, { signal, progress }) => {
          progress(1);
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          seen.saw("aborted");
        },
      },
    );
    const session = await Session.start(up, legacy);
    const answer = await session.post(call(1, "stuck", {}, { progressToken: 1 }));
    answer.leave();
    await seen.until("aborted");
  });

  it("SESS-07 ending a session ends its calls and its streams", async () => {
    const seen = watch();
    const up = await open(
      {},
      {
        stuck: async (_, { signal }) => {
          seen.saw("begun");
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          seen.saw("aborted");
        },
      },
    );
    const session = await Session.start(up, legacy);
    const stream = await session.listen();
    const silent = session.post(call(1, "stuck"));
    await seen.until("begun");
    expect((await session.send({ method: "DELETE" })).status).toBe(204);
    await seen.until("aborted");
    expect((await silent).status).toBe(503);
    expect(messages(await rest(stream))).toEqual([]);
  });

  it("closing lets calls be answered, ends streams, and takes no more", async () => {
    const seen = watch();
    let finish = (): void => {};
    const up = await open(
      {},
      {
        slow: () =>
          new Promise((resolve) => {
            finish = () => resolve(text("slow"));
            seen.saw("begun");
          }),
        stuck: async (_, { signal }) => {
          seen.saw("stuck");
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
      },
      { drainTime: 100 },
    );
    const session = await Session.start(up, legacy);
    const other = await Session.start(up, legacy);
    const stream = await session.listen();
    const slow = session.post(call(1, "slow"));
    await seen.until("begun");
    const stuck = other.post(call(1, "stuck"));
    await seen.until("stuck");
    const closing = up.close();
    opened.length = 0;
    finish();
    expect(textOf(resultOf(await (await slow).json()))).toBe("slow");
    expect(messages(await rest(stream))).toEqual([]);
    expect((await stuck).status).toBe(503);
    await closing;
    const late = await session.post(ask(2, "ping")).then(
      ({ status }) => status,
      () => 503,
    );
    expect(late).toBe(503);
  });

  it("a second GET takes over from the first, and nothing is said twice", async () => {
    const servers = serversWith({}, {}, [legacy]);
    const up = await door.open(servers);
    opened.push(up);
    const session = await Session.start(up, legacy);
    const first = await session.listen();
    servers[0]?.notify["toolsListChanged"]?.();
    const second = await session.listen();
    servers[0]?.notify["promptsListChanged"]?.();
    expect(messages(await rest(first)).map(({ method }) => method)).toEqual([
      "notifications/tools/list_changed",
    ]);
    expect((await second.message())["method"]).toBe("notifications/prompts/list_changed");
    second.leave();
  });

  it("what is announced while nobody listens is heard by who listens next", async () => {
    const servers = serversWith({}, {}, [legacy]);
    const up = await door.open(servers);
    opened.push(up);
    const session = await Session.start(up, legacy);
    servers[0]?.notify["toolsListChanged"]?.();
    const stream = await session.listen();
    expect((await stream.message())["method"]).toBe("notifications/tools/list_changed");
    stream.leave();
  });

  describe("resumption", () => {
    /** A tool that says what it is told, step by step. */
    const stepping = (): { tools: Tools; step(count?: number): void } => {
      let go: (() => void) | undefined;
      let ready = 0;
      const step = (count = 1): void => {
        ready += count;
        go?.();
      };
      return {
        step,
        tools: {
          steps: async ({ count = 3, release }, context) => {
            for (let i = 1; i <= Number(count); i++) {
              if (--ready < 0) await new Promise<void>((resolve) => (go = resolve));
              context.progress(i);
              if (release === i) context.release(25);
            }
            return text("stepped");
          },
        },
      };
    };

    it("SSE-01 SSE-04 SSE-10 a stream begins with an id, and no id is on two streams", async () => {
      const { tools, step } = stepping();
      const session = await Session.start(await open({}, tools), resuming);
      const stream = await session.listen();
      step(6);
      const answers = [];
      for (const id of [1, 2]) answers.push(await session.post(call(id, "steps", {}, { progressToken: id })));
      const events = [await stream.next()];
      for (const answer of answers) {
        const own = await rest(answer);
        expect(own[0]).toMatchObject({ id: expect.any(String) as string, data: "" });
        expect(messages(own)).toHaveLength(4);
        events.push(...own);
      }
      expect(events[0]).toMatchObject({ data: "" });
      const ids = events.map((event) => event?.id);
      expect(ids).not.toContain(undefined);
      expect(new Set(ids).size).toBe(ids.length);
      stream.leave();
    });

    it.each(sessionRevisions.filter(({ facts }) => facts.headers.resume === undefined))(
      "SSE-04 at $revision no stream begins with an empty event",
      async (revision) => {
        const session = await Session.start(await open(), revision);
        const answer = await session.post(call(1, "count", {}, { progressToken: 1 }));
        expect((await answer.next())?.data).not.toBe("");
        answer.leave();
      },
    );

    it("SSE-02 SSE-03 a call that was cut off goes on where it was, from any event, and only with its own", async () => {
      const { tools, step } = stepping();
      const session = await Session.start(await open({}, tools), resuming);
      step(2);
      const answer = await session.post(call(1, "steps", { count: 4 }, { progressToken: "p" }));
      const prime = await answer.next();
      const second = (await answer.next(), await answer.next());
      answer.leave();
      const other = await session.post(call(2, "count", {}, { progressToken: "q" }));
      await rest(other);
      step(2);
      await turns();
      for (const [from, progress] of [
        [second?.id, [3, 4]],
        [prime?.id, [1, 2, 3, 4]],
      ] as const) {
        const again = await session.listen({ "last-event-id": from });
        expect(again.status).toBe(200);
        const found = messages(await rest(again));
        expect(found.flatMap(({ params }) => (params ? [(params as Json)["progress"]] : []))).toEqual(
          progress,
        );
        expect(found.at(-1)).toMatchObject({ id: 1, result: {} });
      }
    });

    it("SSE-05 SSE-06 a released call tells when to come back, and waits for that", async () => {
      const { tools, step } = stepping();
      const session = await Session.start(await open({}, tools), resuming);
      step(1);
      const answer = await session.post(call(1, "steps", { count: 2, release: 1 }, { progressToken: "p" }));
      const events = await rest(answer);
      expect(messages(events)).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ retry: "25", data: "" });
      step(1);
      await turns();
      const again = await session.listen({ "last-event-id": events.at(-1)?.id });
      expect(messages(await rest(again))).toMatchObject([{ params: { progress: 2 } }, { id: 1, result: {} }]);
    });

    it("a released call that the client comes back for before it goes on is continued, not repeated", async () => {
      const { tools, step } = stepping();
      const session = await Session.start(await open({}, tools), resuming);
      step(1);
      const answer = await session.post(call(1, "steps", { count: 3, release: 1 }, { progressToken: "p" }));
      const last = (await rest(answer)).at(-1)?.id;
      const early = await session.listen({ "last-event-id": last });
      step(1);
      const half = await early.next();
      const late = await session.listen({ "last-event-id": half?.id });
      step(1);
      expect(await rest(early)).toEqual([]);
      expect(messages(await rest(late))).toMatchObject([{ params: { progress: 3 } }, { id: 1, result: {} }]);
    });

    it("an answer far over the limits of the log is still there for who was let go", async () => {
      const seen = watch();
      let finish = (): void => {};
      const value = "x".repeat(5_000_000);
      const session = await Session.start(
        await open(
          { maxEvents: 4, maxEventLength: 100 },
          {
            large: async (_, context) => {
              context.release();
              await new Promise<void>((resolve) => {
                finish = resolve;
                seen.saw("begun");
              });
              return text(value);
            },
          },
        ),
        resuming,
      );
      const answer = session.post(call(1, "large"));
      await seen.until("begun");
      const [prime] = await rest(await answer);
      finish();
      await turns();
      const again = await session.listen({ "last-event-id": prime?.id });
      const [reply] = messages(await rest(again));
      expect(textOf(resultOf(reply ?? {})) === value).toBe(true);
    });

    it("SSE-03 an event that is not there, or not there any more, is refused with 400", async () => {
      const session = await Session.start(await open({ maxEvents: 3 }), resuming);
      const answer = await session.post(call(1, "count", {}, { progressToken: 1 }));
      const [prime] = await rest(answer);
      for (const id of [prime?.id, "999-1", "1-999", "0-1000000", "garbage", "", "1-", "-1", "1-1e3"]) {
        const again = await session.listen({ "last-event-id": id });
        expect([id, again.status]).toEqual([id, 400]);
      }
      const other = await Session.start(session.open, resuming);
      expect((await other.listen({ "last-event-id": "1-4" })).status, "somebody else's").toBe(400);
    });

    it("without a log there are no ids, and nothing to come back to", async () => {
      const session = await Session.start(await open({ maxEvents: 0 }), resuming);
      const events = await rest(await session.post(call(1, "count", {}, { progressToken: 1 })));
      expect(events.map(({ id }) => id)).toEqual(Array(4).fill(undefined));
      expect((await session.listen({ "last-event-id": "1-1" })).status).toBe(400);
    });

    it("a call that lets go too late, or twice, changes nothing", async () => {
      const errors: Error[] = [];
      const seen = watch();
      const up = await open(
        {},
        {
          late: (_, context) => {
            setTimeout(() => {
              context.release(5);
              context.progress(1);
              seen.saw("late");
            }, 5);
            return text("at once");
          },
          twice: async (_, context) => {
            context.release(5);
            context.release(6);
            await new Promise((resolve) => setTimeout(resolve, 5));
            return text("twice");
          },
        },
        { onError: (error) => void errors.push(error) },
      );
      const session = await Session.start(up, resuming);
      expect(textOf(resultOf(await session.ask(call(1, "late", {}, { progressToken: 1 }))))).toBe("at once");
      await seen.until("late");
      const events = await rest(await session.post(call(2, "twice")));
      const again = await session.listen({ "last-event-id": events[0]?.id });
      expect(messages(await rest(again))).toMatchObject([{ id: 2 }]);
      expect(errors).toEqual([]);
    });
  });

  it("HTTP-47 a silent call becomes a stream with signs of life", async () => {
    let finish = (): void => {};
    const up = await open(
      { keepAliveTime: 5 },
      {
        slow: () => new Promise((resolve) => (finish = () => resolve(text("slow")))),
      },
    );
    const session = await Session.start(up, legacy);
    const listening = await session.listen();
    const answer = await session.post(call(1, "slow"));
    expect(answer.header("content-type")).toBe("text/event-stream");
    const stream = [await answer.next(), await answer.next(), await answer.next()];
    expect(stream.some((event) => event?.comment !== undefined)).toBe(true);
    finish();
    expect(await answer.message()).toMatchObject({ id: 1, result: {} });
    let event = await listening.next();
    while (event?.comment === undefined) event = await listening.next();
    listening.leave();
  });

  it("one message always fits, and a reader far behind is cut off while others are served", async () => {
    const value = "x".repeat(3_000_000);
    const seen = watch();
    const up = await open(
      { maxWaitingBytes: 1_000_000, maxEvents: 0 },
      {
        flood: async (_, context) => {
          for (let i = 0; i < 20 && !seen.events.includes("stop"); i++) {
            context.log("error", value);
            await turns(1);
          }
          seen.saw("flooded");
          return text("flooded");
        },
        once: (_, context) => {
          context.progress(1);
          return text(value);
        },
      },
    );
    const session = await Session.start(up, legacy);
    const one = await session.post(call(1, "once", {}, { progressToken: 1 }));
    expect(messages(await rest(one))[1]).toMatchObject({ id: 1, result: text(value) });
    const slow = await session.post(call(2, "flood"));
    await seen.until("flooded");
    expect(resultOf(await session.ask(ask(3, "ping")))).toEqual({});
    const read = await rest(slow);
    expect(read.length).toBeLessThan(20);
  });
});

describe("sessions over real sockets", () => {
  it("sessions that were opened and abandoned make room for others", async () => {
    const [door] = doors;
    const up = await door?.open(serversWith({}, {}, [legacy]), {
      maxSessions: 50,
      sessionIdleTime: 1,
      keepAliveTime: 5,
    });
    if (!up) throw new Error("There is no door.");
    let opened = 0;
    let refused = 0;
    for (let i = 0; i < 200; i++) {
      const { status } = await sendNode(up.port, { body: hello(legacy.revision) });
      if (status === 200) opened++;
      else if (status === 503) refused++;
    }
    expect(opened + refused).toBe(200);
    expect(opened).toBeGreaterThanOrEqual(50);
    const { port } = up;
    await eventually(async () =>
      expect((await sendNode(port, { body: hello(legacy.revision) })).status).toBe(200),
    );
    await up.close();
  });
});
