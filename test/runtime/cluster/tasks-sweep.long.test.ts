import {
  memorySharedStore,
  type MemorySharedStore,
  type SharedStore,
} from "@mcpgen/runtime/cluster";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ask } from "../http/kit/messages.js";
import type { Open } from "../http/kit/server.js";
import { type Json, resultOf, textOf } from "../kit/index.js";
import { gate, watch } from "../kit/watch.js";
import { declared, tasked } from "../tasks/extension/extended.js";
import { withTasks } from "../tasks/kit.js";
import { at, closingProcesses, VirtualClock } from "./kit.js";
import {
  callsAt,
  callsByExtension,
  startTaskProcess,
  stoppable,
  type Work,
} from "./tasks.kit.js";
import { storeWithClock } from "../../../src/runtime/cluster/store.js";

closingProcesses();
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => {});

/**
 * A process of a test that can be killed: nothing of it reaches the store from
 * then on, and it does not leave the cluster.
 */
function killable(engine: MemorySharedStore): {
  readonly store: SharedStore;
  kill(): void;
} {
  let isKilled = false;
  const { stop, ...store } = stoppable(engine);
  const follow: SharedStore["follow"] = (log, receive, lost) =>
    store.follow(
      log,
      (entry) => isKilled || receive(entry),
      () => isKilled || lost(),
    );
  return {
    store: { ...store, follow },
    kill: () => ((isKilled = true), stop()),
  };
}

