import type { CallRecord } from "./clients.js";
import type { ToolRecord } from "./server.js";

/** A process that was killed, and the time from then until its successor was ready. Times are those of `Date.now()`. */
export interface Kill {
  readonly pid: number;
  readonly at: number;
  readonly until: number;
}

/** What became of a call, by its client and by the tool. The first three are right. */
export type Fate =
  | "answered"
  | "begun in a killed process"
  | "sent to a killed process and not begun"
  | "run twice"
  | "answered without a run"
  | "lost";

function fateOf(call: CallRecord, ran: readonly ToolRecord[], kills: readonly Kill[]): Fate {
  const [begun, second] = ran.filter(({ at }) => at === "begin");
  if (second) return "run twice";
  if (call.text !== undefined)
    return ran.some(({ at }) => at === "end") ? "answered" : "answered without a run";
  if (begun) return kills.some(({ pid }) => pid === begun.pid) ? "begun in a killed process" : "lost";
  const isInTime = kills.some(({ at, until }) => at <= call.ended && call.sent <= until);
  return isInTime ? "sent to a killed process and not begun" : "lost";
}

/** Sorts calls by what became of them. */
export function fatesOf(
  calls: readonly CallRecord[],
  records: readonly ToolRecord[],
  kills: readonly Kill[] = [],
): Readonly<Record<Fate, readonly CallRecord[]>> {
  const byId = new Map<string, ToolRecord[]>();
  for (const record of records) {
    const found = byId.get(record.id);
    if (found) found.push(record);
    else byId.set(record.id, [record]);
  }
  const fates: Record<Fate, CallRecord[]> = {
    answered: [],
    "begun in a killed process": [],
    "sent to a killed process and not begun": [],
    "run twice": [],
    "answered without a run": [],
    lost: [],
  };
  for (const call of calls) fates[fateOf(call, byId.get(call.id) ?? [], kills)].push(call);
  return fates;
}
