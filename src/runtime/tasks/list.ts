import { sha256 } from "../../common/base64.js";
import {
  keyOf,
  type SealedRecords,
  type TaskList,
  type TaskRecord,
} from "./record.js";
import { hasEnded, isOver, type TaskView } from "./task.js";
import type { TaskLimits } from "./store.js";

/**
 * A task in the list of its requester, which is one record, so that it is read
 * at once.
 */
export interface ListedTask {
  readonly view: TaskView;
  /** The process that runs it. */
  readonly worker: string;
}

const isKept = (task: ListedTask): boolean => !isOver(task);

/** The key of the list of a requester, which may give access. */
const listKeyOf = async (requester: string): Promise<string> =>
  `index/tasks/2/${await sha256(requester)}`;

/** The tasks of a requester, the oldest first. */
export async function listed(
  records: SealedRecords,
  requester: string,
): Promise<readonly ListedTask[]> {
  const all = await records.get<ListedTask[]>(await listKeyOf(requester));
  return all?.filter(isKept) ?? [];
}

/** Deletes a task that has ended. */
export async function removeEnded(
  records: SealedRecords,
  taskId: string,
): Promise<void> {
  await records.update<TaskRecord>(await keyOf(taskId), 1, (record) =>
    record && hasEnded(record) ? record : undefined,
  );
}

/**
 * Adds a task to those of its requester, in place of the oldest one that has
 * ended. False if there are too many, and none has ended.
 */
export async function addToList(
  records: SealedRecords,
  task: ListedTask,
  { requester, ttl }: TaskList,
  { requesterTasks = 100 }: TaskLimits,
): Promise<boolean> {
  let replaced: ListedTask | undefined;
  const change = (
    all: readonly ListedTask[] = [],
  ): readonly ListedTask[] | undefined => {
    const kept = all.filter(isKept);
    replaced = kept.length < requesterTasks ? undefined : kept.find(hasEnded);
    const others = kept.filter((one) => one !== replaced);
    return others.length < requesterTasks ? [...others, task] : undefined;
  };
  const isAdded = await records.update(await listKeyOf(requester), ttl, change);
  if (isAdded && replaced) await removeEnded(records, replaced.view.taskId);
  return isAdded !== undefined;
}

/**
 * Changes a task in the list of its requester. `change` returns undefined to
 * remove it, and its argument to change nothing.
 */
export async function changeInList(
  records: SealedRecords,
  taskId: string,
  list: TaskList | undefined,
  change: (task: ListedTask) => ListedTask | undefined,
): Promise<void> {
  if (!list) return;
  await records.update<readonly ListedTask[]>(
    await listKeyOf(list.requester),
    list.ttl,
    (all = []) => {
      const before = all.find(({ view }) => view.taskId === taskId);
      const after = before && change(before);
      if (before === after) return undefined;
      return all
        .flatMap((one) => (one === before ? (after ?? []) : one))
        .filter(isKept);
    },
  );
}

/** Writes what the record of a task says to the list that has it. */
export const updateList = (
  records: SealedRecords,
  { view, worker, list }: TaskRecord,
): Promise<void> =>
  changeInList(records, view.taskId, list, () => ({ view, worker }));
