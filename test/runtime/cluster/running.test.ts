import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ListedTask } from "../../../src/runtime/tasks/list.js";
import {
  maxRecord,
  recordOf,
  type SealedRecords,
  type TaskHost,
  type TaskList,
  type TaskRecord,
} from "../../../src/runtime/tasks/record.js";
import { followTask } from "../../../src/runtime/tasks/running.js";
import {
  movedTo,
  type Question,
  Task,
  type TaskState,
  type TaskStatus,
} from "../../../src/runtime/tasks/task.js";

const self = "self";
const start = 1_000_000_000;
const ttl = 120_000;
const own = { requester: "me", ttl: 1_000_000 };
const away = new Error("The store is away.");

/** Records in memory, of which each may be refused. */
function makeRecords() {
  const values = new Map<string, unknown>();
  const ttls: number[] = [];
  /** Called before each change, and after it. */
  const refusal = { check: (): void => {}, after: (): void => {} };
  const records: SealedRecords = {
    get: async <T>(key: string) => values.get(key) as T | undefined,
    async fetch<T>(key: string, isNeeded: () => boolean) {
      refusal.check();
      return isNeeded() ? (values.get(key) as T | undefined) : undefined;
    },
    set: async (key, value) => void values.set(key, value),
    async update<T>(
      key: string,
      ttl: number,
      change: (value: T | undefined) => T | undefined,
    ) {
      await Promise.resolve();
      refusal.check();
      const next = change(values.get(key) as T | undefined);
      if (key === "task") ttls.push(ttl);
      if (next === undefined) return undefined;
      if (JSON.stringify(next).length > maxRecord) throw away;
      values.set(key, next);
      refusal.after();
      return next;
    },
  };
  return { records, values, ttls, refusal };
}

const working: TaskState = {
  view: {
    taskId: "id",
    status: "working",
    createdAt: new Date(start).toISOString(),
    lastUpdatedAt: new Date(start).toISOString(),
    ttl,
    pollInterval: 1000,
  },
  questions: {},
};
const restart = (attempt: number): TaskState => ({
  ...working,
  restart: {
    server: "s",
    revision: "r",
    method: "m",
    params: {},
    client: {} as never,
    attempt,
    once: {},
  },
});

/** A task that this process runs, beside its record. */
function following(state: TaskState = working, listed: TaskList | null = own) {
  const { records, values, ttls, refusal } = makeRecords();
  const task = new Task(
    state,
    { exchange: { info: undefined, method: "m" } } as never,
    { principal: "me", key: "me" },
  );
  const place = { isHere: true };
  const reports: unknown[] = [];
  let stored = 0;
  const running = followTask(
    task,
    "task",
    listed ?? undefined,
    { records, self } as Partial<TaskHost> as TaskHost,
    () => place.isHere,
    () => void stored++,
    (error) => reports.push(error),
  );
  const record = (): TaskRecord => values.get("task") as TaskRecord;
  const put = (change: Partial<TaskRecord> = {}): TaskRecord => {
    values.set("task", {
      ...recordOf(task, listed ?? undefined, self),
      ...change,
    });
    return record();
  };
  /** The key of the list shows nothing, so there is one besides the task. */
  const list = (): ListedTask[] =>
    [...values].find(([key]) => key !== "task")?.[1] as ListedTask[];
  return {
    store: () => running.store(),
    stored: () => running.stored(),
    refresh: () => running.refresh(),
    task,
    values,
    ttls,
    refusal,
    place,
    reports,
    record,
    put,
    list,
    storedCount: () => stored,
  };
}

/** What the work of the task was told when it was aborted. */
const reasonOf = ({ exchange }: Task): unknown =>
  String(exchange.signal.reason);

const ended = (state: TaskState, status: TaskStatus): TaskState => ({
  ...movedTo(state, status),
  outcome: { result: {} },
});

const otherRuns = "AbortError: Another process has ended the task, or runs it.";

beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => vi.useRealTimers());

