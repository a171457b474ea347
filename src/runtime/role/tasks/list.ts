import { sha256 } from "../../../shared/base64.js";
import { endOf, hasEnded, keyOf, type TaskRecord, unavailable } from "./record.js";
import type { SharedRecords } from "./shared.js";
import type { TaskView } from "./store.js";

/** A task of a requester, and when it ends, in milliseconds since 1970. */
type Listed = readonly [taskId: string, end: number];

/** Reads a task by the key of its record. */
type Read = (key: string) => Promise<TaskRecord | undefined>;

/** The key of the list of a requester, which may give access. */
const listKeyOf = async (requester: string): Promise<string> => `task-list/${await sha256(requester)}`;

/** The tasks of a requester, by id. */
export async function tasksOf(
  records: SharedRecords,
  read: Read,
  requester: string,
): Promise<ReadonlyMap<string, TaskView>> {
  const listed = await records.get<Listed[]>(await listKeyOf(requester)).catch(unavailable);
  const views = new Map<string, TaskView>();
  for (const [taskId] of listed ?? []) {
    const record = await read(await keyOf(taskId));
    if (record) views.set(taskId, record.view);
  }
  return views;
}

/** Adds a task to those of its requester. False if there are too many, and none has ended. */
export async function enroll(
  records: SharedRecords,
  read: Read,
  view: TaskView,
  requester: string,
  limit: number,
): Promise<boolean> {
  const index = await listKeyOf(requester);
  const listed = (await records.get<Listed[]>(index).catch(unavailable)) ?? [];
  let replaced: string | undefined;
  if (listed.filter(([, end]) => end > Date.now()).length >= limit)
    for (const [taskId] of listed) {
      const record = await read(await keyOf(taskId));
      if (record && !hasEnded(record.view)) continue;
      replaced = taskId;
      break;
    }
  const change = (all: readonly Listed[] = []): readonly Listed[] | undefined => {
    const others = all.filter(([taskId, end]) => end > Date.now() && taskId !== replaced);
    return others.length < limit ? [...others, [view.taskId, endOf(view)]] : undefined;
  };
  const longest = Math.max(endOf(view), ...listed.map(([, end]) => end)) - Date.now();
  return (await records.update(index, Math.max(1, longest), change).catch(unavailable)) !== undefined;
}
