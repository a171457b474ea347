import { spawn } from "node:child_process";
import { once } from "node:events";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { bundle } from "../../kit/bundle.js";
import {
  type Json,
  legacy,
  modern,
  resultOf,
  text,
  textOf,
  turns,
} from "../../kit/index.js";
import { gate, watch } from "../../kit/watch.js";
import { sendNode } from "../kit/exchange.js";
import { carriers } from "../kit/carriers.js";
import { ask, call, hello, modernPost, tell } from "../kit/messages.js";
import { head, open as openRaw, Raw, usual, whole } from "../kit/raw.js";
import { messages, rest } from "../kit/resuming.js";
import { endpoints, opener, serversWith, slow, stuck } from "../kit/server.js";
import { Session } from "../kit/session.js";

const program = bundle("draining-server");
/** Much longer than a test may take. */
const drainTime = 600_000;
const listening = ask("l", "subscriptions/listen", {
  notifications: { toolsListChanged: true },
});

describe.each(endpoints)("a server that closes behind $name", (endpoint) => {
  const open = opener(endpoint, [modern, legacy]);

  it("ends its streams, answers the open calls of both eras, and then waits for nothing else", async () => {
    const seen = watch();
    const work = gate<Json>();
    const up = await open({}, slow(seen, work.ended), { drainTime });
    const session = await Session.start(up, legacy);
    const other = await Session.start(up, legacy);
    const stream = await other.listen();
    const listeners = [
      await up.send(modernPost(modern, listening)),
      await up.send(modernPost(modern, listening)),
    ];
    const calls = [
      session.post(call(1, "slow")),
      up.send(modernPost(modern, call(1, "slow"))),
    ];
    await seen.until("begun", 2);
    const closing = up.close();
    expect(messages(await rest(stream))).toEqual([]);
    for (const listener of listeners)
      expect(messages(await rest(listener)).at(-1)).toMatchObject({ id: "l" });
    work.end(text("done"));
    for (const answer of calls) {
      const { status, json } = {
        status: (await answer).status,
        json: await (await answer).json(),
      };
      expect([status, textOf(resultOf(json))]).toEqual([200, "done"]);
    }
    await closing;
  });

  it("aborts calls that take longer than the drainTime of the server, and answers 503", async () => {
    const seen = watch();
    const up = await open({ sessions: false }, stuck(seen), { drainTime: 50 });
    const calls = [
      up.send({ body: call(1, "stuck") }),
      up.send({ body: call(2, "stuck") }),
      up.send(modernPost(modern, call(1, "stuck"))),
      up.send(modernPost(modern, call(2, "stuck"))),
    ];
    await seen.until("begun", 4);
    await up.close();
    await seen.until("aborted", 4);
    expect(
      await Promise.all(calls.map(async (answer) => (await answer).status)),
    ).toEqual([503, 503, 503, 503]);
  });
});

describe.each([0, 3, 6].flatMap((i) => carriers[i] ?? []))(
  "a server behind $name that closes while a body arrives",
  ({ open }) => {
    it.each([
      [
        "a request of the modern era",
        modernPost(modern, call(1, "echo", { value: "x" })),
      ],
      ["a handshake", { body: hello(legacy.revision) }],
      ["a notification", { body: tell("notifications/initialized") }],
    ])("refuses it with 503: %s", async (_, sent) => {
      const handler = createHttpHandler(serversWith({}, { drainTime }));
      const client = await open(handler);
      const sending = client.begin(sent);
      const body = JSON.stringify(sent.body);
      sending.write(body.slice(0, 10));
      await turns(20);
      const closing = handler.close();
      sending.write(body.slice(10));
      sending.end();
      expect((await sending.answer).status).toBe(503);
      await closing;
    });
  },
);

