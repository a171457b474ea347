import * as facts from "../facts.js";
import { flatten } from "../flatten.js";
import { factId, type Deriving } from "./deriving.js";

/** Who hears a notification: the filter member that asks for it, and the member that says what it is about. */
export interface Audience {
  readonly filter: string | null;
  readonly subject: string | null;
}

/** "notifications/tools/list_changed" is asked for by `toolsListChanged`, where the revision's filter has it. */
export function audienceOf(deriving: Deriving, method: string): Audience {
  const row = facts.subjects.find((entry) => entry.method === method);
  const filters = (flatten(deriving.declarations, facts.names.filter)?.properties ?? []).map(
    ({ name }) => name,
  );
  if (row !== undefined) {
    deriving.used.add(factId("subjects", row));
    return { filter: filters.includes(row.filter) ? row.filter : null, subject: row.subject };
  }
  const wanted = newsOf(method);
  return { filter: filters.find((name) => name === wanted) ?? null, subject: null };
}

/** What a notification tells, as the members of a filter spell it: "notifications/tools/list_changed" tells `toolsListChanged`. */
export function newsOf(method: string): string {
  const tail = method.slice(facts.names.notificationPrefix.length);
  return tail.replace(/[/_]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
