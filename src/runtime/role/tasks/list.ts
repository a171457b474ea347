import { sha256 } from "../../../shared/base64.js";
import { endOf, hasEnded, keyOf, type TaskRecord, unavailable } from "./record.js";
import type { SharedRecords } from "./shared.js";
import { maxTtl, type TaskLimits, type TaskView } from "./store.js";

/** A task of a requester, and when it ends, in milliseconds since 1970. */
type Listed = readonly [taskId: string, end: number];

/** Reads a task by the key of its record. */
type Read = (key: string) => Promise<TaskRecord | undefined>;

const isKept = ([, end]: Listed): boolean => end > Date.now();

/** The key of the list of a requester, which may give access. */
const listKeyOf = async (requester: string): Promise<string> => `task-list/${await sha256(requester)}`;

/** The ids of the tasks of a requester, by themselves. */
export async function listed(
  records: SharedRecords,
  requester: string,
): Promise<ReadonlyMap<string, string>> {
  const all = await records.get<Listed[]>(await listKeyOf(requester)).catch(unavailable);
  return new Map(all?.filter(isKept).map(([taskId]) => [taskId, taskId]));
}

/** The tasks with these ids. */
export async function viewsOf(read: Read, taskIds: readonly string[]): Promise<TaskView[]> {
  const views: TaskView[] = [];
  for (const taskId of taskIds) {
    const record = await read(await keyOf(taskId));
    if (record) views.push(record.view);
  }
  return views;
}

/** Deletes a task that has ended. */
export async function removeEnded(records: SharedRecords, taskId: string): Promise<void> {
  await records.update<TaskRecord>(await keyOf(taskId), 1, (record) =>
    record && hasEnded(record.view) ? record : undefined,
  );
}

/** Returns a function that does work with the same key one after the other, so that it does not compete. If one fails, so do those behind it. */
export function inTurn(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const own = before ? before.then(work) : work();
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}

/** Adds a task to those of its requester, in place of the oldest one that has ended. False if there are too many, and none has ended. */
export async function enroll(
  records: SharedRecords,
  read: Read,
  view: TaskView,
  requester: string,
  limits: TaskLimits,
): Promise<boolean> {
  const { requesterTasks = 100 } = limits;
  const index = await listKeyOf(requester);
  const taskIds = [...(await listed(records, requester)).keys()];
  let replaced: string | undefined;
  if (taskIds.length >= requesterTasks)
    for (const taskId of taskIds) {
      const record = await read(await keyOf(taskId));
      if (record && !hasEnded(record.view)) continue;
      replaced = taskId;
      break;
    }
  const change = (all: readonly Listed[] = []): readonly Listed[] | undefined => {
    const others = all.filter((one) => isKept(one) && one[0] !== replaced);
    return others.length < requesterTasks ? [...others, [view.taskId, endOf(view)]] : undefined;
  };
  // No task of the list is stored for longer.
  const isAdded = (await records.update(index, maxTtl(limits), change).catch(unavailable)) !== undefined;
  if (isAdded && replaced !== undefined) await removeEnded(records, replaced).catch(unavailable);
  return isAdded;
}
