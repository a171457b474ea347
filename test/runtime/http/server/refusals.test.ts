import { describe, expect, it } from "vitest";
import {
  errorOf,
  type Json,
  legacy,
  legacyRevisions,
  resultOf,
  text,
} from "../../kit/index.js";
import { ask, call, hello } from "../kit/messages.js";
import { endpoints, opener, slow } from "../kit/server.js";
import { Session } from "../kit/session.js";
import { gate, watch } from "../../kit/watch.js";

describe.each(endpoints)("the legacy shape behind $name", (endpoint) => {
  const open = opener(endpoint, legacyRevisions);

  it("HTTP-12 serves a client without a version header in the revision of its session, or in 2025-03-26", async () => {
    const session = await Session.start(await open(), legacy);
    const { headers } = session;
    const stated = { [legacy.facts.headers.version ?? ""]: undefined };
    expect(
      (
        await session.send({
          body: ask(1, "ping"),
          headers: { ...headers, ...stated },
        })
      ).status,
    ).toBe(200);
    const alone = await open({ sessions: false });
    const batch = await alone.send({ body: [ask(1, "ping"), ask(2, "ping")] });
    expect([batch.status, await batch.json()]).toEqual([
      200,
      [1, 2].map((id) => ({ jsonrpc: "2.0", id, result: {} })),
    ]);
  });

  it.each(["2099-01-01", "garbage", "", "2025-06-18, 2025-11-25"])(
    "HTTP-13 rejects the unsupported revision %j with 400, for any method",
    async (stated) => {
      const session = await Session.start(await open(), legacy);
      const version = legacy.facts.headers.version ?? "";
      for (const sent of [
        { body: ask(1, "ping") },
        { method: "GET" },
        { method: "DELETE" },
      ]) {
        const answer = await session.send({
          ...sent,
          headers: { [version]: stated },
        });
        expect(answer.status).toBe(400);
      }
      expect(resultOf(await session.ask(ask(1, "ping")))).toEqual({});
    },
  );

  it("HTTP-14 HTTP-15 rejects a GET that does not accept a stream with 406", async () => {
    const session = await Session.start(await open(), legacy);
    expect((await session.listen({ accept: "application/json" })).status).toBe(
      406,
    );
    const any = await session.listen({ accept: undefined });
    expect(any.status).toBe(200);
    any.leave();
    const stream = await session.listen();
    expect(stream.header("x-accel-buffering")).toBe("no");
    expect(stream.header("cache-control")).toMatch(/no-transform/);
    stream.leave();
  });

  it.each(["PUT", "PATCH", "HEAD"])(
    "HTTP-15 rejects %s with 405",
    async (method) => {
      const answer = await (await open()).send({ method });
      expect([answer.status, answer.header("allow")]).toEqual([
        405,
        "GET, POST, DELETE",
      ]);
    },
  );

  it.each(["GET", "DELETE", "PUT", "HEAD"])(
    "HTTP-15 rejects %s with 405 without sessions",
    async (method) => {
      const answer = await (await open({ sessions: false })).send({ method });
      expect([answer.status, answer.header("allow")]).toEqual([405, "POST"]);
    },
  );

  it("HTTP-21 rejects a body above the limit with 413, with and without a length, and accepts one at the limit", async () => {
    const body = JSON.stringify(hello(legacy.revision));
    const up = await open({ limits: { bodyBytes: body.length } });
    expect((await up.send({ body })).status).toBe(200);
    const long = await up.send({ body: `${body} ` });
    expect([long.status, errorOf(await long.json())["code"]]).toEqual([
      413, -32600,
    ]);
    const huge = await up.send({ body: "x".repeat(8_000_000) });
    expect(huge.status).toBe(413);
    expect((await up.send({ body })).status).toBe(200);
  });

  it("rejects POSTs above the limit with 503 until one is answered", async () => {
    const seen = watch();
    const work = gate<Json>();
    const session = await Session.start(
      await open({ limits: { requests: 2 } }, slow(seen, work.ended)),
      legacy,
    );
    const openPosts = [
      session.post(call(1, "slow")),
      session.post(call(2, "slow")),
    ];
    await seen.until("begun", 2);
    const refused = await session.post(ask(3, "ping"));
    expect([refused.status, refused.header("retry-after")]).toEqual([503, "1"]);
    work.end(text("slow"));
    for (const answer of openPosts) expect((await answer).status).toBe(200);
    expect((await session.post(ask(3, "ping"))).status).toBe(200);
  });
});
