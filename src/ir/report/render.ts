import type { Comparison } from "../diff/model.js";
import { revisionReport, summarize } from "../diff/report.js";
import type { Audience, SnapshotComparison } from "../snapshot/diff/model.js";
import { serverReport } from "../snapshot/diff/report.js";
import { reportMarkdown, reportText, type ChangeReport } from "./changes.js";

/** The differences between two revisions or between two snapshots of a server. */
export type AnyComparison = Comparison | SnapshotComparison;

/**
 * A comparison as JSON, ending with a line feed: its own members, and for revisions `summary` before `differences`.
 * Equal comparisons always give the same text.
 */
export function renderJson(comparison: AnyComparison): string {
  return `${JSON.stringify("drifts" in comparison ? comparison : withSummary(comparison), null, 2)}\n`;
}

function withSummary({ differences, ...head }: Comparison): object {
  return { ...head, summary: summarize(differences), differences };
}

/**
 * A comparison for a terminal, without colours: "!" marks what breaks (of a server: what breaks this audience), "?" what is less
 * safe, "+" what is compatible, and "." what changes only documentation or no message. Empty without differences.
 */
export function renderText(comparison: AnyComparison, audience: Audience = "callers"): string {
  return reportText(reportOf(comparison, audience, Infinity));
}

/** The maximum number of changes of a server: GitHub rejects comments with more than 65,536 characters. */
const maxRows = 120;

/** A comparison as Markdown for a pull request or a changelog. Empty without differences. */
export function renderMarkdown(comparison: AnyComparison): string {
  return reportMarkdown(reportOf(comparison, "callers", maxRows));
}

function reportOf(comparison: AnyComparison, audience: Audience, maxRows: number): ChangeReport {
  return "drifts" in comparison ? serverReport(comparison, audience, maxRows) : revisionReport(comparison);
}
