import { describe, expect, it } from "vitest";
import {
  type Json,
  legacyRevisions,
  resultOf,
  text,
  textOf,
  turns,
} from "../../kit/index.js";
import { stepping, resuming, messages, rest } from "../kit/resuming.js";
import { call } from "../kit/messages.js";
import {
  endpoints,
  opener,
  serversWith,
  sessionRevisions,
} from "../kit/server.js";
import { Session } from "../kit/session.js";
import { watch } from "../../kit/watch.js";

describe.each(endpoints)("sessions behind $name", (endpoint) => {
  const open = opener(endpoint, legacyRevisions);

  describe("resumption", () => {
    it("SSE-01 SSE-04 SSE-10 starts each stream with an event id, and never uses an id on two streams", async () => {
      const { tools, step } = stepping();
      const session = await Session.start(await open({}, tools), resuming);
      const stream = await session.listen();
      step(6);
      const answers = [];
      for (const id of [1, 2])
        answers.push(
          await session.post(call(id, "steps", {}, { progressToken: id })),
        );
      const events = [await stream.next()];
      for (const answer of answers) {
        const own = await rest(answer);
        expect(own[0]).toMatchObject({
          id: expect.any(String) as string,
          data: "",
        });
        expect(messages(own)).toHaveLength(4);
        events.push(...own);
      }
      expect(events[0]).toMatchObject({ data: "" });
      const ids = events.map((event) => event?.id);
      expect(ids).not.toContain(undefined);
      expect(new Set(ids).size).toBe(ids.length);
      stream.leave();
    });

    it.each(
      sessionRevisions.filter(
        ({ facts }) => facts.headers.resume === undefined,
      ),
    )(
      "SSE-04 begins no stream with an empty event at $revision",
      async (revision) => {
        const session = await Session.start(await open(), revision);
        const answer = await session.post(
          call(1, "count", {}, { progressToken: 1 }),
        );
        expect((await answer.next())?.data).not.toBe("");
        answer.leave();
      },
    );

    it("SSE-02 SSE-03 resumes a call whose connection broke after any event, with its own events only", async () => {
      const { tools, step } = stepping();
      const session = await Session.start(await open({}, tools), resuming);
      step(2);
      const answer = await session.post(
        call(1, "steps", { count: 4 }, { progressToken: "p" }),
      );
      const prime = await answer.next();
      const second = (await answer.next(), await answer.next());
      answer.leave();
      const other = await session.post(
        call(2, "count", {}, { progressToken: "q" }),
      );
      await rest(other);
      step(2);
      await turns();
      for (const [from, progress] of [
        [second?.id, [3, 4]],
        [prime?.id, [1, 2, 3, 4]],
      ] as const) {
        const again = await session.listen({ "last-event-id": from });
        expect(again.status).toBe(200);
        const rows = messages(await rest(again));
        expect(
          rows.flatMap(({ params }) =>
            params ? [(params as Json)["progress"]] : [],
          ),
        ).toEqual(progress);
        expect(rows.at(-1)).toMatchObject({ id: 1, result: {} });
      }
    });

    it("keeps a response above the limits of the log for a client that was disconnected", async () => {
      const seen = watch();
      let finish = (): void => {};
      const value = "x".repeat(5_000_000);
      const session = await Session.start(
        await open(
          {},
          {
            large: async (_, context) => {
              context.release();
              await new Promise<void>((resolve) => {
                finish = resolve;
                seen.saw("begun");
              });
              return text(value);
            },
          },
        ),
        resuming,
      );
      const answer = session.post(call(1, "large"));
      await seen.until("begun");
      const [prime] = await rest(await answer);
      finish();
      await turns();
      const again = await session.listen({ "last-event-id": prime?.id });
      const [reply] = messages(await rest(again));
      expect(textOf(resultOf(reply ?? {})) === value).toBe(true);
    });

    it("opens the stream of notifications for an empty event id, which names no event", async () => {
      const session = await Session.start(await open(), resuming);
      const stream = await session.listen({ "last-event-id": "" });
      expect(stream.status).toBe(200);
      stream.leave();
    });

    it("SSE-03 rejects an unknown or removed event id with 400, and says why", async () => {
      const session = await Session.start(
        await open({ limits: { bytes: 1000 } }),
        resuming,
      );
      const answer = await session.post(
        call(1, "count", {}, { progressToken: 1 }),
      );
      const [prime] = await rest(answer);
      for (const id of [
        prime?.id,
        "999-1",
        "1-999",
        "0-1000000",
        "garbage",
        "1-",
        "-1",
        "1-1e3",
      ]) {
        const again = await session.listen({ "last-event-id": id });
        expect([id, again.status]).toEqual([id, 400]);
        expect(await again.text()).toContain(
          "The events after that one are no longer available.",
        );
      }
      const other = await Session.start(session.open, resuming);
      expect(
        (await other.listen({ "last-event-id": "1-4" })).status,
        "somebody else's",
      ).toBe(400);
    });

    it.each([
      [98, 200],
      [99, 200],
      [100, 400],
    ])(
      "is possible for the last 99 calls with a stream: after %i calls the first gets %i",
      async (count, status) => {
        const session = await Session.start(await open(), resuming);
        const ids: (string | undefined)[] = [];
        for (let id = 0; id < count; id++) {
          const answer = await session.post(
            call(id, "count", {}, { progressToken: id }),
          );
          ids.push((await rest(answer))[0]?.id);
        }
        const statuses = [];
        for (const id of [ids[0], ids.at(-1)])
          statuses.push((await session.listen({ "last-event-id": id })).status);
        expect(statuses).toEqual([status, 200]);
      },
    );

    it("continues the stream without a request after more missed events than are kept, with one warning", async () => {
      const warnings: string[] = [];
      const limits = { bytes: 3000 };
      const servers = serversWith(
        {},
        { onWarning: (text) => void warnings.push(text) },
        [resuming],
      );
      const up = await endpoint.open(servers, { limits });
      const session = await Session.start(up, resuming);
      const announce = (): void => servers[0]?.notify["toolsListChanged"]?.();
      const first = await session.listen();
      const prime = await first.next();
      first.leave();
      for (let round = 0; round < 2; round++) {
        for (let i = 0; i < 10; i++) {
          announce();
          // Changes of one turn are announced together.
          await turns();
        }
        const again = await session.listen({ "last-event-id": prime?.id });
        expect(again.status).toBe(200);
        const fresh = await again.next();
        expect([fresh?.data, fresh?.id === prime?.id]).toEqual(["", false]);
        announce();
        expect(await again.message()).toMatchObject({
          method: "notifications/tools/list_changed",
        });
        again.leave();
      }
      expect(warnings).toEqual([
        "A client that reconnected missed notifications of more than 1 MiB, or limits.bytes of all clients.",
      ]);
      await up.close();
    });
  });
});
