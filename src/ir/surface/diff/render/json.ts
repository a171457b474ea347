import type { SurfaceComparison } from "../model.js";

/** A comparison as JSON, ending in a line feed. An equal pair gives an empty list, not an empty text. */
export function renderDriftsJson(comparison: SurfaceComparison): string {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}
