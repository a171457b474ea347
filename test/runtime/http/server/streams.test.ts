import { describe, expect, it } from "vitest";
import {
  type Json,
  legacyRevisions,
  resultOf,
  text,
  textOf,
  turns,
} from "../../kit/index.js";
import { call, tell } from "../kit/messages.js";
import {
  endpoints,
  opener,
  serversWith,
  serving,
  sessionRevisions,
} from "../kit/server.js";
import { Session } from "../kit/session.js";
import { watch } from "../../kit/watch.js";

describe.each(endpoints)("the legacy shape behind $name", (endpoint) => {
  const open = opener(endpoint, legacyRevisions);
  const serve = serving(endpoint);

  describe.each(sessionRevisions)("at $revision", (revision) => {
    it("HTTP-18 HTTP-19 sends messages of a request on its stream, which ends with the response", async () => {
      const session = await Session.start(await open(), revision);
      const listening = await session.listen();
      const answer = await session.post(
        call(1, "count", {}, { progressToken: "p" }),
      );
      expect(answer.header("content-type")).toBe("text/event-stream");
      for (const progress of [1, 2, 3]) {
        const message = await answer.message();
        expect(message["method"]).toBe("notifications/progress");
        expect(message["params"]).toMatchObject({
          progressToken: "p",
          progress,
        });
      }
      expect(textOf(resultOf(await answer.message()))).toBe("counted");
      expect(await answer.next()).toBeUndefined();
      listening.leave();
    });

    it("HTTP-16 HTTP-17 sends each message on one stream: announcements on that of the GET, responses never", async () => {
      const servers = serversWith({}, {}, [revision]);
      const up = await serve(servers);
      const session = await Session.start(up, revision);
      const stream = await session.listen();
      servers[0]?.notify["promptsListChanged"]?.();
      const first = await session.post(
        call(1, "count", {}, { progressToken: 1 }),
      );
      const second = await session.post(
        call(2, "count", {}, { progressToken: 2 }),
      );
      for (const [answer, token] of [
        [second, 2],
        [first, 1],
      ] as const) {
        const messages = [];
        for (
          let event = await answer.next();
          event;
          event = await answer.next()
        )
          if (event.data) messages.push(JSON.parse(event.data) as Json);
        expect(
          messages.map(
            ({ id, params }) => id ?? (params as Json)["progressToken"],
          ),
        ).toEqual(Array(4).fill(token));
      }
      servers[0]?.notify["toolsListChanged"]?.();
      expect((await stream.message())["method"]).toBe(
        "notifications/prompts/list_changed",
      );
      expect((await stream.message())["method"]).toBe(
        "notifications/tools/list_changed",
      );
      stream.leave();
    });

    it("HTTP-20 cancels a request by notifications/cancelled, which ends the POST, and not when the client disconnects", async () => {
      const seen = watch();
      let finish = (): void => {};
      const session = await Session.start(
        await open(
          {},
          {
            work: async (_, { signal }) => {
              const finished = new Promise<void>(
                (resolve) => (finish = resolve),
              );
              seen.saw("begun");
              signal.addEventListener("abort", () => {
                seen.saw("aborted");
                finish();
              });
              await finished;
              seen.saw(signal.aborted ? "given up" : "done");
              return text("done");
            },
          },
        ),
        revision,
      );
      const disconnected = session.post(call(1, "work")).catch(() => {});
      const tick = session.post(call(2, "count", {}, { progressToken: 1 }));
      await seen.until("begun");
      const answer = await tick;
      answer.leave();
      // A server that treated a disconnect as a cancellation would cancel the
      // request now.
      await turns(20);
      finish();
      await seen.until("done");
      await disconnected;
      const cancelled = session.post(call(3, "work"));
      await seen.until("begun", 2);
      const cancellation = await session.post(
        tell("notifications/cancelled", { requestId: 3, reason: "enough" }),
      );
      expect(cancellation.status).toBe(202);
      await seen.until("aborted");
      const rest = await cancelled;
      expect([rest.status, rest.header("content-type")]).toEqual([
        200,
        "text/event-stream",
      ]);
      for (let event = await rest.next(); event; event = await rest.next())
        expect(event.data).toBe("");
      expect(
        resultOf(
          await session.ask(call(3, "echo", { value: "the id is free again" })),
        ),
      ).toBeDefined();
    });

    it("asks the client on the stream of the call, and receives the answer in another POST", async () => {
      const session = await Session.start(await open(), revision, {
        roots: {},
      });
      const answer = await session.post(call(1, "roots"));
      const question = await answer.message();
      expect(question["method"]).toBe("roots/list");
      const response = await session.post({
        jsonrpc: "2.0",
        id: question["id"],
        result: { roots: [{ uri: "file:///home" }] },
      });
      expect(response.status).toBe(202);
      expect(textOf(resultOf(await answer.message()))).toBe("file:///home");
      expect(await answer.next()).toBeUndefined();
    });
  });
});
