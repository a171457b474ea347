import { describe, expect, it } from "vitest";
import {
  legacy,
  legacyRevisions,
  resultOf,
  text,
  turns,
} from "../../kit/index.js";
import { messages, rest } from "../kit/resuming.js";
import { ask, call } from "../kit/messages.js";
import {
  endpoints,
  opener,
  overSockets,
  serversWith,
  serving,
} from "../kit/server.js";
import { Session } from "../kit/session.js";
import { watch } from "../../kit/watch.js";
import { isWhole } from "../../../whole.js";

describe.each(endpoints)("sessions behind $name", (endpoint) => {
  const open = opener(endpoint, legacyRevisions);
  const serve = serving(endpoint);

  it("moves the stream to a second GET, and sends no message twice", async () => {
    const servers = serversWith({}, {}, [legacy]);
    const up = await serve(servers);
    const session = await Session.start(up, legacy);
    const first = await session.listen();
    servers[0]?.notify["toolsListChanged"]?.();
    const second = await session.listen();
    servers[0]?.notify["promptsListChanged"]?.();
    expect(messages(await rest(first)).map(({ method }) => method)).toEqual([
      "notifications/tools/list_changed",
    ]);
    expect((await second.message())["method"]).toBe(
      "notifications/prompts/list_changed",
    );
    second.leave();
  });

  it("sends announcements to the next listener if there is none at first", async () => {
    const servers = serversWith({}, {}, [legacy]);
    const up = await serve(servers);
    const session = await Session.start(up, legacy);
    servers[0]?.notify["toolsListChanged"]?.();
    const stream = await session.listen();
    expect((await stream.message())["method"]).toBe(
      "notifications/tools/list_changed",
    );
    stream.leave();
  });

  it("HTTP-47 turns the response of a silent call into a stream with keep-alive comments", async () => {
    let finish = (): void => {};
    const up = await open(
      { keepAliveTime: 5 },
      {
        slow: () =>
          new Promise((resolve) => (finish = () => resolve(text("slow")))),
      },
    );
    const session = await Session.start(up, legacy);
    const listening = await session.listen();
    const answer = await session.post(call(1, "slow"));
    expect(answer.header("content-type")).toBe("text/event-stream");
    const stream = [
      await answer.next(),
      await answer.next(),
      await answer.next(),
    ];
    expect(stream.some((event) => event?.comment !== undefined)).toBe(true);
    finish();
    expect(await answer.message()).toMatchObject({ id: 1, result: {} });
    let event = await listening.next();
    while (event?.comment === undefined) event = await listening.next();
    listening.leave();
  });

  it.runIf(isWhole || endpoint === overSockets)(
    "always sends one message of any size, and disconnects only a client that reads too slowly",
    async () => {
      const value = "x".repeat(3_000_000);
      const seen = watch();
      const up = await open(
        {},
        {
          flood: async (_, context) => {
            for (let i = 0; i < 20 && !seen.events.includes("stop"); i++) {
              context.log("error", value);
              await turns(1);
            }
            seen.saw("flooded");
            return text("flooded");
          },
          once: (_, context) => {
            context.progress(1);
            return text(value);
          },
        },
      );
      const session = await Session.start(up, legacy);
      const one = await session.post(call(1, "once", {}, { progressToken: 1 }));
      expect(messages(await rest(one))[1]).toMatchObject({
        id: 1,
        result: text(value),
      });
      const slow = await session.post(call(2, "flood"));
      await seen.until("flooded");
      expect(resultOf(await session.ask(ask(3, "ping")))).toEqual({});
      const read = await rest(slow);
      expect(read.length).toBeLessThan(20);
    },
  );
});