describe("a task that this process runs", () => {
  it("is stored whole if the engine has forgotten it", async () => {
    const { store, stored, task, record, storedCount } = following();
    const storing = store();
    expect(store()).toBe(storing);
    expect(await stored()).toBe(await storing);
    expect(await storing).toBe(true);
    expect(await stored()).toBeUndefined();
    expect(record()).toEqual(recordOf(task, own, self));
    expect(storedCount()).toBe(1);
  });

  it.each<[string, Partial<TaskRecord>, TaskState, TaskStatus, boolean]>([
    ["of this process", {}, working, "completed", true],
    [
      "that was cancelled",
      ended(working, "cancelled"),
      working,
      "completed",
      false,
    ],
    [
      "that has ended the same way",
      ended(working, "completed"),
      working,
      "completed",
      true,
    ],
    ["of another process", { worker: "other" }, working, "completed", false],
    [
      "of the process that ran it before",
      { ...restart(1), worker: "other" },
      restart(2),
      "completed",
      true,
    ],
    [
      "of the process that ran it next",
      { ...restart(3), worker: "other" },
      restart(2),
      "completed",
      false,
    ],
  ])("over a record %s", async (_, known, state, status, isStored) => {
    const { store, task, put, record } = following(state);
    const before = put(known);
    task.end(status, { result: {} });
    expect(await store()).toBe(isStored);
    const isWritten = isStored && before.view.status === "working";
    expect(record() === before).toBe(!isWritten);
    expect([record().worker, record().view.status]).toEqual(
      isWritten ? [self, status] : [before.worker, before.view.status],
    );
  });

  it.each<[string, Partial<TaskRecord>]>([
    ["has been cancelled", ended(working, "cancelled")],
    ["is run by another process", { worker: "other" }],
  ])(
    "is aborted once the store says that it %s, which the list says, too",
    async (_, known) => {
      const { store, task, put, list, values } = following();
      await store();
      const view = { ...working.view, taskId: "other task" };
      const listKey = `index/tasks/2/${await keyOfList()}`;
      values.set(listKey, [
        { view, worker: self },
        { view: working.view, worker: "before" },
      ]);
      const { view: said, worker } = put(known);
      expect(await store()).toBe(false);
      expect([task.view.status, reasonOf(task)]).toEqual([
        "cancelled",
        otherRuns,
      ]);
      expect(list()).toEqual([
        { view, worker: self },
        { view: said, worker },
      ]);
    },
  );

  it.each([
    [self, "completed"],
    ["other", "working"],
  ])(
    "changes its entry in the list if it is one of %s: %s",
    async (worker, status) => {
      const { store, task, values, list } = following();
      values.set(`index/tasks/2/${await keyOfList()}`, [
        { view: working.view, worker },
      ]);
      task.end("completed", { result: {} });
      await store();
      expect(list().map((one) => [one.view.status, one.worker])).toEqual([
        [status, worker],
      ]);
    },
  );

  it("is stored again every half second while the store is away, which is reported once", async () => {
    const { store, refusal, reports, record, storedCount } = following(
      working,
      null,
    );
    let tries = 0;
    refusal.check = () => {
      if (++tries <= 3) throw away;
    };
    const storing = store();
    await vi.advanceTimersByTimeAsync(499);
    expect(tries).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(tries).toBe(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await storing).toBe(true);
    expect([reports, storedCount()]).toEqual([[away], 1]);
    expect(record().worker).toBe(self);
  });

  it.each([
    ["once it no longer runs here", ttl, false],
    ["once its time is over", 1000, true],
  ])("is not stored again %s", async (_, time, isHere) => {
    const view = { ...working.view, ttl: time };
    const { store, refusal, place } = following({ ...working, view }, null);
    let tries = 0;
    refusal.check = () => {
      tries++;
      throw away;
    };
    const storing = store();
    await vi.advanceTimersByTimeAsync(500);
    place.isHere = isHere;
    await vi.advanceTimersByTimeAsync(10_000);
    expect([await storing, tries]).toEqual([false, 2]);
  });

  it("is stored again with a change that comes meanwhile", async () => {
    const { store, task, record, refusal } = following();
    refusal.after = () => {
      refusal.after = () => {};
      task.end("completed", { result: { text: "end" } });
      void store();
    };
    const storing = store();
    expect(await storing).toBe(true);
    expect(record().outcome).toEqual({ result: { text: "end" } });
  });

  it("leaves the store at once when its time is over, but says its end before", async () => {
    const { store, task, ttls, record } = following();
    await store();
    vi.setSystemTime(start + ttl);
    task.isExpired = true;
    task.cancel(new Error("over"));
    await store();
    expect([ttls, record().view.status]).toEqual([[ttl, 1], "cancelled"]);
  });

  it.each<[string, unknown]>([
    ["is too long to store", "x".repeat(maxRecord)],
    ["is not JSON", 1n],
  ])("fails if what it keeps %s", async (_, value) => {
    const { store, task, record, reports } = following();
    task.end("completed", { result: { value } });
    const storing = store();
    await vi.advanceTimersByTimeAsync(0);
    await storing;
    expect([task.view.status, reports.length]).toEqual(["failed", 1]);
    expect([record().view.status, record().outcome]).toEqual([
      "failed",
      {
        error: {
          code: -32603,
          message: "What the task keeps is too long to store, or is not JSON.",
          data: undefined,
        },
      },
    ]);
  });
});

