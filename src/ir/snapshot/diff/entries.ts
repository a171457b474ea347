import type { JsonRecord } from "../model.js";
import { show, unorderedText } from "./json.js";
import { deltaOf } from "../../change/delta.js";
import type { Delta } from "../../change/model.js";
import { step } from "../../compare/model.js";

/** The entries of two lists, matched by their names or URIs. */
export interface Matches<T> {
  readonly removed: readonly T[];
  readonly added: readonly T[];
  readonly pairs: readonly (readonly [before: T, after: T])[];
}

export function matchBy<T>(old: readonly T[], fresh: readonly T[], id: (entry: T) => string): Matches<T> {
  const candidates = new Map(old.map((entry) => [id(entry), entry]));
  const added: T[] = [];
  const pairs: (readonly [T, T])[] = [];
  for (const after of fresh) {
    const before = candidates.get(id(after));
    if (before === undefined) added.push(after);
    else pairs.push([before, after]);
    candidates.delete(id(after));
  }
  return { removed: [...candidates.values()], added, pairs };
}

/** Compares the members of an entry that no program depends on, such as descriptions and icons. */
export function compareOthers(
  old: JsonRecord,
  fresh: JsonRecord,
  comparedMembers: ReadonlySet<string>,
): Delta[] {
  const names = new Set(
    [...Object.keys(old), ...Object.keys(fresh)].filter((name) => !comparedMembers.has(name)),
  );
  return [...names].sort().flatMap((name): Delta[] => {
    const [before, after] = [member(old, name), member(fresh, name)];
    if (unorderedText(before) === unorderedText(after)) return [];
    const change = name === "description" ? "description-changed" : "words-changed";
    return [deltaOf(change, show(before), show(after), step(name))];
  });
}

function member(record: JsonRecord, name: string): JsonRecord[string] | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
