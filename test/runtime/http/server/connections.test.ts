import { describe, expect, it } from "vitest";
import { legacy, resultOf, turns } from "../../kit/index.js";
import { until } from "../../kit/watch.js";
import { pause } from "../../../../src/common/timing.js";
import { ask, call, modernPost } from "../kit/messages.js";
import { head, open, type Raw, usual, whole } from "../kit/raw.js";
import { modern } from "../../kit/index.js";
import { serversWith } from "../kit/server.js";
import { Session } from "../kit/session.js";

const missing = head(usual.slice(0, 1), "GET /elsewhere HTTP/1.1");

/** Sends a request whose response leaves the connection idle. */
async function idle(raw: Raw): Promise<Raw> {
  await raw.write(missing).until(/404[^]*\r\n\r\n/);
  return raw;
}

describe("the connections of the HTTP server", () => {
  it("are closed when they have been idle for keepAliveTimeout, while a silent stream stays open", async () => {
    const up = await open(
      { keepAliveTime: 60_000 },
      { keepAliveTimeout: 700, requestTimeout: 600 },
    );
    const session = await Session.start(up, legacy);
    const stream = await session.listen();
    const [after404, afterCall] = [
      await idle(up.raw()),
      up.raw().write(whole()),
    ];
    await afterCall.until(/"id":"hello"/);
    expect(after404.text).toMatch(/keep-alive: timeout=0/i);
    await Promise.all([after404.ended, afterCall.ended]);
    expect(resultOf(await session.ask(ask(1, "ping")))).toEqual({});
    stream.leave();
  });

  it("HTTP-47 carry keep-alive comments although the body of the request took longer than the time between two", async () => {
    const silent = (): Promise<never> => new Promise(() => {});
    const up = await open({ keepAliveTime: 5 }, {}, serversWith({ silent }));
    const { headers = {}, body } = modernPost(modern, call(1, "silent"));
    const lines = Object.entries(headers).map(
      ([name, value]) => `${name}: ${String(value)}`,
    );
    const text = whole(JSON.stringify(body), [...usual, ...lines]);
    const raw = up.raw().write(text.slice(0, -10));
    await pause(60);
    raw.write(text.slice(-10));
    expect(await raw.until(/\n:/)).toContain("text/event-stream");
    raw.socket.destroy();
  });

  it("are kept for five seconds by default, and the response says so", async () => {
    const raw = await idle((await open()).raw());
    expect(raw.text).toMatch(/keep-alive: timeout=5\r\n/i);
    raw.socket.destroy();
  });

  it("stay open for keepAliveTimeout between two requests", async () => {
    const up = await open(
      {},
      { keepAliveTimeout: 30_000, requestTimeout: 600 },
    );
    const raw = await idle(up.raw());
    const other = await idle((await open({}, { keepAliveTimeout: 700 })).raw());
    await other.ended;
    await raw.write(whole()).until(/"id":"hello"/);
    expect(raw.statuses).toEqual([404, 200]);
    raw.socket.destroy();
  });

  it("do not keep others out: above the limit the one that is idle for longest is closed", async () => {
    const up = await open({}, { limits: { connections: 3 } });
    const session = await Session.start(up, legacy);
    const stream = await session.listen();
    const first = await idle(up.raw());
    const second = await idle(up.raw());
    await first.write(missing).until(/404[^]*404[^]*\r\n\r\n/);
    const third = await idle(up.raw());
    await second.ended;
    expect([first.closed, third.closed]).toEqual([false, false]);
    const silent = Array.from({ length: 4 }, () => up.raw());
    await Promise.all([first.ended, third.ended]);
    await until(() =>
      expect(silent.filter(({ closed }) => closed)).toHaveLength(2),
    );
    expect(resultOf(await session.ask(ask(1, "ping")))).toEqual({});
    stream.leave();
  });

  it("are not accepted above the limit while all others have an open request", async () => {
    const up = await open({}, { limits: { connections: 2 } });
    const session = await Session.start(up, legacy);
    const streams = [await session.listen()];
    streams.push(await (await Session.start(up, legacy)).listen());
    const late = up.raw().write(whole());
    await late.ended;
    expect(late.statuses).toEqual([]);
    streams.pop()?.leave();
    await until(async () => {
      expect(
        (await up.send({ method: "GET", path: "/elsewhere" })).status,
      ).toBe(404);
    });
    await turns();
    for (const stream of streams) stream.leave();
  });
});