describe("a task that may have changed elsewhere", () => {
  it.each<[string, Partial<TaskRecord>, TaskStatus]>([
    ["has ended", { ...ended(working, "failed"), worker: "other" }, "failed"],
    ["runs in another process", { worker: "other" }, "cancelled"],
  ])("is cancelled if it %s", async (_, known, status) => {
    const { refresh, task, put, storedCount } = following();
    const before = put(known);
    await refresh();
    expect([reasonOf(task), task.view.status]).toEqual([
      "AbortError: The task was cancelled.",
      status,
    ]);
    expect(task.state === before).toBe(status === "failed");
    expect(storedCount()).toBe(0);
  });

  it("gets each answer that a client has given at another process", async () => {
    const { refresh, task, put, storedCount } = following();
    const ask = (key: string): Promise<unknown> =>
      task.pose({ method: "ask", key }, () => true, { key });
    const answers = [ask("a"), ask("b"), ask("c")];
    const { questions } = task.state;
    put({
      questions: {
        ...questions,
        a: { ...(questions["a"] as Question), answer: 1 },
        c: { ...(questions["c"] as Question), answer: 0 },
      },
    });
    await refresh();
    expect([await answers[0], await answers[2]]).toEqual([1, 0]);
    expect(Object.keys(task.state.questions).length).toBe(3);
    expect(task.view.status).toBe("input_required");
    expect(storedCount()).toBe(1);
  });

  it.each<[string, boolean, TaskStatus, Partial<TaskRecord> | null, number]>([
    ["as it is stored", true, "working", {}, 0],
    ["otherwise than it is stored", true, "working", { key: "x" }, 0],
    [
      "with another state",
      true,
      "working",
      { questions: { a: {} as never } },
      1,
    ],
    ["and the engine has forgotten it", true, "working", null, 1],
    ["after its end, which was forgotten", true, "completed", null, 0],
    ["no longer here", false, "working", null, 0],
  ])("that is %s", async (_, isHere, status, known, stores) => {
    const { refresh, task, put, place, storedCount } = following();
    if (status === "completed") task.end(status, { result: {} });
    if (known) put(known);
    place.isHere = isHere;
    await refresh();
    expect([storedCount(), task.view.status]).toEqual([stores, status]);
  });

  it("is reported if its record does not open, and runs on", async () => {
    const { refresh, task, refusal, reports } = following();
    refusal.check = () => {
      throw away;
    };
    await refresh();
    expect([reports, task.view.status]).toEqual([[away], "working"]);
  });
});

/** The key of the list of the requester, without what begins it. */
async function keyOfList(): Promise<string> {
  const { sha256 } = await import("../../../src/common/base64.js");
  return sha256(own.requester);
}
