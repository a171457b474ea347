import * as facts from "../facts.js";
import { flatten } from "../flatten.js";
import type { Params } from "../model.js";
import { factId, type Deriving } from "./deriving.js";
import { shapesOf } from "./results.js";

/** Who hears a notification: the filter member that asks for it, and the member that says what it is about. */
export interface Audience {
  readonly filter: string | null;
  readonly subject: string | null;
}

/**
 * "notifications/tools/list_changed" is asked for by `toolsListChanged`, where the revision's filter has it, and what says
 * by a required `taskId` what it is about by a list of `taskIds`.
 */
export function audienceOf(deriving: Deriving, method: string, params: Params): Audience {
  const row = facts.subjects.find((entry) => entry.method === method);
  const filters = (flatten(deriving.declarations, facts.names.filter)?.properties ?? []).map(
    ({ name }) => name,
  );
  if (row !== undefined) {
    deriving.used.add(factId("subjects", row));
    return { filter: filters.includes(row.filter) ? row.filter : null, subject: row.subject };
  }
  const wanted = newsOf(method);
  const filter = filters.find((name) => name === wanted);
  if (filter !== undefined) return { filter, subject: null };
  const shapes = params.type === null ? [] : shapesOf(deriving, params.type);
  const subject = (shapes[0]?.properties ?? []).find(
    ({ name, optional }) => !optional && filters.includes(`${name}s`),
  );
  return { filter: subject ? `${subject.name}s` : null, subject: subject?.name ?? null };
}

/** What a notification tells, as the members of a filter spell it: "notifications/tools/list_changed" tells `toolsListChanged`. */
export function newsOf(method: string): string {
  const tail = method.slice(facts.names.notificationPrefix.length);
  return tail.replace(/[/_]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
