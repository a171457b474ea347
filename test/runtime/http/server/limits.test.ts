import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import {
  failure,
  legacy,
  makeServer,
  modern,
  resultOf,
  text,
  turns,
} from "../../kit/index.js";
import { ask, call, modernPost } from "../kit/messages.js";
import { serversWith, stuck } from "../kit/server.js";
import { Session } from "../kit/session.js";
import { body, head, open, usual, whole } from "../kit/raw.js";
import { until, watch } from "../../kit/watch.js";

describe("the HTTP server, byte by byte", () => {
  it("HTTP-21 sends 413 while the client is still sending, so that the client receives it", async () => {
    const up = await open({ limits: { bodyBytes: 1000 } });
    const raw = up.raw().write(head([...usual, "Content-Length: 50000000"]));
    for (let sent = 0; sent < 50_000_000; sent += 1_000_000) {
      raw.write(Buffer.alloc(1_000_000, 120));
      await turns(1);
    }
    await raw.until(/\r\n\r\n[^]*\}/);
    expect(raw.statuses).toEqual([413]);
    expect(raw.text).toContain("at most 1000 bytes");
    raw.socket.destroy();
  });

  it("rejects headers above the limit with 431, and accepts many small ones", async () => {
    const up = await open();
    const large = up
      .raw()
      .write(whole(body, [...usual, `X: ${"x".repeat(20_000)}`]));
    await large.ended;
    expect(large.statuses).toEqual([431]);
    const many = Array.from({ length: 800 }, (_, i) => `H${i}: 1`);
    const small = up.raw().write(whole(body, [...usual, ...many]));
    await small.until(/\r\n\r\n/);
    expect(small.statuses).toEqual([200]);
    small.socket.destroy();
  });

  it("disconnects a client that sends headers or a body too slowly, and serves others", async () => {
    const up = await open({}, { requestTimeout: 200 });
    const headers = up.raw().write("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    const rest = up.raw().write(head([...usual, "Content-Length: 100"]) + "{");
    const drip = setInterval(() => {
      headers.write("X: y\r\n");
      rest.write(" ");
    }, 20);
    // A process that is busy for as long as the limits may disconnect any
    // client.
    await until(async () => expect((await up.send({ body })).status).toBe(200));
    await Promise.all([headers.ended, rest.ended]);
    clearInterval(drip);
    expect([headers.statuses, rest.statuses]).toEqual([[408], [408]]);
  });

  it("disconnects a client that does not read a stream or a body within the time limit", async () => {
    const seen = watch();
    const value = "x".repeat(30_000_000);
    const tools = {
      large: () => text(value),
      flood: (
        _: unknown,
        context: {
          progress(n: number): void;
          log(level: string, data: unknown): void;
        },
      ) => {
        context.log("error", value);
        return text("flooded");
      },
    };
    const servers = serversWith(tools, {}, [legacy]);
    const up = await open({}, { requestTimeout: 300 }, servers);
    const session = await Session.start(up, legacy);
    const lines = Object.entries(session.headers).map(
      ([name, value]) => `${name}: ${value}`,
    );
    // A client that waits for the first byte of a response is not disconnected.
    const listening = await session.listen();
    const accepted = (message: unknown): void => {
      const { socket } = message as { socket: Socket };
      socket.once("close", () => seen.saw("disconnected"));
    };
    subscribe("net.server.socket", accepted);
    const stuck = ["large", "flood"].map((name, id) => {
      const raw = up.raw();
      raw.socket.pause();
      return raw.write(
        whole(JSON.stringify(call(id, name)), [...usual, ...lines]),
      );
    });
    await seen.until("disconnected", 2);
    unsubscribe("net.server.socket", accepted);
    // A paused socket notices its end only when it is read.
    for (const raw of stuck) raw.socket.resume();
    await Promise.all(stuck.map((raw) => raw.ended));
    expect(resultOf(await session.ask(ask(9, "ping")))).toEqual({});
    servers[0]?.notify["toolsListChanged"]?.();
    expect((await listening.message())["method"]).toContain("tools");
    listening.leave();
    for (const raw of stuck) expect(raw.text.length).toBeLessThan(value.length);
  });

  it("HTTP-45 cancels a request whose socket is reset, and keeps running", async () => {
    const seen = watch();
    const servers = serversWith(stuck(seen));
    const up = await open({}, {}, servers);
    const { headers = {}, body: sent } = modernPost(modern, call(1, "stuck"));
    const lines = Object.entries(headers).map(
      ([name, value]) => `${name}: ${String(value)}`,
    );
    const raw = up
      .raw()
      .write(whole(JSON.stringify(sent), [...usual, ...lines]));
    await seen.until("begun");
    raw.socket.resetAndDestroy();
    await seen.until("aborted");
    // The client disconnects in the middle of its body.
    const half = up.raw().write(head([...usual, "Content-Length: 100"]) + "{");
    await turns();
    half.socket.resetAndDestroy();
    expect((await up.send({ body })).status).toBe(200);
    await until(() =>
      expect(
        servers.reduce((sum, { core }) => sum + core.sessions.size, 0),
      ).toBe(1),
    );
  });
});

describe("an option of an earlier version", () => {
  const { protocol } = modern;
  const server = (limits: object) => makeServer(protocol, { limits });
  const http = (limits: object) => createHttpHandler(server({}), { limits });
  const listening = (options: object) =>
    serveHttp(http({}), { port: 0, ...options });

  it.each([
    ["queue", server, "set `limits.inFlight`"],
    ["progressPerSecond", server, "remove it: the limit is fixed"],
    ["logsPerSecond", server, "remove it: the limit is fixed"],
    ["subscriptionBytes", server, "remove it: the limit is fixed"],
    ["listeners", server, "set `limits.sessions` of the HTTP handler"],
    ["completionsPerSecond", server, "set `limits.toolCallsPerSecond`"],
    ["listeners", http, "set `limits.sessions` of the HTTP handler"],
    ["totalBodyBytes", http, "set `limits.bytes`"],
    ["totalEventBytes", http, "set `limits.bytes`"],
    ["totalWaitingBytes", http, "set `limits.bytes`"],
    ["sessionEvents", http, "remove it: the limit is fixed"],
    ["waitingBytes", http, "remove it: the limit is fixed"],
    ["headersTimeout", listening, "set `requestTimeout`"],
    ["sendTimeout", listening, "set `requestTimeout`"],
    [
      "headerBytes",
      (limits: object) => listening({ limits }),
      "start Node.js with --max-http-header-size",
    ],
  ])(
    "%s is refused, and the error says what to do",
    async (name, make, remedy) => {
      const made = (async () => make({ [name]: 1 }))();
      const error = await failure(made);
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(
        `The option ${name} no longer exists: ${remedy}.`,
      );
    },
  );
});
