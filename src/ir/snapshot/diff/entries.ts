import type { JsonRecord } from "../model.js";
import { show, unorderedText } from "./json.js";
import type { Delta } from "./classify.js";
import { step } from "../../compare/model.js";

/** The entries of two lists, matched by their names or URIs. */
export interface Matches<T> {
  readonly removed: readonly T[];
  readonly added: readonly T[];
  readonly pairs: readonly (readonly [was: T, is: T])[];
}

export function matchBy<T>(old: readonly T[], fresh: readonly T[], id: (entry: T) => string): Matches<T> {
  const candidates = new Map(old.map((entry) => [id(entry), entry]));
  const added: T[] = [];
  const pairs: (readonly [T, T])[] = [];
  for (const is of fresh) {
    const was = candidates.get(id(is));
    if (was === undefined) added.push(is);
    else pairs.push([was, is]);
    candidates.delete(id(is));
  }
  return { removed: [...candidates.values()], added, pairs };
}

/** Compares the members of an entry that no program depends on, such as descriptions and icons. */
export function compareOthers(
  was: JsonRecord,
  is: JsonRecord,
  comparedMembers: ReadonlySet<string>,
): Delta[] {
  const names = new Set(
    [...Object.keys(was), ...Object.keys(is)].filter((name) => !comparedMembers.has(name)),
  );
  return [...names].sort().flatMap((name): Delta[] => {
    const [before, after] = [member(was, name), member(is, name)];
    if (unorderedText(before) === unorderedText(after)) return [];
    const change = name === "description" ? "description-changed" : "words-changed";
    return [{ change, path: step(name), was: show(before), is: show(after) }];
  });
}

function member(record: JsonRecord, name: string): JsonRecord[string] | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
