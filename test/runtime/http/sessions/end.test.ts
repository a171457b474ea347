import { describe, expect, it } from "vitest";
import {
  type Json,
  legacy,
  legacyRevisions,
  resultOf,
  text,
  textOf,
} from "../../kit/index.js";
import { messages, rest } from "../kit/resuming.js";
import { sendNode } from "../kit/exchange.js";
import { ask, call, hello } from "../kit/messages.js";
import {
  endpoints,
  opener,
  serving,
  slow,
  stuck,
  serversWith,
} from "../kit/server.js";
import { Session } from "../kit/session.js";
import { until, gate, watch } from "../../kit/watch.js";

describe.each(endpoints)("sessions behind $name", (endpoint) => {
  const open = opener(endpoint, legacyRevisions);
  const serve = serving(endpoint);

  const attempts = [
    { body: ask(1, "ping") },
    { method: "GET" },
    { method: "DELETE" },
  ];
  it.each(attempts)(
    "SESS-05 SESS-07 rejects %j in an unknown or ended session with 404",
    async (sent) => {
      const session = await Session.start(await open(), legacy);
      expect((await session.send({ method: "DELETE" })).status).toBe(204);
      expect((await session.send(sent)).status).toBe(404);
      const madeUp = await session.send({
        ...sent,
        headers: { "mcp-session-id": "made-up" },
      });
      expect(madeUp.status).toBe(404);
    },
  );

  it("are opened by an initialize that names one that has ended, with another id", async () => {
    const session = await Session.start(await open(), legacy);
    expect((await session.send({ method: "DELETE" })).status).toBe(204);
    const again = await session.send({ body: hello(legacy.revision) });
    expect(again.status).toBe(200);
    const id = again.header("mcp-session-id");
    expect(id).not.toBe(session.headers["mcp-session-id"]);
    const next = await session.send({
      body: ask(1, "ping"),
      headers: { "mcp-session-id": id },
    });
    expect(next.status).toBe(200);
  });

  it("end after their idle time, unless a client listens", async () => {
    const servers = serversWith({}, {}, [legacy]);
    const up = await serve(servers, {
      sessionIdleTime: 500,
      keepAliveTime: 20,
    });
    const listener = await Session.start(up, legacy);
    const stream = await listener.listen();
    // The listener stays longer than two successive sessions without a
    // listener.
    for (let i = 0; i < 2; i++) {
      const idle = await Session.start(up, legacy);
      await until(() =>
        expect(servers.map(({ core }) => core.sessions.size)).toEqual([1]),
      );
      expect((await idle.post(ask(1, "ping"))).status).toBe(404);
    }
    expect((await listener.post(ask(1, "ping"))).status).toBe(200);
    stream.leave();
  });

  it("do not end while a client waits for an answer", async () => {
    const seen = watch();
    const work = gate<Json>();
    const up = await open(
      { sessionIdleTime: 40, keepAliveTime: 10 },
      slow(seen, work.ended),
      { drainTime: 20 },
    );
    const session = await Session.start(up, legacy);
    const answer = await session.post(call(1, "slow"));
    for (let signs = 0; signs < 12;)
      if ((await answer.next())?.comment !== undefined) signs++;
    work.end(text("done"));
    expect(textOf(resultOf(await answer.message()))).toBe("done");
  });

  it("end after their idle time, even if a call of a disconnected client is still open", async () => {
    const seen = watch();
    const up = await open(
      { sessionIdleTime: 500, keepAliveTime: 20 },
      stuck(seen),
    );
    const session = await Session.start(up, legacy);
    const answer = await session.post(
      call(1, "stuck", {}, { progressToken: 1 }),
    );
    answer.leave();
    await seen.until("aborted");
    expect((await session.post(ask(2, "ping"))).status).toBe(404);
  });

  it("SESS-07 end with their calls and streams", async () => {
    const seen = watch();
    const up = await open({}, stuck(seen));
    const session = await Session.start(up, legacy);
    const stream = await session.listen();
    const silent = session.post(call(1, "stuck"));
    await seen.until("begun");
    expect((await session.send({ method: "DELETE" })).status).toBe(204);
    await seen.until("aborted");
    expect((await silent).status).toBe(503);
    expect(messages(await rest(stream))).toEqual([]);
  });

  it("answer open calls, end their streams and reject new requests when the handler closes", async () => {
    const seen = watch();
    const work = gate<Json>();
    const up = await open(
      {},
      { ...slow(seen, work.ended), ...stuck(seen) },
      { drainTime: 100 },
    );
    const session = await Session.start(up, legacy);
    const other = await Session.start(up, legacy);
    const stream = await session.listen();
    const answered = session.post(call(1, "slow"));
    const cutOff = other.post(call(1, "stuck"));
    await seen.until("begun", 2);
    const closing = up.close();
    work.end(text("slow"));
    expect(textOf(resultOf(await (await answered).json()))).toBe("slow");
    expect(messages(await rest(stream))).toEqual([]);
    expect((await cutOff).status).toBe(503);
    await closing;
    const late = await session.post(ask(2, "ping")).then(
      ({ status }) => status,
      () => 503,
    );
    expect(late).toBe(503);
  });
});

describe("sessions over real sockets", () => {
  it("are ended to make room for others if they were only initialized", async () => {
    const [endpoint] = endpoints;
    const up = await endpoint?.open(serversWith({}, {}, [legacy]), {
      limits: { sessions: 50 },
      sessionIdleTime: 1,
      keepAliveTime: 5,
    });
    if (!up) throw new Error("There is no door.");
    let opened = 0;
    let refused = 0;
    for (let i = 0; i < 200; i++) {
      const { status } = await sendNode(up.port, {
        body: hello(legacy.revision),
      });
      if (status === 200) opened++;
      else if (status === 503) refused++;
    }
    expect(opened + refused).toBe(200);
    expect(opened).toBeGreaterThanOrEqual(50);
    const { port } = up;
    await until(async () =>
      expect(
        (await sendNode(port, { body: hello(legacy.revision) })).status,
      ).toBe(200),
    );
    await up.close();
  });
});
