import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  addToList,
  changeInList,
  listed,
  type ListedTask,
  updateList,
} from "../../../src/runtime/tasks/list.js";
import {
  keyOf,
  type SealedRecords,
  type TaskRecord,
} from "../../../src/runtime/tasks/record.js";
import { hasEnded, isOver } from "../../../src/runtime/tasks/task.js";

const now = 1_800_000_000_000;
const list = { requester: "ann", ttl: 1000 };

const taskOf = (taskId: string, status = "working", ttl = 1000): ListedTask =>
  ({
    view: { taskId, status, createdAt: new Date(now).toISOString(), ttl },
    worker: "me",
  }) as unknown as ListedTask;

/** Records in memory, and the times for which they were written. */
function recordsOf() {
  const values = new Map<string, unknown>();
  const written: [key: string, ttl: number][] = [];
  const records = {
    get: async (key: string) => values.get(key),
    update: async (
      key: string,
      ttl: number,
      change: (value: unknown) => unknown,
    ) => {
      const value = change(values.get(key));
      if (value !== undefined) {
        values.set(key, value);
        written.push([key, ttl]);
      }
      return value;
    },
  } as unknown as SealedRecords;
  const add = (task: ListedTask, requesterTasks?: number): Promise<boolean> =>
    addToList(
      records,
      task,
      list,
      requesterTasks === undefined ? {} : { requesterTasks },
    );
  const ids = async (requester = list.requester): Promise<string[]> =>
    (await listed(records, requester)).map(({ view }) => view.taskId);
  return { values, written, records, add, ids };
}

describe("the list of the tasks of a requester", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now }));
  afterEach(() => void vi.useRealTimers());

  it("has them in the order of their creation, until their time is over", async () => {
    const { add, ids } = recordsOf();
    expect(await ids()).toEqual([]);
    await add(taskOf("b", "working", 2000));
    await add(taskOf("a", "completed"));
    await add(taskOf("c"));
    vi.setSystemTime(now + 999);
    expect(await ids()).toEqual(["b", "a", "c"]);
    expect(await ids("bob")).toEqual([]);
    vi.setSystemTime(now + 1000);
    expect(await ids()).toEqual(["b"]);
  });

  it("has room for a new one in place of the oldest that has ended, whose record goes", async () => {
    const { add, ids, values, written } = recordsOf();
    await add(taskOf("a"), 3);
    await add(taskOf("b", "failed"), 3);
    await add(taskOf("c", "cancelled"), 3);
    for (const id of ["b", "c"])
      values.set(await keyOf(id), taskOf(id, "failed"));
    written.length = 0;
    expect(await add(taskOf("d"), 3)).toBe(true);
    expect(await ids()).toEqual(["a", "c", "d"]);
    expect(written.at(-1)).toEqual([await keyOf("b"), 1]);
    expect(await add(taskOf("e"), 3)).toBe(true);
    expect(await add(taskOf("f"), 3)).toBe(false);
    expect(await ids()).toEqual(["a", "d", "e"]);
  });

  it("has room again for 100 tasks when the time of others is over", async () => {
    const { add, ids } = recordsOf();
    for (let i = 0; i < 100; i++) expect(await add(taskOf(`t${i}`))).toBe(true);
    expect(await add(taskOf("more"))).toBe(false);
    vi.setSystemTime(now + 1000);
    expect(await add(taskOf("more", "working", 2000))).toBe(true);
    expect(await ids()).toEqual(["more"]);
  });

  it("changes and removes one in its place, and drops what is over", async () => {
    const { add, ids, written, records } = recordsOf();
    const change = (
      id: string,
      to: (task: ListedTask) => ListedTask | undefined,
    ): Promise<void> => changeInList(records, id, list, to);
    await add(taskOf("a", "working", 2000));
    await add(taskOf("b"));
    await add(taskOf("c", "working", 2000));
    written.length = 0;
    await change("a", (task) => task);
    await change("none", () => undefined);
    await changeInList(records, "a", undefined, () => undefined);
    expect(written).toEqual([]);
    const ended = taskOf("a", "completed", 2000);
    await updateList(records, { ...ended, list } as TaskRecord);
    expect((await listed(records, "ann"))[0]).toEqual(ended);
    expect(await ids()).toEqual(["a", "b", "c"]);
    vi.setSystemTime(now + 1000);
    await change("c", () => undefined);
    vi.setSystemTime(now);
    expect(await ids()).toEqual(["a"]);
  });

  it.each([
    ["working", false],
    ["input_required", false],
    ["completed", true],
    ["failed", true],
    ["cancelled", true],
  ])("counts a task as ended by its status: %s", (status, isEnd) => {
    expect(hasEnded(taskOf("a", status))).toBe(isEnd);
  });

  it.each([
    [-1, false],
    [0, true],
  ])("counts a task as over from its end on: %i", (time, isEnd) => {
    vi.setSystemTime(now + 1000 + time);
    expect(isOver(taskOf("a"))).toBe(isEnd);
  });
});
