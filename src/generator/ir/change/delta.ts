import type { Change } from "./kinds.js";
import type { Delta } from "./model.js";

/** A change from one text to another. */
export function deltaOf(
  change: Change,
  before: string | null,
  after: string | null,
  path = "",
): Delta {
  return { change, path, before, after };
}

/**
 * The end of the name of a change from or to nothing, or from one text to
 * another.
 */
export function eventOf(
  before: unknown,
  after: unknown,
): "added" | "removed" | "changed" {
  return (before ?? null) === null
    ? "added"
    : (after ?? null) === null
      ? "removed"
      : "changed";
}

/** The change of a text, unless it stays the same. */
export function changed(
  change: Change,
  before: string | null,
  after: string | null,
  path = "",
): Delta[] {
  return before === after ? [] : [deltaOf(change, before, after, path)];
}