describe("an HTTP server that closes", () => {
  it("closes idle connections at once, and one with an open call when it is answered", async () => {
    const seen = watch();
    const work = gate<Json>();
    const servers = serversWith(slow(seen, work.ended), { drainTime }, [
      modern,
    ]);
    const up = await openRaw({}, { keepAliveTimeout: drainTime }, servers);
    const silent = up.raw();
    const idle = up.raw().write(whole());
    await idle.until(/HTTP\/1.1 \d+/);
    const { headers = {}, body } = modernPost(modern, call(1, "slow"));
    const lines = Object.entries(headers).map(
      ([name, value]) => `${name}: ${String(value)}`,
    );
    const busy = up
      .raw()
      .write(whole(JSON.stringify(body), [...usual, ...lines]));
    await seen.until("begun");
    const closing = up.close();
    await Promise.all([silent.ended, idle.ended]);
    expect(busy.closed).toBe(false);
    work.end(text("done"));
    await Promise.all([closing, busy.ended]);
    expect(busy.text).toContain("done");
  });

  it.each([
    { what: "a result", time: drainTime, status: 200 },
    { what: "503 after its drainTime", time: 50, status: 503 },
  ])(
    "says in $what that it closes the connection, so that no client sends its next request there",
    async ({ time, status }) => {
      const seen = watch();
      const work = gate<Json>();
      const servers = serversWith(slow(seen, work.ended), { drainTime: time }, [
        modern,
      ]);
      const up = await openRaw({}, { keepAliveTimeout: drainTime }, servers);
      const { headers = {}, body } = modernPost(modern, call(1, "slow"));
      const lines = Object.entries(headers).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      const busy = up
        .raw()
        .write(whole(JSON.stringify(body), [...usual, ...lines]));
      await seen.until("begun");
      const closing = up.close();
      if (status === 200) work.end(text("done"));
      await Promise.all([closing, busy.ended]);
      expect(busy.statuses).toEqual([status]);
      expect(busy.text).toMatch(/\r\nconnection: close\r\n/i);
    },
  );

  it("says so in the response of a function of the user", async () => {
    const answer = gate<Response>();
    const seen = watch();
    const own = (): Promise<Response> => (seen.saw("begun"), answer.ended);
    const serving = await serveHttp({ "/own": own }, { port: 0 });
    const get = (path: string): Raw =>
      new Raw(serving.port).write(
        head(usual.slice(0, 1), `GET ${path} HTTP/1.1`),
      );
    const busy = get("/own");
    await seen.until("begun");
    const before = get("/elsewhere");
    await before.until(/404[^]*\r\n\r\n/);
    expect(before.text).toMatch(/connection: keep-alive/i);
    const closing = serving.close();
    answer.end(new Response("done"));
    await Promise.all([closing, busy.ended]);
    expect(busy.text).toMatch(/\r\nconnection: close\r\n/i);
  });

  it("waits for the end of each function that it serves, beside those that have none", async () => {
    const [first, last] = [gate<void>(), gate<void>()];
    const answer = (): Response => new Response("done");
    const serving = await serveHttp(
      {
        "/first": Object.assign(() => answer(), { close: () => first.ended }),
        "/none": answer,
        "/last": Object.assign(() => answer(), { close: () => last.ended }),
      },
      { port: 0 },
    );
    let isClosed = false;
    void serving.closed.then(() => (isClosed = true));
    const closing = serving.close();
    for (const { end } of [last, first]) {
      await turns(20);
      expect(isClosed).toBe(false);
      end();
    }
    await closing;
    expect(isClosed).toBe(true);
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "with the option signals answers the open call after %s, resolves `closed`, and then the process ends with status 0",
    async (signal) => {
      const child = spawn(process.execPath, [await program], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exited = once(child, "exit");
      const [first] = (await once(child.stdout, "data")) as [Buffer];
      const port = Number(String(first));
      const idle = new Raw(port);
      const answer = sendNode(port, modernPost(modern, call(1, "slow")));
      await once(child.stdout, "data");
      let rest = "";
      child.stdout.on("data", (chunk) => (rest += String(chunk)));
      child.kill(signal);
      await idle.ended;
      expect(textOf(resultOf(await (await answer).json()))).toBe("done");
      expect(await exited).toEqual([0, null]);
      expect(rest).toBe("closed\n");
    },
  );
});
