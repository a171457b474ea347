import * as facts from "../facts.js";
import { flatten } from "../flatten.js";
import type { NotificationMessage, Params } from "../model.js";
import type { DeriveContext } from "./context.js";
import { objectsOf } from "./results.js";

/**
 * Which clients receive a notification: the filter member that subscribes to
 * it, and the member of its params that names the subject.
 */
type Audience = Pick<NotificationMessage, "filter" | "subject">;

/**
 * `known` is the method by which facts name the message. The filter member is
 * `toolsListChanged` for "notifications/tools/list_changed", if the revision's
 * filter has it. A notification whose params require `taskId` uses the filter
 * member `taskIds`, with `taskId` as its subject.
 */
export function audienceOf(
  context: DeriveContext,
  { method, known }: { readonly method: string; readonly known: string },
  params: Params,
): Audience {
  const row = facts.subjects.find((entry) => entry.method === known);
  const filters = (
    flatten(context.declarations, facts.names.filter)?.properties ?? []
  ).map(({ name }) => name);
  if (row !== undefined) {
    return {
      filter: filters.includes(row.filter) ? row.filter : null,
      subject: row.subject,
    };
  }
  const member = filterMemberOf(method);
  const filter = filters.find((name) => name === member);
  if (filter !== undefined) return { filter, subject: null };
  const shapes = objectsOf(context, params.schema);
  const subject = (shapes[0]?.properties ?? []).find(
    ({ name, optional }) => !optional && filters.includes(`${name}s`),
  );
  return {
    filter: subject ? `${subject.name}s` : null,
    subject: subject?.name ?? null,
  };
}

/**
 * The filter member for a notification: `toolsListChanged` for
 * "notifications/tools/list_changed".
 */
export function filterMemberOf(method: string): string {
  const tail = method.slice(facts.names.notificationPrefix.length);
  return tail.replace(/(?<![/_])[/_]+([a-z0-9])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
}
