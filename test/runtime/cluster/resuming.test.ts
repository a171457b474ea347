import { memorySharedStore } from "@mcpgen/runtime/cluster";
import { type HttpOptions, serveHttp } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { type Answer, sendNode } from "../http/kit/exchange.js";
import { ask, call } from "../http/kit/messages.js";
import { type Open, stuck } from "../http/kit/server.js";
import { head, Raw, usual } from "../http/kit/raw.js";
import { Session } from "../http/kit/session.js";
import { afterTest } from "../kit/closing.js";
import { until, watch } from "../kit/watch.js";
import {
  at,
  closingProcesses,
  latest,
  processes,
  startProcess,
  subscribing,
  VirtualClock,
} from "./kit.js";

closingProcesses();

describe("a client that resumes the stream of a call at another process", () => {
  /** Two processes with one clock. `kill` cuts the first one off. */
  async function resuming() {
    const clock = new VirtualClock();
    const seen = watch();
    const store = memorySharedStore();
    let isDead = false;
    const append: typeof store.append = (...args) =>
      isDead
        ? Promise.reject(new Error("This process is dead."))
        : store.append(...args);
    const options = { tools: stuck(seen), settings: subscribing, clock };
    const first = startProcess({
      ...options,
      cluster: { store: { ...store, append } },
    });
    const second = startProcess({ ...options, cluster: { store } });
    const session = await Session.start(first, latest);
    const stream = await session.post(
      call("a/b", "stuck", {}, { progressToken: 1 }),
    );
    const { id } = (await stream.next()) ?? {};
    await seen.until("begun");
    stream.leave();
    const own = at(second, session);
    /** What the stream has, once it has ended. */
    const resume = async (
      lastEventId = id,
    ): Promise<Answer & { readonly body: string }> => {
      let ended: (Answer & { readonly body: string }) | undefined;
      void own.listen({ "last-event-id": lastEventId }).then(async (answer) => {
        const body = await answer.text();
        ended = Object.assign(answer, { body });
      });
      await until(async () => {
        // Slowly, because encryption takes its own time.
        await clock.pass(20);
        return ended !== undefined;
      });
      return ended as Answer & { readonly body: string };
    };
    return {
      first,
      second,
      clock,
      own,
      id: id ?? "",
      resume,
      kill: () => void (isDead = true),
    };
  }
  const lost = {
    jsonrpc: "2.0",
    id: "a/b",
    error: {
      code: -32603,
      message: "The process that ran this request has ended.",
      data: { reason: "process-lost", mayHaveRun: true },
    },
  };

  /**
   * The event that it resumes from, again: some clients know only that of the
   * last response.
   */
  const first = (id: string): string => `retry: 1000\nid: ${id}\ndata: \n\n`;

  it("gets only the event to resume from as long as the process lives, and comes again", async () => {
    const { resume, id } = await resuming();
    const { status, body } = await resume();
    expect([status, body]).toEqual([200, first(id)]);
  });

  it("gets an error for its open request once the lease of the process is over", async () => {
    const { clock, kill, own, resume, id } = await resuming();
    await clock.pass(11_000);
    kill();
    // An entry may be on its way.
    await until(async () => {
      await clock.pass(500);
      const { status, body } = await resume();
      expect([status, body]).toEqual([
        200,
        `${first(id)}data: ${JSON.stringify(lost)}\n\n`,
      ]);
    });
    expect((await own.post(ask(2, "ping"))).status).toBe(200);
  });

  it("gets it at once if the process has left", async () => {
    const { first, own, id } = await resuming();
    await first.close();
    await until(async () => {
      const answer = await own.listen({ "last-event-id": id });
      expect(await answer.message()).toEqual(lost);
      expect(await answer.next()).toBeUndefined();
    });
  });

  it("is sent away for a second while ten others of its session wait to know whether their processes run", async () => {
    const { clock, own } = await resuming();
    const listen = (): Promise<Answer> =>
      own.listen({ "last-event-id": "0123456789abcdef/1.1-1" });
    const all = Array.from({ length: 11 }, listen);
    const { status, header } = await Promise.race(all);
    expect([status, header("retry-after")]).toEqual([503, "1"]);
    let statuses: number[] = [];
    void Promise.all(all.map(async (answer) => (await answer).status)).then(
      (found) => (statuses = found),
    );
    await until(async () => {
      await clock.pass(500);
      return statuses.length > 0;
    });
    expect(statuses.sort()).toEqual([...Array<number>(10).fill(200), 503]);
    expect((await listen()).status).toBe(200);
  });

  /** A process with one client, whose last token `endToken` ends. */
  async function withToken() {
    const clock = new VirtualClock();
    const tokens: (() => void)[] = [];
    const protect: NonNullable<HttpOptions["protect"]> = {
      admit: () => ({ auth: { principal: "ada" } }),
      scopesOf: () => [],
      refuse: () => ({ status: 403, headers: {} }),
      whenEnded(_, end) {
        tokens.push(end);
        return () => {};
      },
      routes: {},
    };
    const cluster = { store: memorySharedStore() };
    const { handler } = startProcess({
      clock,
      cluster,
      http: { protect },
      settings: subscribing,
    });
    const up = await serveHttp(handler, { port: 0 });
    afterTest(up.close);
    const open: Open = {
      port: up.port,
      send: (sent) => sendNode(up.port, sent),
      close: up.close,
    };
    const session = await Session.start(open, latest);
    const endToken = (): void => tokens.at(-1)?.();
    return { clock, tokens, endToken, session, port: up.port };
  }

  it("loses its connection, and nothing else happens, if its token ends while it waits", async () => {
    const { clock, endToken, session } = await withToken();
    const answer = session.listen({
      "last-event-id": "0123456789abcdef/1.1-1",
    });
    let isClosed = false;
    void answer.then((one) => one.text()).then(() => (isClosed = true));
    await until(() => {
      endToken();
      return isClosed;
    });
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      // By then it would have been answered.
      await clock.pass(30_000);
      expect((await session.post(ask(1, "ping"))).status).toBe(200);
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });

  it("gets nothing if its token ends while the response before it on the same connection is open", async () => {
    const { clock, tokens, endToken, session, port } = await withToken();
    const own = Object.entries(session.headers).map((all) => all.join(": "));
    const listen = (...more: string[]): string =>
      head([...usual, ...own, ...more], "GET /mcp HTTP/1.1");
    const raw = new Raw(port).write(
      listen() + listen("Last-Event-ID: 0123456789abcdef/1.1-1"),
    );
    await until(() => tokens.length >= 2);
    endToken();
    await clock.pass(30_000);
    expect((await session.post(ask(1, "ping"))).status).toBe(200);
    expect(raw.statuses).toEqual([200]);
    raw.socket.destroy();
  });

  it("must open a new session if nobody knows which requests were open", async () => {
    const { clock, kill, resume, id } = await resuming();
    await clock.pass(11_000);
    kill();
    // Entries take time to be encrypted, and the clock of a test does not wait
    // for that.
    await until(async () => {
      await clock.pass(500);
      return (await resume(id.replace(/\..*-/, ".-"))).status === 404;
    });
  });
});

describe("a cluster with a store", () => {
  it("SSE-03 rejects event ids that no process has made", async () => {
    const { all } = processes(2);
    const session = await Session.start(all[0], latest);
    for (const id of [
      "7-1",
      "x",
      "0123456789abcdef",
      `${all[0].name}/999999.WzFd-1`,
      `zz/1.WzFd-1`,
    ]) {
      const answer = await at(all[0], session).listen({ "last-event-id": id });
      expect([id, answer.status]).toEqual([id, 400]);
    }
  });
});
