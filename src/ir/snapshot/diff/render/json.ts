import type { SnapshotComparison } from "../model.js";

/** A comparison as JSON, ending with a line feed. */
export function renderDriftsJson(comparison: SnapshotComparison): string {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}
