import { describe, expect, it } from "vitest";
import {
  legacyRevisions,
  resultOf,
  text,
  textOf,
  turns,
} from "../../kit/index.js";
import { stepping, resuming, messages, rest } from "../kit/resuming.js";
import { call } from "../kit/messages.js";
import { endpoints, opener } from "../kit/server.js";
import { Session } from "../kit/session.js";
import { watch } from "../../kit/watch.js";

describe.each(endpoints)("sessions behind $name", (endpoint) => {
  const open = opener(endpoint, legacyRevisions);

  describe("resumption", () => {
    it("SSE-05 sends a retry time before the server closes a stream, also by default", async () => {
      const seen = watch();
      const tools = {
        left: async (
          _: unknown,
          context: { release(): void; progress(amount: number): void },
        ) => {
          context.progress(1);
          context.release();
          await seen.until("on");
          return text("left");
        },
      };
      const session = await Session.start(
        await open({ keepAliveTime: 5 }, tools),
        resuming,
      );
      const released = await rest(
        await session.post(call(1, "left", {}, { progressToken: 1 })),
      );
      expect(messages(released)).toHaveLength(1);
      expect(released.at(-1)).toMatchObject({
        id: expect.any(String) as string,
        retry: "1000",
        data: "",
      });
      const first = await session.listen();
      const second = await session.listen();
      const again = await session.listen({
        "last-event-id": released.at(-1)?.id,
      });
      // This stream only contains keep-alive comments.
      expect(await again.next()).toEqual({ comment: "" });
      expect((await session.send({ method: "DELETE" })).status).toBe(204);
      for (const stream of [first, second, again]) {
        const events = await rest(stream);
        expect(events.at(-1)).toMatchObject({
          id: expect.any(String) as string,
          retry: "1000",
          data: "",
        });
      }
      seen.saw("on");
    });

    it("SSE-05 SSE-06 sends the retry time of a released call and waits for the client to return", async () => {
      const { tools, step } = stepping();
      const session = await Session.start(await open({}, tools), resuming);
      step(1);
      const answer = await session.post(
        call(1, "steps", { count: 2, release: 1 }, { progressToken: "p" }),
      );
      const events = await rest(answer);
      expect(messages(events)).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ retry: "25", data: "" });
      step(1);
      await turns();
      const again = await session.listen({
        "last-event-id": events.at(-1)?.id,
      });
      expect(messages(await rest(again))).toMatchObject([
        { params: { progress: 2 } },
        { id: 1, result: {} },
      ]);
    });

    it("continues a released call and does not repeat it when the client reconnects early", async () => {
      const { tools, step } = stepping();
      const session = await Session.start(await open({}, tools), resuming);
      step(1);
      const answer = await session.post(
        call(1, "steps", { count: 3, release: 1 }, { progressToken: "p" }),
      );
      const last = (await rest(answer)).at(-1)?.id;
      const early = await session.listen({ "last-event-id": last });
      step(1);
      const half = await early.next();
      const late = await session.listen({ "last-event-id": half?.id });
      step(1);
      const events = await rest(early);
      expect(messages(events)).toEqual([]);
      expect(events.at(-1)).toMatchObject({ retry: "1000", data: "" });
      expect(messages(await rest(late))).toMatchObject([
        { params: { progress: 3 } },
        { id: 1, result: {} },
      ]);
    });

    it("ignores a release after the end of a call, and a second release", async () => {
      const errors: Error[] = [];
      const seen = watch();
      const up = await open(
        {},
        {
          late: (_, context) => {
            setTimeout(() => {
              context.release(5);
              context.progress(1);
              seen.saw("late");
            }, 5);
            return text("at once");
          },
          twice: async (_, context) => {
            context.release(5);
            context.release(6);
            await new Promise((resolve) => setTimeout(resolve, 5));
            return text("twice");
          },
        },
        { onError: (error) => void errors.push(error) },
      );
      const session = await Session.start(up, resuming);
      expect(
        textOf(
          resultOf(
            await session.ask(call(1, "late", {}, { progressToken: 1 })),
          ),
        ),
      ).toBe("at once");
      await seen.until("late");
      const events = await rest(await session.post(call(2, "twice")));
      const again = await session.listen({ "last-event-id": events[0]?.id });
      expect(messages(await rest(again))).toMatchObject([{ id: 2 }]);
      expect(errors).toEqual([]);
    });
  });
});
