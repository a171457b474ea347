import type { Json, JsonRecord } from "../json.js";
import { isList, isRecord, parseOrUndefined } from "./value.js";

/** The members that mcpgen owns in an object; undefined for one that is not there. */
export type Owned = Readonly<Record<string, Json | undefined>>;

/**
 * An object that two hands write: mcpgen sets and removes its own members as
 * whole values, and all others stay. Undefined without any member.
 */
export function withOwned(
  before: Json | undefined,
  owned: Owned,
): JsonRecord | undefined {
  const others = isRecord(before) ? before : {};
  const members: Record<string, Json> = {};
  for (const [name, value] of Object.entries({ ...others, ...owned })) {
    if (value === undefined) continue;
    members[name] = value;
  }
  const isEmpty = Object.keys(members).length === 0;
  return isEmpty ? undefined : members;
}

/**
 * The text of a JSON file that two hands write, with its indentation. Null if
 * the text is not a JSON object, such as one with comments.
 */
export function textWithOwned(
  before: string | null,
  owned: Readonly<Record<string, unknown>>,
): string | null {
  const old = parseOrUndefined(before ?? "{}");
  if (!isRecord(old)) return null;
  const content = withOwned(old, owned as Owned) ?? {};
  return likeBefore(before, content);
}

/** An object as JSON, with the indentation of the text before. */
export function likeBefore(before: string | null, content: JsonRecord): string {
  const found = /^\{\s*?\n([ \t]+)/.exec(before ?? "");
  const text = JSON.stringify(content, null, found?.[1] ?? "  ");
  return `${text}\n`;
}

/**
 * A list that two hands write. An entry is found by the text of its key: mcpgen
 * sets the entries of `next`, removes those that it wrote earlier, and all
 * others stay. Undefined without any entry.
 */
export function withOwnedEntries(
  before: Json | undefined,
  key: string,
  next: readonly Owned[],
  written: readonly Json[],
): Json | undefined {
  const old = isList(before) ? before : [];
  const keyOf = (entry: Json): Json | undefined =>
    isRecord(entry) ? entry[key] : undefined;
  const owned = new Set(written);
  const entries: Json[] = [];
  for (const entry of next) {
    owned.add(entry[key] as Json);
    const same = old.find((other) => keyOf(other) === entry[key]);
    const merged = withOwned(same, entry);
    if (merged !== undefined) entries.push(merged);
  }
  const others = old.filter((entry) => {
    const known = keyOf(entry);
    return known === undefined || !owned.has(known);
  });
  const all = [...entries, ...others];
  return all.length === 0 ? undefined : all;
}
