import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sendNode } from "./http/kit/exchange.js";
import { serversWith } from "./http/kit/server.js";
import { Session } from "./http/kit/session.js";
import { afterTest } from "./kit/closing.js";
import { join, legacy, makeClient, revisions, text } from "./kit/index.js";

describe("where timers are numbers, as in a browser,", () => {
  beforeEach(() => {
    const begun: number[] = [];
    for (const name of ["setTimeout", "setInterval"] as const) {
      const set = globalThis[name] as typeof setTimeout;
      vi.stubGlobal(name, (...args: Parameters<typeof setTimeout>) => {
        const timer = Number(set(...args));
        begun.push(timer);
        return timer;
      });
    }
    // What is still set would hold up the end of the process.
    return () => {
      vi.unstubAllGlobals();
      for (const timer of begun) clearTimeout(timer);
    };
  });

  it.each(
    revisions.flatMap(({ revision, protocol }) =>
      [Infinity, 60_000].map((timeout) => ({ revision, protocol, timeout })),
    ),
  )(
    "a call of $revision with the timeout $timeout is answered, with more progress and log lines than the limits",
    async ({ protocol, timeout }) => {
      const { client, serving } = await join(protocol, {
        server: {
          capabilities: { logging: {}, tools: {} },
          onWarning: () => {},
          handlers: {
            "tools/call": (_, { progress, log }) => {
              for (let i = 0; i < 200; i++) {
                progress(i);
                log("error", i);
              }
              return text("done");
            },
          },
        },
      });
      const heard: number[] = [];
      const answer = await client.callTool(
        { name: "x" },
        { timeout, onProgress: ({ progress }) => void heard.push(progress) },
      );
      expect([answer, heard.at(-1)]).toEqual([
        expect.objectContaining(text("done")),
        199,
      ]);
      await client.close();
      await serving.close();
    },
  );

  it("a server over HTTP keeps a stream alive, and a client calls it", async () => {
    const servers = serversWith({}, {}, [legacy]);
    const up = await serveHttp(
      createHttpHandler(servers, { keepAliveTime: 5 }),
      { port: 0 },
    );
    afterTest(up.close);
    const { port, close } = up;
    const send = (sent: Parameters<typeof sendNode>[1]) => sendNode(port, sent);
    const session = await Session.start({ port, close, send }, legacy);
    const stream = await session.listen();
    let event = await stream.next();
    while (event && event.comment === undefined) event = await stream.next();
    expect(event).toHaveProperty("comment");
    stream.leave();
    const client = await makeClient(legacy.protocol, http(up.url));
    expect(await client.callTool({ name: "echo" })).toHaveProperty("content");
    await client.close();
  });
});