/** Lets time pass, no faster than entries of the bus are encrypted. */
async function passUntil(
  clock: VirtualClock,
  isDone: () => boolean,
  atMost = 60_000,
): Promise<number> {
  for (let time = 0; time < atMost; time += 500) {
    if (isDone()) return time;
    await clock.pass(500);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return Infinity;
}

/**
 * The longest time until a process that was killed counts as one that has
 * stopped, and its tasks are looked for, in milliseconds.
 */
const soon = 10_000 + 3000 + 5000;

/** How a task starts, in each era. */
const eras = [
  ...withTasks.map((revision) => {
    const calls = callsAt(revision);
    return {
      name: revision.revision,
      revision,
      async start(process: Open, caller: string) {
        const session = await calls.open(
          process,
          { elicitation: { form: {} } },
          caller,
        );
        const taskId = await calls.start(session, { ttl: 600_000 });
        const status = async (other: Open): Promise<Json> =>
          calls.get(at(other, session), taskId);
        const result = async (other: Open): Promise<Json> =>
          resultOf(
            await at(other, session).ask(ask(9, "tasks/result", { taskId })),
          );
        return { status, result };
      },
    };
  }),
  {
    name: `${tasked.revision} by the extension`,
    revision: tasked,
    async start(process: Open, caller: string) {
      const { send } = callsByExtension(tasked, {
        ...declared,
        elicitation: { form: {} },
      });
      const started = await send(
        process,
        "tools/call",
        { name: "work", arguments: {} },
        caller,
      );
      const { taskId } = resultOf(started);
      const status = async (other: Open): Promise<Json> =>
        resultOf(await send(other, "tasks/get", { taskId }, "ada"));
      return {
        status,
        result: async (other: Open) => (await status(other))["result"] as Json,
      };
    },
  },
];

describe.each(eras)(
  "a task of a tool with `restart: true` at $name that nobody asks for",
  ({ revision, start }) => {
    /**
     * Three processes, the first of which can be killed. `work` gets the name
     * of its process.
     */
    function startAll(
      work: (name: string) => Work,
      restart = true,
      engine = memorySharedStore(),
    ) {
      const clock = new VirtualClock();
      const first = killable(engine);
      const begin = (name: string, store: SharedStore = engine): Open =>
        startTaskProcess(revision, work(name), {
          store,
          clock,
          restart,
          ttl: 600_000,
        });
      return {
        clock,
        engine,
        begin,
        kill: first.kill,
        one: begin("one", first.store),
        two: begin("two"),
      };
    }

    it("is finished by another process soon after its own was killed, once, although several could run it", async () => {
      const seen = watch();
      const { clock, begin, kill, one, two } = startAll((name) => () => {
        seen.saw(name);
        return name === "one" ? never() : "done";
      });
      const three = begin("three");
      const { result } = await start(one, "ada");
      await seen.until("one");
      kill();
      expect(
        await passUntil(clock, () => seen.events.length > 1),
      ).toBeLessThanOrEqual(soon);
      await passUntil(clock, () => false, soon);
      expect(seen.events).toHaveLength(2);
      for (const process of [two, three])
        expect(textOf(await result(process))).toBe("done");
    });

    it("runs again at once when its process leaves the cluster", async () => {
      const seen = watch();
      const { one } = startAll((name) => () => (seen.saw(name), never()));
      await start(one, "ada");
      await seen.until("one");
      await one.close();
      await seen.until("two");
    });

    it("runs again in a process that starts after all others were killed", async () => {
      const seen = watch();
      const { clock, begin, kill, one, two } = startAll(
        (name) => () => (seen.saw(name), never()),
      );
      await two.close();
      await start(one, "ada");
      await seen.until("one");
      kill();
      begin("three");
      expect(
        await passUntil(clock, () => seen.events.includes("three")),
      ).toBeLessThanOrEqual(soon);
      expect(seen.events).toEqual(["one", "three"]);
    });

    it("is finished by a process that has heard nothing of its own, which was killed between two heartbeats", async () => {
      const seen = watch();
      const { clock, begin, kill, one, two } = startAll((name) => () => {
        seen.saw(name);
        return name === "one" ? never() : "done";
      });
      await two.close();
      await passUntil(clock, () => false, 1000);
      const three = begin("three");
      await passUntil(clock, () => false, 500);
      const { result } = await start(one, "ada");
      await seen.until("one");
      kill();
      expect(
        await passUntil(clock, () => seen.events.includes("three")),
      ).toBeLessThanOrEqual(soon);
      await passUntil(clock, () => false, soon);
      expect(seen.events).toEqual(["one", "three"]);
      expect(textOf(await result(three))).toBe("done");
    });

    it("goes on to a third process if the second is killed too, and then fails", async () => {
      const seen = watch();
      const { clock, engine, begin, kill, one, two } = startAll(
        (name) => () => (seen.saw(name), never()),
      );
      await two.close();
      const others = ["three", "four"].map((name) => {
        const other = killable(engine);
        return {
          name,
          kill: other.kill,
          start: () => begin(name, other.store),
        };
      });
      const { status } = await start(one, "ada");
      await seen.until("one");
      let last = kill;
      for (const { name, kill, start } of others) {
        last();
        start();
        expect(
          await passUntil(clock, () => seen.events.includes(name)),
        ).toBeLessThan(Infinity);
        last = kill;
      }
      last();
      const five = begin("five");
      await passUntil(clock, () => false, soon);
      expect(seen.events).toEqual(["one", "three", "four"]);
      expect(await status(five)).toMatchObject({ status: "failed" });
    });

    it("is not started once its time is over", async () => {
      const seen = watch();
      const { clock, kill, one } = startAll(
        (name) => () => (seen.saw(name), never()),
      );
      await start(one, "ada");
      await seen.until("one");
      kill();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_000 });
      await passUntil(clock, () => false, soon);
      expect(seen.events).toEqual(["one"]);
    });

    it("does not run again if its tool does not allow it", async () => {
      const seen = watch();
      const { clock, kill, one, two } = startAll(
        (name) => () => (seen.saw(name), never()),
        false,
      );
      const { status } = await start(one, "ada");
      await seen.until("one");
      kill();
      await passUntil(clock, () => false, soon);
      expect(seen.events).toEqual(["one"]);
      expect(await status(two)).toMatchObject({ status: "failed" });
    });

    it("has the caller with its scopes, and the client, of the request that started it", async () => {
      const seen: Json[] = [];
      const { clock, kill, one, two } = startAll((name) => (_, context) => {
        const { auth, client } = context as unknown as Json;
        seen.push({ name, auth, client });
        return never();
      });
      const { status } = await start(one, "ada files:read");
      await passUntil(clock, () => seen.length === 1);
      kill();
      await passUntil(clock, () => seen.length === 2);
      await status(two);
      expect(seen[1]).toEqual({ ...seen[0], name: "two" });
      expect(seen[0]).toMatchObject({
        auth: { principal: "ada", scopes: ["files:read"] },
        client: { capabilities: { elicitation: { form: {} } } },
      });
    });

    it("is gone after its engine was wiped, and a later one runs again", async () => {
      const seen = watch();
      let time = 0;
      const engine = storeWithClock(() => time);
      const { clock, kill, one } = startAll(
        (name) => () => (seen.saw(name), never()),
        true,
        engine,
      );
      await start(one, "ada");
      await seen.until("one");
      // The time of all values is over.
      time = 1e15;
      await start(one, "ada");
      await seen.until("one", 2);
      kill();
      expect(
        await passUntil(clock, () => seen.events.includes("two")),
      ).toBeLessThanOrEqual(soon);
      await passUntil(clock, () => false, soon);
      expect(seen.events).toEqual(["one", "one", "two"]);
    });

    it("runs again once the engine answers, if it was away when its process was killed", async () => {
      const seen = watch();
      const [clock, engine] = [new VirtualClock(), memorySharedStore()];
      const [first, second] = [killable(engine), stoppable(engine)];
      const begin = (name: string, store: SharedStore): Open =>
        startTaskProcess(revision, () => (seen.saw(name), never()), {
          store,
          clock,
          restart: true,
          onError: () => {},
        });
      const one = begin("one", first.store);
      begin("two", second);
      await start(one, "ada");
      await seen.until("one");
      second.stop();
      first.kill();
      await passUntil(clock, () => false, 2 * soon);
      second.start();
      engine.interrupt();
      expect(
        await passUntil(clock, () => seen.events.includes("two")),
      ).toBeLessThan(Infinity);
    });

    it("runs as many at once as the limit of tasks of a process allows, and the others later", async () => {
      const seen = watch();
      const [clock, engine] = [new VirtualClock(), memorySharedStore()];
      const first = killable(engine);
      const { ended, end } = gate<string>();
      const begin = (name: string, store: SharedStore, tasks: number): Open =>
        startTaskProcess(
          revision,
          () => (seen.saw(name), name === "one" ? never() : ended),
          {
            store,
            clock,
            restart: true,
            ttl: 600_000,
            limits: { tasks },
          },
        );
      const one = begin("one", first.store, 10);
      begin("two", engine, 2);
      for (let i = 0; i < 3; i++) await start(one, "ada");
      await seen.until("one", 3);
      first.kill();
      await passUntil(clock, () => seen.events.length >= 5);
      await passUntil(clock, () => false, soon);
      expect(seen.events.filter((name) => name === "two")).toHaveLength(2);
      end("done");
      await passUntil(clock, () => seen.events.length === 6, 120_000);
      expect(seen.events.filter((name) => name === "two")).toHaveLength(3);
    });
  },
);
