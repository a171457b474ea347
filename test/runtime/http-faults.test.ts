import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { serve } from "@mcpgen/runtime";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { StdioServerTransport } from "@mcpgen/runtime/stdio";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Connection } from "../../src/runtime/jsonrpc/connection.js";
import { HttpCarrier } from "../../src/runtime/transport/http/carrier.js";
import { EventStream } from "../../src/runtime/transport/http/stream.js";
import {
  type Answer,
  ask,
  call,
  doors,
  hello,
  modernPost,
  named,
  type Open,
  sendNode,
  sendWeb,
  serversWith,
  Session,
} from "./http-server-kit.js";
import { type Json, legacy, modern, resultOf, text, textOf, turns } from "./kit.js";
import { Proxy, seeded } from "./proxy.js";

/** A hundredth of the full size is 1. */
const scale = Number(process.env["MCPGEN_SOAK"] ?? 1);
const seed = Number(process.env["MCPGEN_SEED"] ?? 20251125);
const resuming = named("2025-11-25");

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", note).on("uncaughtException", note));
afterAll(() => void process.off("unhandledRejection", note).off("uncaughtException", note));

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Resolves once nothing holds anything of a connection any more. */
async function nothing(): Promise<void> {
  for (const kind of [Connection, HttpCarrier, EventStream]) {
    while (queryObjects(kind, { format: "count" }) > 0) await turns(100);
  }
}

/** What is in use after everything that can go has gone, in bytes. */
async function used(): Promise<number> {
  await turns(10);
  collect();
  await turns(2);
  collect();
  return process.memoryUsage().heapUsed;
}

/** The messages of one stream, over as many connections as it takes; the id of the last event is where to go on. */
class Resumed {
  readonly messages: Json[] = [];
  last: string | undefined;

  /** Reads until the connection is gone. True when the stream came to its answer. */
  async read(answer: Answer): Promise<boolean> {
    for (let event = await answer.next(); event; event = await answer.next()) {
      if (event.id !== undefined) this.last = event.id;
      if (!event.data) continue;
      const message = JSON.parse(event.data) as Json;
      this.messages.push(message);
      if (message["id"] !== undefined) return true;
    }
    return false;
  }
}

