import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ClusterTasks } from "../../../src/runtime/tasks/cluster-tasks.js";
import type {
  SealedRecords,
  TaskHost,
} from "../../../src/runtime/tasks/record.js";
import type { StoreOptions } from "../../../src/runtime/tasks/store.js";
import { Task } from "../../../src/runtime/tasks/task.js";

const now = 1_000_000;

/** The tasks of one process of a cluster, whose store is in memory. */
function process() {
  const values = new Map<string, unknown>();
  const published: unknown[] = [];
  const state = { isConnected: true, fails: "" };
  const check = (key: string): void => {
    if (state.fails !== "" && key.startsWith(state.fails))
      throw new Error("The store is away.");
  };
  const records: SealedRecords = {
    get: async <T>(key: string) => values.get(key) as T | undefined,
    fetch: async <T>(key: string) => values.get(key) as T | undefined,
    async set(key, value) {
      check(key);
      values.set(key, value);
    },
    async update<T>(
      key: string,
      _: number,
      change: (value: T | undefined) => T | undefined,
    ) {
      check(key);
      const next = change(values.get(key) as T | undefined);
      if (next !== undefined) values.set(key, next);
      return next;
    },
  };
  const bus = {
    publish: (entry: unknown) => published.push(entry),
    isRunning: () => true,
    get isConnected() {
      return state.isConnected;
    },
  };
  const host = {
    self: "me",
    records,
    bus,
    after: () => {},
    configOf: () => undefined,
  } as unknown as TaskHost;
  const tasks = new ClusterTasks(host, () => {});
  /** The key of a task shows nothing of its id. */
  const keys = (start: string): readonly string[] =>
    [...values.keys()].filter((key) => key.startsWith(start));
  const listed = (): unknown => values.get(keys("index/tasks/")[0] ?? "");
  const add = (task: Task, options: StoreOptions = {}): Promise<unknown> =>
    tasks.add(task, { list: true, ...options }).catch((error: unknown) => {
      const { cause } = error as { cause?: unknown };
      return String(cause ?? error);
    });
  return { tasks, state, published, keys, listed, add };
}

function makeTask(taskId = "id"): Task {
  const time = new Date(now).toISOString();
  return new Task(
    {
      view: {
        taskId,
        status: "working",
        createdAt: time,
        lastUpdatedAt: time,
        ttl: 1_000_000,
        pollInterval: 1000,
      },
      questions: {},
    },
    { exchange: { info: undefined, method: "m" } } as never,
    { principal: "ada", key: "ada" },
  );
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"], now });
  // Without a thread, so that nothing but a timer takes time.
  vi.spyOn(crypto.subtle, "digest").mockImplementation(
    async (_, data) =>
      createHash("sha256")
        .update(data as Uint8Array)
        .digest() as never,
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const unheard = "Error: The other processes do not hear this one.";

describe("a new task of a cluster", () => {
  it("is stored with its requester, in whose list it is", async () => {
    const { add, keys, listed } = process();
    const task = makeTask();
    expect(await add(task)).toBe(true);
    expect(keys("tasks/2/")).toHaveLength(1);
    expect(listed()).toEqual([{ view: task.view, worker: "me" }]);
  });

  it("waits up to two seconds until the other processes hear this one, and is taken out of the list if they do not", async () => {
    const { add, state, keys, listed, tasks } = process();
    state.isConnected = false;
    const added = add(makeTask());
    let isDone = false;
    void added.then(() => (isDone = true));
    await vi.advanceTimersByTimeAsync(1999);
    expect([isDone, keys("tasks/2/")]).toEqual([false, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await added).toBe(unheard);
    expect([keys("tasks/2/"), listed()]).toEqual([[], []]);
    // It does not run here any more, so that nothing ends it.
    await tasks.close();
  });

  it.each([
    [1, true],
    [2000, true],
    [2001, unheard],
  ])(
    "is added by a process that is heard after %i ms: %s",
    async (time, answer) => {
      const { add, state } = process();
      state.isConnected = false;
      const added = add(makeTask());
      await vi.advanceTimersByTimeAsync(time - 1);
      state.isConnected = true;
      await vi.advanceTimersByTimeAsync(2000);
      expect(await added).toBe(answer);
    },
  );

  it("fails if its store is away, and runs here no more", async () => {
    const { add, state, listed, tasks } = process();
    state.fails = "tasks/2/";
    const task = makeTask();
    expect(await add(task)).toBe("Error: The store is away.");
    await vi.advanceTimersByTimeAsync(0);
    expect(listed()).toEqual([]);
    expect(await tasks.storeChange(task)).toBe(false);
  });

  it("is refused without a trace if its requester has too many", async () => {
    const { add, keys, published } = process();
    const limits = { requesterTasks: 1 };
    expect(await add(makeTask("1"), { limits })).toBe(true);
    expect(await add(makeTask("2"), { limits })).toBe(false);
    expect([keys("tasks/2/").length, published]).toEqual([1, []]);
  });

  it("is aborted when its process closes, and says why", async () => {
    const { add, tasks } = process();
    const task = makeTask();
    await add(task);
    await tasks.close();
    expect(String(task.exchange.signal.reason)).toBe(
      "AbortError: The server is closing.",
    );
    expect(await tasks.storeChange(task)).toBe(false);
  });

  it("tells the other processes of each change, and once that it was cancelled", async () => {
    const { add, tasks, published, keys } = process();
    const task = makeTask();
    await add(task);
    const [key] = keys("tasks/2/");
    const entry = { kind: "task-changed", key };
    task.move("input_required");
    expect(await tasks.storeChange(task)).toBe(true);
    expect(published).toEqual([entry]);
    const cancelled = await tasks.cancel("id", new Error("no"));
    expect(cancelled?.view.status).toBe("cancelled");
    expect(published).toEqual([entry, entry]);
    await vi.advanceTimersByTimeAsync(0);
    expect(task.view.status).toBe("cancelled");
  });
});
