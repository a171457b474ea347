import type { JsonRecord } from "../model.js";
import { loose, show } from "./json.js";
import { step } from "../../diff/place.js";
import type { Finding } from "./judge.js";

/** Entries of two lists that are the same thing, by what the wire knows them by. */
export interface Matched<T> {
  readonly gone: readonly T[];
  readonly come: readonly T[];
  readonly kept: readonly (readonly [was: T, is: T])[];
}

export function matchBy<T>(old: readonly T[], fresh: readonly T[], id: (entry: T) => string): Matched<T> {
  const left = new Map(old.map((entry) => [id(entry), entry]));
  const come: T[] = [];
  const kept: (readonly [T, T])[] = [];
  for (const is of fresh) {
    const was = left.get(id(is));
    if (was === undefined) come.push(is);
    else kept.push([was, is]);
    left.delete(id(is));
  }
  return { gone: [...left.values()], come, kept };
}

/** Members of an entry that are words, pictures and whatever else no program depends on. */
export function compareOthers(was: JsonRecord, is: JsonRecord, told: ReadonlySet<string>): Finding[] {
  const names = new Set([...Object.keys(was), ...Object.keys(is)].filter((name) => !told.has(name)));
  return [...names].sort().flatMap((name): Finding[] => {
    const [before, after] = [member(was, name), member(is, name)];
    if (loose(before) === loose(after)) return [];
    const change = name === "description" ? "description-changed" : "words-changed";
    return [{ change, path: step(name), was: show(before), is: show(after) }];
  });
}

function member(record: JsonRecord, name: string): JsonRecord[string] | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
