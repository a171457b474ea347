import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type StoreOptions,
  TaskStore,
} from "../../../src/runtime/tasks/store.js";
import { isOver, type Task } from "../../../src/runtime/tasks/task.js";

const context = { exchange: { info: undefined, method: "m" } } as never;
/** The longest time that a timer can measure, in milliseconds. */
const longest = 2 ** 31 - 1;

/** A store of tasks, and the ids of those that it has deleted. */
function storing(options: StoreOptions = {}) {
  const store = new TaskStore(options);
  const removed: string[] = [];
  store.onRemoved = ({ view }) => removed.push(view.taskId);
  const create = (key: unknown, ttl?: unknown): Task | undefined =>
    store.create(ttl, context, {
      principal: typeof key === "string" ? key : undefined,
      key,
    });
  /** Creates a task, for which there must be room. */
  const made = (...args: Parameters<typeof create>): Task => {
    const task = create(...args);
    if (!task) throw new Error("There is no room.");
    return task;
  };
  return { store, removed, create, made };
}

const end = (task: Task): void => task.end("completed", { result: {} });
const idOf = ({ view }: Task): string => view.taskId;

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

describe("the tasks of a process", () => {
  it.each<[string, StoreOptions["limits"], readonly [string, string]]>([
    ["all requesters", { tasks: 3 }, ["a", "b"]],
    ["one requester", { requesterTasks: 3 }, ["a", "a"]],
  ])(
    "are as many of %s as they may be, and one more replaces the oldest of its requester that has ended",
    (_, limits, [first, second]) => {
      const { create, made, removed } = storing({ limits });
      const running = made(first);
      const [one, two] = [made(second), made(second)];
      expect([create(second), removed]).toEqual([undefined, []]);
      end(two);
      end(one);
      made(second);
      expect(removed).toEqual([idOf(one)]);
      made(second);
      expect(removed).toEqual([idOf(one), idOf(two)]);
      expect(create(second)).toBe(undefined);
      expect(running.hasEnded).toBe(false);
    },
  );

  it("make no room for another requester", () => {
    const { create, made, removed } = storing({ limits: { tasks: 1 } });
    end(made("a"));
    expect([create("b"), create(undefined), removed]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  it("are 1,000, and 100 of one requester, unless an option says otherwise", () => {
    const { create, made } = storing();
    for (let i = 0; i < 100; i++) made("a");
    expect(create("a")).toBe(undefined);
    for (let i = 0; i < 900; i++) made(`other ${i}`);
    expect(create("b")).toBe(undefined);
  });

  it.each([
    [2, undefined],
    [1000, {}],
  ])("have room for one more while fewer than %i run", (count, limits) => {
    const { store, made } = storing({ limits: limits ?? { tasks: count } });
    const all = Array.from({ length: count }, (_, i) => made(`${i}`));
    expect(store.hasRoom).toBe(false);
    // One that has ended is still stored.
    end(all[0] as Task);
    expect(store.hasRoom).toBe(true);
  });

  it.each<[unknown, StoreOptions, number]>([
    [0, {}, 0],
    [1, {}, 1],
    [-1, {}, 3_600_000],
    ["1", {}, 3_600_000],
    [undefined, { ttl: 5 }, 5],
    [86_400_000, {}, 86_400_000],
    [86_400_001, {}, 86_400_000],
    [Infinity, { limits: { ttl: Infinity } }, longest],
    [undefined, { ttl: 7, limits: { ttl: 6 } }, 6],
  ])(
    "live for the time %j with the options %j: %i ms",
    (ttl, options, time) => {
      const { store, made, removed } = storing(options);
      const task = made("a", ttl);
      expect([task.view.ttl, task.view.pollInterval]).toEqual([time, 1000]);
      expect(isOver(task)).toBe(time === 0);
      if (time > 0) vi.advanceTimersByTime(time - 1);
      expect([isOver(task), removed]).toEqual([time === 0, []]);
      vi.advanceTimersByTime(1);
      expect([isOver(task), removed]).toEqual([true, [idOf(task)]]);
      expect(task.view.status).toBe("cancelled");
      expect(task.state.outcome).toEqual({
        error: {
          code: -32602,
          message: "The task has expired.",
          data: undefined,
        },
      });
      expect([
        task.isExpired,
        store.list({ principal: "a", key: "a" }),
      ]).toEqual([true, new Map()]);
    },
  );

  it("are listed in the order of their creation, to their requester alone, and to none who cannot be identified", () => {
    const { store, made } = storing();
    const [one, , three] = [made("a"), made("b"), made("a")];
    made(undefined);
    const list = (key: string | undefined): readonly string[] => [
      ...store.list({ principal: key, key }).keys(),
    ];
    expect(list("a")).toEqual([idOf(one), idOf(three)]);
    expect([list("c"), list(undefined)]).toEqual([[], []]);
  });

  it.each([
    [true, false],
    [false, true],
  ])(
    "are read by another session without a principal only if nobody lists them: listed %s",
    (list, mayRead) => {
      const { store, made } = storing({ list });
      const session = {};
      const task = made(session);
      const read = (principal: string | undefined, key: unknown): boolean =>
        store.read(idOf(task), { principal, key }) !== undefined;
      expect([
        read(undefined, session),
        read(undefined, {}),
        read("a", session),
      ]).toEqual([true, mayRead, false]);
    },
  );

  it("that another process has, too, are forgotten without a word", () => {
    const { store, made, removed } = storing();
    const task = made("a");
    store.forget(task);
    vi.advanceTimersByTime(longest);
    expect([removed, task.hasEnded]).toEqual([[], false]);
  });
});