describe("a line that cannot be relied on", () => {
  it("loses no message that can be resumed, repeats none, and nothing hangs", async () => {
    const random = seeded(seed);
    const errors: Error[] = [];
    const servers = serversWith(
      {
        steps: async ({ count }, context) => {
          for (let i = 1; i <= Number(count); i++) {
            context.progress(i);
            if (i === 2) context.release(1);
            if (i % 3 === 0) await turns(1);
          }
          return text("stepped");
        },
      },
      { onError: (error) => void errors.push(error) },
    );
    const up = await serveHttp(createHttpHandler(servers, { maxEvents: 100_000 }), {
      port: 0,
      drainTime: 100,
    });
    const proxy = await Proxy.to(up.port, random);
    const open: Open = { port: proxy.port, send: (sent) => sendNode(proxy.port, sent), close: proxy.close };
    const session = await Session.start(open, resuming);
    proxy.weather = { cut: 0.04, half: 0.01 };
    let finished = 0;
    let lost = 0;
    const one = async (id: number): Promise<void> => {
      const stream = new Resumed();
      const given = { count: 7 };
      let isWhole = await session
        .post(call(id, "steps", given, { progressToken: id }))
        .then((answer) => stream.read(answer))
        .catch(() => false);
      // Without an id there is nothing to come back to: that call is lost, as the revision has it.
      if (!isWhole && stream.last === undefined) return void lost++;
      for (let tries = 0; !isWhole; tries++) {
        expect(tries).toBeLessThan(200);
        isWhole = await session
          .listen({ "last-event-id": stream.last })
          .then((answer) => {
            expect(answer.status).toBe(200);
            return stream.read(answer);
          })
          .catch((error: Error) => {
            if (error.name === "AssertionError") throw error;
            return false;
          });
      }
      const told = stream.messages.map(
        ({ params, result }) => (params as Json | undefined)?.["progress"] ?? result,
      );
      expect(told).toEqual([1, 2, 3, 4, 5, 6, 7, text("stepped")]);
      finished++;
    };
    // Announcements, each with its number, to one who listens all the time.
    const listener = new Resumed();
    const stop = new AbortController();
    const listening = (async () => {
      while (!stop.signal.aborted) {
        await session
          .listen({ "last-event-id": listener.last })
          .then((answer) => listener.read(answer))
          .catch(() => {});
      }
    })();
    let announced = 0;
    const total = Math.max(10, 10 * scale);
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < total) {
        for (const { notify } of servers) notify["toolsListChanged"]?.({ _meta: { number: announced } });
        announced++;
        await one(next++);
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    expect(proxy.cuts).toBeGreaterThan(0);
    expect(proxy.connections).toBeGreaterThan(total);
    expect(finished + lost).toBe(next);
    expect(finished).toBeGreaterThan(next / 2);
    proxy.weather = { cut: 0, half: 0 };
    const numbers = (): unknown[] =>
      listener.messages.map(({ params }) => ((params as Json)["_meta"] as Json)["number"]);
    while (numbers().length < announced) await turns(2);
    stop.abort();
    await session.send({ method: "DELETE" });
    await listening;
    expect(numbers()).toEqual(Array.from({ length: announced }, (_, i) => i));
    expect(errors).toEqual([]);
    await proxy.close();
    await up.close();
  });

  it("serves the modern era with each call answered whole, or not at all, and leaves nothing behind", async () => {
    const random = seeded(seed + 1);
    const servers = serversWith({
      work: async ({ value }, context) => {
        context.progress(1);
        await turns(1);
        return text(String(value));
      },
    });
    const up = await serveHttp(createHttpHandler(servers), { port: 0, drainTime: 100 });
    const proxy = await Proxy.to(up.port, random);
    proxy.weather = { cut: 0.05, half: 0.01 };
    let answered = 0;
    const total = Math.max(20, 10 * scale);
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < total) {
        const value = String(next++);
        const sent = modernPost(modern, call(value, "work", { value }, { progressToken: value }));
        const stream = new Resumed();
        const isWhole = await sendNode(proxy.port, sent)
          .then((answer) => stream.read(answer))
          .catch(() => false);
        if (!isWhole) continue;
        expect(stream.messages.at(-1)).toMatchObject({ id: value, result: text(value) });
        expect(stream.messages).toHaveLength(2);
        answered++;
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    expect(answered).toBeGreaterThan(0);
    await proxy.close();
    while (servers.some(({ core }) => core.links.size > 0)) await turns(2);
    await up.close();
  });
});

