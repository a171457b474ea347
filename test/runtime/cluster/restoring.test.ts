import type { SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it } from "vitest";
import { ask } from "../http/kit/messages.js";
import { Session } from "../http/kit/session.js";
import { until } from "../kit/watch.js";
import {
  at,
  closingProcesses,
  latest,
  listening,
  nextNotice,
  type Process,
  processes,
  type ProcessOptions,
} from "./kit.js";

closingProcesses();

const statusAt = async (process: Process, session: Session): Promise<number> =>
  (await at(process, session).post(ask(1, "ping"))).status;

/**
 * A process that opens sessions, and one whose store replies only once
 * `release` is called, after `hold`.
 */
function restoring(options: ProcessOptions = {}) {
  const { all, start, store } = processes(1);
  let asked = 0;
  let held: Promise<void> | undefined;
  let release = (): void => {};
  /**
   * The number of microtasks that each reply comes later than the first one.
   */
  let delays: readonly number[] = [];
  const slow: SharedStore = {
    ...store,
    async get(key) {
      const stored = await store.get(key);
      if (!held) return stored;
      const delay = delays[asked++] ?? 0;
      await held;
      for (let i = 0; i < delay; i++) await undefined;
      return stored;
    },
  };
  return {
    first: all[0],
    second: start({ ...options, cluster: { store: slow } }),
    hold(...times: readonly number[]) {
      delays = times;
      held = new Promise((resolve) => (release = resolve));
    },
    release: () => release(),
    asked: (times: number) => until(() => asked >= times),
    sessions: (count: number): Promise<Session[]> =>
      Promise.all(
        Array.from({ length: count }, () => Session.start(all[0], latest)),
      ),
  };
}

describe("a process that restores a session", () => {
  it("SESS-05 SESS-07 hears that another process ends it meanwhile", async () => {
    const { first, second, asked, hold, release, sessions } = restoring();
    const [session, listener] = (await sessions(2)) as [Session, Session];
    const stream = await listening(second, listener);
    await until(
      async () =>
        (await nextNotice(stream))[0] === "notifications/tools/list_changed",
    );
    hold();
    const answered = statusAt(second, session);
    await asked(1);
    expect((await session.send({ method: "DELETE" })).status).toBe(204);
    // Entries arrive in their order.
    first.notify("toolsListChanged");
    expect(await nextNotice(stream)).toEqual([
      "notifications/tools/list_changed",
      undefined,
    ]);
    release();
    await answered;
    await until(async () => (await statusAt(second, session)) === 404);
    stream.leave();
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    "SESS-05 answers no request with 404 because another session needs the room %i moments later",
    async (moments) => {
      const { second, asked, hold, release, sessions } = restoring({
        http: { limits: { sessions: 1 } },
      });
      const both = await sessions(2);
      hold(0, moments);
      const answered = Promise.all(
        both.map((session) => statusAt(second, session)),
      );
      await asked(2);
      release();
      for (const status of await answered) expect([200, 503]).toContain(status);
      for (const session of both)
        expect(await statusAt(second, session)).toBe(200);
    },
  );

  it("makes room again after more were restored at once than its limit allows", async () => {
    const { second, asked, hold, release, sessions } = restoring({
      http: { limits: { sessions: 3 } },
    });
    const all = await sessions(12);
    hold();
    const burst = all.slice(0, 10).map((session) => statusAt(second, session));
    await asked(10);
    release();
    await Promise.all(burst);
    for (const session of all)
      expect(await statusAt(second, session)).toBe(200);
  });

  it("opens none once it closes", async () => {
    const { first, second, asked, hold, release, sessions } = restoring();
    const [session] = (await sessions(1)) as [Session];
    hold();
    const stream = at(second, session).listen();
    await asked(1);
    await second.close();
    release();
    expect((await stream).status).toBe(503);
    expect(await statusAt(first, session)).toBe(200);
  });
});
