import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  makeRestarts,
  type Settled,
} from "../../../src/runtime/tasks/restarts.js";
import { turns } from "../kit/index.js";

/** The search for the tasks of another process, without an engine. */
function search(isRunning: boolean | undefined, settled: Settled) {
  const written: unknown[] = [];
  const lists: Record<string, unknown> = {};
  const errors: unknown[] = [];
  /** What was put off: for how long, and how to do it. */
  const later: { time: number; run: () => void }[] = [];
  const state = { isConnected: true, fails: false };
  const records = {
    get: async (key: string) => {
      if (state.fails) throw new Error("The store is away.");
      return key.endsWith("/other") ? ["task"] : { other: Infinity, old: 1 };
    },
    async update(key: string, _: number, change: (value: unknown) => unknown) {
      if (key in lists || key.endsWith("/me")) lists[key] = change(lists[key]);
      else written.push(change({ other: Infinity, mine: 1 }));
    },
    set: async (...args: unknown[]) => written.push(args),
  };
  const bus = {
    isRunning: () => isRunning,
    get isConnected() {
      return state.isConnected;
    },
  };
  const after = (time: number, run: () => void): void =>
    void later.push({ time, run });
  const restarts = makeRestarts(
    { records, bus, self: "me", after } as never,
    () => ["own"],
    async () => settled,
    (error) => void errors.push(error),
  );
  return { restarts, later, lists, written, errors, state };
}

describe("the search for tasks of processes that have stopped", () => {
  it.each<[string, boolean | undefined, Settled]>([
    ["nobody knows whether their process runs", undefined, "ended"],
    ["they have no process yet", false, "waits"],
  ])(
    "is repeated if %s, each time after twice the time, and once a minute at last",
    async (_, isRunning, settled) => {
      const { restarts, later } = search(isRunning, settled);
      restarts.sweep();
      for (let count = 1; count <= 6; count++) {
        await turns(3);
        expect(later).toHaveLength(count);
        later.at(-1)?.run();
      }
      expect(later.map(({ time }) => time)).toEqual([
        5000, 10_000, 20_000, 40_000, 60_000, 60_000,
      ]);
      restarts.close();
    },
  );

  it.each<[string, boolean, Settled, unknown[]]>([
    ["runs", true, "ended", []],
    ["has stopped and whose tasks run elsewhere", false, "runs", []],
    [
      "has stopped and whose tasks have ended",
      false,
      "ended",
      [{ mine: 1 }, ["index/restarts/1/other", [], 1]],
    ],
  ])(
    "ends after one round for a process that %s",
    async (_, isRunning, settled, expected) => {
      const { restarts, later, written } = search(isRunning, settled);
      restarts.sweep();
      await turns(5);
      expect(later).toEqual([]);
      expect(written).toEqual(expected);
    },
  );

  it.each([true, false])(
    "is repeated if the store fails, and reports it unless the bus does: connected %s",
    async (isConnected) => {
      const { restarts, later, errors, state } = search(true, "ended");
      Object.assign(state, { isConnected, fails: true });
      restarts.sweep();
      await turns(5);
      expect(later.map(({ time }) => time)).toEqual([5000]);
      expect(errors).toHaveLength(isConnected ? 1 : 0);
    },
  );

  it("begins at the time that is asked for, and an earlier one that was put off does nothing", async () => {
    const { restarts, later } = search(undefined, "ended");
    restarts.sweep(700);
    restarts.sweep(900);
    expect(later.map(({ time }) => time)).toEqual([700, 900]);
    later[0]?.run();
    await turns(5);
    expect(later).toHaveLength(2);
    later[1]?.run();
    await turns(5);
    expect(later.map(({ time }) => time)).toEqual([700, 900, 5000]);
  });

  it("finds a process by an index that has it for longer than any of its tasks, and that is written again if the engine has lost it", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const { restarts, lists, written } = search(true, "ended");
    const key = "index/restarts/1/me";
    const longest = 2 ** 31 - 1;
    const index = (until: number) => ({ other: Infinity, mine: 1, me: until });
    await restarts.store();
    await restarts.store();
    expect(lists).toEqual({ [key]: ["own"] });
    expect(written).toEqual([index(2 * longest)]);
    lists[key] = undefined;
    await restarts.store();
    expect(written.splice(0)).toHaveLength(2);
    vi.setSystemTime(longest - 1);
    await restarts.store();
    expect(written).toEqual([]);
    // A task from now on may outlast the entry of the index.
    vi.setSystemTime(longest);
    await restarts.store();
    expect(written).toEqual([index(3 * longest)]);
  });

  it.each([
    [0, ["list of other"]],
    [1, []],
  ])(
    "passes over a process %i ms after the time until which the index has it: it reads %j",
    async (late, read) => {
      vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 + late });
      onTestFinished(() => void vi.useRealTimers());
      const reads: string[] = [];
      const records = {
        async get(key: string) {
          if (key === "index/restarts/1") return { other: 1_000_001 };
          reads.push(key.replace("index/restarts/1/", "list of "));
          return [];
        },
        update: async () => {},
        set: async () => {},
      };
      const bus = { isRunning: () => false, isConnected: true };
      const restarts = makeRestarts(
        { records, bus, self: "me", after: () => {} } as never,
        () => [],
        async () => "ended",
        () => {},
      );
      restarts.sweep();
      await turns(5);
      expect(reads).toEqual(read);
    },
  );

  it("is not repeated after the process is closed", async () => {
    const { restarts, later } = search(undefined, "ended");
    restarts.sweep(700);
    restarts.close();
    later[0]?.run();
    await turns(5);
    expect(later).toHaveLength(1);
  });
});