describe("floods", () => {
  it("sessions that are opened and abandoned leave nothing behind", async () => {
    const servers = serversWith({}, { drainTime: 10 }, [legacy]);
    const handler = createHttpHandler(servers, {
      sessionIdleTime: 20,
      keepAliveTime: 5,
      maxSessions: Infinity,
    });
    const total = 100 * scale;
    for (let i = 0; i < total; i++) {
      const opening = await sendWeb(handler, { body: hello(legacy.revision) });
      const headers = { "mcp-session-id": opening.header("mcp-session-id") };
      // Some leave a call behind, some a stream that they hang up.
      if (i % 3 === 1) {
        const leaving = new AbortController();
        const left = sendWeb(handler, { body: call(1, "wait"), headers, signal: leaving.signal });
        await turns(1);
        leaving.abort();
        await left;
      }
      if (i % 3 === 2) (await sendWeb(handler, { method: "GET", headers })).leave();
    }
    while (servers.some(({ core }) => core.links.size > 0)) await turns(2);
    await nothing();
    await handler.close();
  });

  it.each(["modern", "legacy"])("POSTs of the %s era that stand alone leave nothing behind", async (era) => {
    const servers = serversWith({}, {}, [era === "modern" ? modern : legacy]);
    const handler = createHttpHandler(servers, { sessions: false });
    const total = 1000 * scale;
    let baseline = 0;
    for (let i = 0; i < total; i++) {
      const message = call(i, i % 50 === 0 ? "count" : "echo", { value: i }, { progressToken: i });
      const sent = era === "modern" ? modernPost(modern, message) : { body: message };
      const answer = await sendWeb(handler, sent);
      if (i % 100 === 0) answer.leave();
      else await answer.text();
      if (i === Math.floor(total / 5)) baseline = await used();
    }
    await nothing();
    expect((await used()) - baseline).toBeLessThan(4_000_000);
    await handler.close();
  });

  it("calls over HTTP in one session leave memory as it was", async () => {
    const up = await serveHttp(createHttpHandler(serversWith()), { port: 0, drainTime: 100 });
    const session = await Session.start({ ...up, send: (sent) => sendNode(up.port, sent) }, legacy);
    const lines = Object.entries(session.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const total = 10_000 * scale;
    const sockets = 16;
    let id = 0;
    const lane = (count: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const socket = connect(up.port, "127.0.0.1").setNoDelay();
        let received = "";
        let left = count;
        const send = (): void => {
          const body = JSON.stringify(call(++id, "echo", { value: "x" }));
          const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: */*\r\ncontent-type: application/json\r\n`;
          socket.write(`${head}${lines.join("")}content-length: ${body.length}\r\n\r\n${body}`);
        };
        socket.on("error", reject).on("data", (chunk: Buffer) => {
          received += chunk.toString("latin1");
          if (!received.endsWith("}}")) return;
          if (!received.includes('"text":"x"')) return reject(new Error(received));
          received = "";
          if (--left > 0) return send();
          socket.destroy();
          resolve();
        });
        send();
      });
    const many = (count: number): Promise<unknown> =>
      Promise.all(Array.from({ length: sockets }, () => lane(Math.ceil(count / sockets))));
    await many(total / 5);
    const baseline = await used();
    await many((total / 5) * 4);
    expect((await used()) - baseline).toBeLessThan(4_000_000);
    expect(textOf(resultOf(await session.ask(call("last", "echo", { value: "still here" }))))).toBe(
      "still here",
    );
    await up.close();
  });

  it("calls over stdio leave memory as it was", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const serving = await serve(new StdioServerTransport({ input, output }), serversWith());
    const count = { sent: 0, answered: 0 };
    const send = (): void => {
      count.sent++;
      input.write(`${JSON.stringify(modernPost(modern, call(count.sent, "echo", { value: "x" })).body)}\n`);
    };
    let done = (): void => {};
    let goal = 0;
    output.on("data", (chunk: Buffer) => {
      for (const byte of chunk) {
        if (byte !== 10) continue;
        count.answered++;
        if (count.sent < goal) send();
      }
      if (count.answered === goal) done();
    });
    const many = (more: number): Promise<void> =>
      new Promise((resolve) => {
        done = resolve;
        goal += more;
        for (let i = 0; i < 64; i++) send();
      });
    const total = 10_000 * scale;
    await many(total / 5);
    const baseline = await used();
    await many((total / 5) * 4);
    expect((await used()) - baseline).toBeLessThan(4_000_000);
    await serving.close();
  });
});

describe("hostile input", () => {
  const runs = 60 * Math.min(scale, 50);

  it("whatever comes in place of HTTP, others are served", async () => {
    const errors: Error[] = [];
    const servers = serversWith({}, { onError: (error) => void errors.push(error) });
    const up = await serveHttp(createHttpHandler(servers), {
      port: 0,
      drainTime: 100,
      headersTimeout: 300,
      requestTimeout: 300,
    });
    const session = await Session.start({ ...up, send: (sent) => sendNode(up.port, sent) }, legacy);
    const body = JSON.stringify(hello(legacy.revision));
    const good = [
      "POST /mcp HTTP/1.1",
      "Host: 127.0.0.1",
      "Accept: application/json, text/event-stream",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "",
      body,
    ].join("\r\n");
    const mutation = fc.record({
      at: fc.nat(good.length),
      remove: fc.nat(20),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        fc
          .constantFrom(
            "\r\n",
            "\0",
            ": ",
            "Transfer-Encoding: chunked\r\n",
            "Content-Length: 5\r\n",
            "Expect: 100-continue\r\n",
            "Upgrade: h2c\r\nConnection: Upgrade\r\n",
          )
          .map((one) => new TextEncoder().encode(one)),
      ),
    });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(mutation, { minLength: 1, maxLength: 4 }).map((all) => {
        let buffer = Buffer.from(good);
        for (const { at, remove, insert } of all)
          buffer = Buffer.concat([buffer.subarray(0, at), insert, buffer.subarray(at + remove)]);
        return buffer;
      }),
    );
    let id = 0;
    await fc.assert(
      fc.asyncProperty(bytes, async (data) => {
        const socket = connect(up.port, "127.0.0.1");
        let heard = "";
        socket.on("error", () => {}).on("data", (chunk: Buffer) => void (heard += chunk.toString("latin1")));
        socket.end(data);
        await new Promise((resolve) => socket.once("close", resolve));
        expect(heard).not.toMatch(/^HTTP\/1\.1 500/);
        expect(resultOf(await session.ask(ask(++id, "ping")))).toEqual({});
      }),
      { numRuns: runs, seed },
    );
    expect(errors.filter((error) => error instanceof TypeError)).toEqual([]);
    await up.close();
  });

  it.each(doors)(
    "whatever comes as a request through $name, it gets an answer, and never 500",
    async (door) => {
      const errors: Error[] = [];
      const up = await door.open(serversWith({}, { onError: (error) => void errors.push(error) }), {
        keepAliveTime: 5,
      });
      const session = await Session.start(up, legacy);
      const alike = fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            jsonrpc: fc.constantFrom("2.0", "1.0", 2),
            id: fc.constantFrom(1, "a", null, 1.5, {}, -0, 2 ** 60),
            method: fc.constantFrom(
              "ping",
              "initialize",
              "tools/list",
              "notifications/cancelled",
              "__proto__",
              5,
              "subscriptions/listen",
            ),
            params: fc.oneof(fc.jsonValue(), fc.constant(modernPost(modern, ask(1, "ping")).body as object)),
            result: fc.jsonValue(),
            error: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      );
      const value = fc.oneof(
        fc.constantFrom(
          "2025-06-18",
          "2026-07-28",
          "",
          "*/*",
          "application/json",
          "text/event-stream",
          "=?base64?!?=",
          "0-1",
        ),
        fc.string({ unit: fc.constantFrom(..."abc,;=\"' %?/") }),
      );
      const headers = fc.dictionary(
        fc.constantFrom(
          "accept",
          "content-type",
          "mcp-session-id",
          "mcp-protocol-version",
          "mcp-method",
          "mcp-name",
          "last-event-id",
          "origin",
          "authorization",
        ),
        value,
      );
      const sent = fc.record({
        method: fc.constantFrom("POST", "POST", "POST", "GET", "DELETE", "OPTIONS", "PUT"),
        inSession: fc.boolean(),
        headers,
        body: fc.oneof(alike, fc.array(alike, { maxLength: 3 }), fc.string(), fc.uint8Array()),
      });
      await fc.assert(
        fc.asyncProperty(sent, async ({ method, inSession, headers: given, body }) => {
          const own = inSession && method !== "DELETE" ? session.headers : {};
          const answer = await up.send({
            method,
            headers: { ...own, ...given },
            ...(method !== "GET" && method !== "DELETE" && { body }),
          });
          expect([200, 202, 204, 400, 403, 404, 405, 406, 415]).toContain(answer.status);
          answer.leave();
        }),
        { numRuns: runs * 3, seed },
      );
      expect(errors.filter((error) => error instanceof TypeError || error instanceof RangeError)).toEqual([]);
      expect(resultOf(await session.ask(ask("last", "ping")))).toEqual({});
      await up.close();
    },
  );
});

it("of all this, nothing went unhandled", () => {
  expect(unhandled).toEqual([]);
});
