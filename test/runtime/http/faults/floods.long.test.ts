import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { serve } from "@mcpgen/runtime";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { StdioServerTransport } from "@mcpgen/runtime/stdio";
import { describe, expect, it } from "vitest";
import { legacy, modern, resultOf, textOf, turns } from "../../kit/index.js";
import { sendNode, sendWeb } from "../kit/exchange.js";
import { call, hello, modernPost } from "../kit/messages.js";
import { serversWith } from "../kit/server.js";
import { Session } from "../kit/session.js";
import { nothingUnhandled, scale } from "./kit.js";
import { nothing, used } from "./memory.js";

describe("floods", () => {
  it("of abandoned sessions leave nothing behind", async () => {
    const servers = serversWith({}, { drainTime: 10 }, [legacy]);
    const handler = createHttpHandler(servers, {
      sessionIdleTime: 20,
      keepAliveTime: 5,
      limits: { sessions: Infinity },
    });
    const total = 100 * scale;
    for (let i = 0; i < total; i++) {
      const opening = await sendWeb(handler, { body: hello(legacy.revision) });
      const headers = { "mcp-session-id": opening.header("mcp-session-id") };
      // Some clients abandon a call, others disconnect from a stream.
      if (i % 3 === 1) {
        const leaving = new AbortController();
        const response = sendWeb(handler, {
          body: call(1, "wait"),
          headers,
          signal: leaving.signal,
        });
        await turns(1);
        leaving.abort();
        await response;
      }
      if (i % 3 === 2)
        (await sendWeb(handler, { method: "GET", headers })).leave();
    }
    while (servers.some(({ core }) => core.sessions.size > 0)) await turns(2);
    await nothing();
    await handler.close();
  });

  it.each(["modern", "legacy"])(
    "of %s POSTs without sessions leave nothing behind",
    async (era) => {
      const servers = serversWith({}, {}, [era === "modern" ? modern : legacy]);
      const handler = createHttpHandler(servers, { sessions: false });
      const total = 1000 * scale;
      let baseline = 0;
      for (let i = 0; i < total; i++) {
        const message = call(
          i,
          i % 50 === 0 ? "count" : "echo",
          { value: i },
          { progressToken: i },
        );
        const sent =
          era === "modern" ? modernPost(modern, message) : { body: message };
        const answer = await sendWeb(handler, sent);
        if (i % 100 === 0) answer.leave();
        else await answer.text();
        if (i === Math.floor(total / 5)) baseline = await used();
      }
      await nothing();
      expect((await used()) - baseline).toBeLessThan(4_000_000);
      await handler.close();
    },
  );

  it("of calls over HTTP in one session use no more memory afterwards", async () => {
    const up = await serveHttp(createHttpHandler(serversWith()), { port: 0 });
    const session = await Session.start(
      { ...up, send: (sent) => sendNode(up.port, sent) },
      legacy,
    );
    const lines = Object.entries(session.headers).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const total = 10_000 * scale;
    const sockets = 16;
    let id = 0;
    const lane = (count: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const socket = connect(up.port, "127.0.0.1").setNoDelay();
        let received = "";
        let remaining = count;
        const send = (): void => {
          const body = JSON.stringify(call(++id, "echo", { value: "x" }));
          const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: */*\r\ncontent-type: application/json\r\n`;
          socket.write(
            `${head}${lines.join("")}content-length: ${body.length}\r\n\r\n${body}`,
          );
        };
        socket.on("error", reject).on("data", (chunk: Buffer) => {
          received += chunk.toString("latin1");
          if (!received.endsWith("}}")) return;
          if (!received.includes('"text":"x"'))
            return reject(new Error(received));
          received = "";
          if (--remaining > 0) return send();
          socket.destroy();
          resolve();
        });
        send();
      });
    const many = (count: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: sockets }, () => lane(Math.ceil(count / sockets))),
      );
    await many(total / 5);
    const baseline = await used();
    await many((total / 5) * 4);
    expect((await used()) - baseline).toBeLessThan(4_000_000);
    expect(
      textOf(
        resultOf(
          await session.ask(call("last", "echo", { value: "still here" })),
        ),
      ),
    ).toBe("still here");
    await up.close();
  });

  it("of calls over stdio use no more memory afterwards", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const serving = await serve(
      new StdioServerTransport({ input, output }),
      serversWith(),
    );
    const count = { sent: 0, answered: 0 };
    const send = (): void => {
      count.sent++;
      input.write(
        `${JSON.stringify(modernPost(modern, call(count.sent, "echo", { value: "x" })).body)}\n`,
      );
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

nothingUnhandled();
