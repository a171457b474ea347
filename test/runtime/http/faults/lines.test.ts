import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { type Json, modern, text, turns } from "../../kit/index.js";
import { type Answer, sendNode } from "../kit/exchange.js";
import { call, modernPost } from "../kit/messages.js";
import { type Open, serversWith } from "../kit/server.js";
import { Session } from "../kit/session.js";
import { resuming } from "../kit/resuming.js";
import { nothingUnhandled, scale, seed } from "./kit.js";
import { Proxy, seeded } from "./proxy.js";

/**
 * The messages of one stream over any number of connections, each resumed after
 * the last event id.
 */
class Resumed {
  readonly messages: Json[] = [];
  last: string | undefined;

  /**
   * Reads until the connection ends. Returns true if the response was received.
   */
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

describe("an unreliable connection", () => {
  it("loses and repeats no message that can be resumed, and leaves no open call", async () => {
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
    const up = await serveHttp(createHttpHandler(servers), {
      port: 0,
    });
    const proxy = await Proxy.to(up.port, random);
    const open: Open = {
      port: proxy.port,
      send: (sent) => sendNode(proxy.port, sent),
      close: proxy.close,
    };
    const session = await Session.start(open, resuming);
    // Numbered notifications to a client that always listens.
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
    // Without an event id a client cannot resume: what was sent on a first
    // connection that broke is lost.
    while (listener.last === undefined) await turns(1);
    proxy.weather = { cut: 0.04, half: 0.01 };
    let finished = 0;
    let lost = 0;
    const one = async (id: number): Promise<void> => {
      const stream = new Resumed();
      const args = { count: 7 };
      let isWhole = await session
        .post(call(id, "steps", args, { progressToken: id }))
        .then((answer) => stream.read(answer))
        .catch(() => false);
      // Without an event id the call cannot be resumed, as the revision
      // specifies.
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
      const numbers = stream.messages.map(
        ({ params, result }) =>
          (params as Json | undefined)?.["progress"] ?? result,
      );
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, text("stepped")]);
      finished++;
    };
    let announced = 0;
    const total = Math.max(10, 10 * scale);
    let next = 0;
    // By chance, few calls may have no cut, or most of them one that they
    // cannot resume from: then there are more.
    const isEnough = (): boolean =>
      next >= total && proxy.cuts > 0 && finished > total / 2;
    const lane = async (): Promise<void> => {
      while (!isEnough()) {
        for (const { notify } of servers)
          notify["toolsListChanged"]?.({ _meta: { number: announced } });
        announced++;
        await one(next++);
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    expect(proxy.cuts).toBeGreaterThan(0);
    expect(proxy.connections).toBeGreaterThan(total);
    expect(finished + lost).toBe(next);
    proxy.weather = { cut: 0, half: 0 };
    const numbers = (): unknown[] =>
      listener.messages.map(
        ({ params }) => ((params as Json)["_meta"] as Json)["number"],
      );
    while (numbers().length < announced) await turns(2);
    stop.abort();
    await session.send({ method: "DELETE" });
    await listening;
    expect(numbers()).toEqual(Array.from({ length: announced }, (_, i) => i));
    expect(errors).toEqual([]);
    await proxy.close();
    await up.close();
  });

  it("gives each modern call a complete response or an error, and leaves nothing behind", async () => {
    const random = seeded(seed + 1);
    const servers = serversWith({
      work: async ({ value }, context) => {
        context.progress(1);
        await turns(1);
        return text(String(value));
      },
    });
    const up = await serveHttp(createHttpHandler(servers), { port: 0 });
    const proxy = await Proxy.to(up.port, random);
    proxy.weather = { cut: 0.05, half: 0.01 };
    let answered = 0;
    const total = Math.max(20, 10 * scale);
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < total) {
        const value = String(next++);
        const sent = modernPost(
          modern,
          call(value, "work", { value }, { progressToken: value }),
        );
        const stream = new Resumed();
        const isWhole = await sendNode(proxy.port, sent)
          .then((answer) => stream.read(answer))
          .catch(() => false);
        if (!isWhole) continue;
        expect(stream.messages.at(-1)).toMatchObject({
          id: value,
          result: text(value),
        });
        expect(stream.messages).toHaveLength(2);
        answered++;
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    expect(answered).toBeGreaterThan(0);
    await proxy.close();
    while (servers.some(({ core }) => core.sessions.size > 0)) await turns(2);
    await up.close();
  });
});

nothingUnhandled();
