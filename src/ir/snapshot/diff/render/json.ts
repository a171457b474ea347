import type { SnapshotComparison } from "../model.js";

/** A comparison as JSON, ending in a line feed. An equal pair gives an empty list, not an empty text. */
export function renderDriftsJson(comparison: SnapshotComparison): string {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}
