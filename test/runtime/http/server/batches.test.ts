import { describe, expect, it } from "vitest";
import {
  errorOf,
  type Json,
  legacyRevisions,
  text,
  turns,
} from "../../kit/index.js";
import { ask, call, hello, tell } from "../kit/messages.js";
import {
  endpoints,
  named,
  opener,
  sessionRevisions,
  slow,
  stuck,
} from "../kit/server.js";
import { Session } from "../kit/session.js";
import { gate, watch } from "../../kit/watch.js";

const first = named("2025-03-26");
describe.each(endpoints)("the legacy shape behind $name", (endpoint) => {
  const open = opener(endpoint, legacyRevisions);

  describe("batches", () => {
    it("BATCH-01 BATCH-02 answers an array of requests and notifications with one array", async () => {
      const session = await Session.start(await open(), first);
      const answer = await session.post([
        ask(1, "ping"),
        tell("notifications/unheard"),
        call("two", "echo", { value: 2 }),
        { jsonrpc: "2.0", id: 77, result: {} },
      ]);
      expect([answer.status, answer.header("content-type")]).toEqual([
        200,
        "application/json",
      ]);
      const replies = (await answer.json()) as unknown as Json[];
      expect(replies.map(({ id }) => id)).toEqual([1, "two"]);
      const silent = await session.post([
        tell("notifications/unheard"),
        { jsonrpc: "2.0", id: 9, result: {} },
      ]);
      expect([silent.status, await silent.text()]).toEqual([202, ""]);
    });

    it("BATCH-02 answers with a stream if a message is sent before the last response", async () => {
      const session = await Session.start(await open(), first);
      const answer = await session.post([
        ask(1, "ping"),
        call(2, "count", {}, { progressToken: "p" }),
        ask(3, "ping"),
      ]);
      expect(answer.header("content-type")).toBe("text/event-stream");
      const ids = [];
      for (
        let event = await answer.next();
        event;
        event = await answer.next()
      ) {
        const { id, method } = JSON.parse(event.data ?? "null") as Json;
        ids.push(id ?? method);
      }
      const progress = "notifications/progress";
      expect(ids).toEqual([1, progress, progress, progress, 2, 3]);
    });

    it("HTTP-23 keeps the stream of a batch open until the last of its requests is answered", async () => {
      const seen = watch();
      const work = gate<Json>();
      const session = await Session.start(
        await open({ keepAliveTime: 5 }, slow(seen, work.ended)),
        first,
      );
      const answer = await session.post([
        call(1, "count", {}, { progressToken: "p" }),
        call(2, "slow"),
        ask(3, "ping"),
      ]);
      const ids: unknown[] = [];
      let signs = 0;
      for (
        let event = await answer.next();
        event;
        event = await answer.next()
      ) {
        if (event.data) ids.push((JSON.parse(event.data) as Json)["id"]);
        // The stream stays open until the last response.
        else if (ids.includes(1) && ids.includes(3) && ++signs === 3)
          work.end(text("done"));
      }
      expect(signs).toBeGreaterThanOrEqual(3);
      expect(ids.filter((id) => id !== undefined).sort()).toEqual([1, 2, 3]);
      expect(ids.at(-1)).toBe(2);
    });

    it("BATCH-03 answers an array with initialize with one error, outside of a session and inside", async () => {
      const up = await open();
      expect((await up.send({ body: [hello(first.revision)] })).status).toBe(
        400,
      );
      const session = await Session.start(up, first);
      const inside = (await session.ask([
        hello(first.revision),
      ] as unknown as Json)) as unknown as Json[];
      expect(inside).toMatchObject([{ id: "hello", error: { code: -32600 } }]);
    });

    it("BATCH-04 answers each invalid element with its own error", async () => {
      const session = await Session.start(await open(), first);
      const answer = await session.post([1, "two", ask(3, "ping")]);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject([
        { id: null, error: { code: -32600 } },
        { id: null, error: { code: -32600 } },
        { id: 3, result: {} },
      ]);
    });

    it("sends the responses to the other elements if one is cancelled", async () => {
      const seen = watch();
      const session = await Session.start(await open({}, stuck(seen)), first);
      const answer = session.post([ask(1, "ping"), call(2, "stuck")]);
      await seen.until("begun");
      await session.post(tell("notifications/cancelled", { requestId: 2 }));
      expect(await (await answer).json()).toMatchObject([
        { id: 1, result: {} },
      ]);
    });

    describe.each(sessionRevisions.filter(({ facts }) => !facts.batches))(
      "at $revision",
      (revision) => {
        it.each([true, false])(
          "BATCH-05 rejects an array in revisions without batches (sessions: %s)",
          async (sessions) => {
            const up = await open({ sessions, keepAliveTime: 5 });
            const session = await Session.start(up, revision);
            for (const body of [
              [ask(1, "ping")],
              [ask(1, "ping"), ask(2, "ping")],
              [1],
              [],
            ]) {
              const answer = await session.post(body);
              expect(answer.status).toBe(400);
              expect(errorOf(await answer.json())["code"]).toBe(-32600);
            }
            // No stream is left for keep-alive comments.
            await turns(20);
            expect(await session.ask(ask(1, "ping"))).toMatchObject({
              id: 1,
              result: {},
            });
          },
        );
      },
    );
  });
});
