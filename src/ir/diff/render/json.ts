import type { Comparison } from "../model.js";
import { summarize } from "../summary.js";

/**
 * A comparison as JSON, ending with a line feed: the members of `Comparison`, with `summary` before `differences`.
 * The same two protocols always give the same text.
 */
export function renderJson(comparison: Comparison): string {
  const { differences, ...head } = comparison;
  return `${JSON.stringify({ ...head, summary: summarize(comparison), differences }, null, 2)}\n`;
}
