import { isList, isRecord } from "../../json/value.js";
import type { Json } from "../model.js";
import { exact, inAnyOrder, sorted } from "../../json.js";

/** A member of a value; undefined without it. */
export function memberOf(
  value: Json | undefined,
  name: string,
): Json | undefined {
  return isRecord(value) && Object.hasOwn(value, name)
    ? value[name]
    : undefined;
}

export function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/**
 * A value for printing: a string as it is, anything else as JSON with sorted
 * members.
 */
export function show(value: Json | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : exact(value);
}

/** A text that is equal for equal values in any order of members and items. */
export function unorderedText(value: Json | undefined): string {
  return value === undefined ? "" : JSON.stringify(unordered(sorted(value)));
}

function unordered(value: Json): Json {
  if (isList(value)) return inAnyOrder(value.map(unordered));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, unordered(member)]),
  );
}
