import { schemaPhrases } from "../../compare/phrases.js";
import {
  type ChangeReport,
  phraseFor,
  type Quote,
  reportMarkdown,
  reportText,
  withValues,
} from "../../report/changes.js";
import { driftClasses, type Audience, type Drift, type SnapshotComparison } from "./model.js";

/** A comparison as JSON, ending with a line feed. */
export function renderDriftsJson(comparison: SnapshotComparison): string {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}

/**
 * Drifts for a terminal, without colours: "!" marks what breaks the given side, "?" what reduces safety, "+" what is
 * compatible, "." changed documentation. Empty without drifts.
 */
export function renderDriftsText(comparison: SnapshotComparison, audience: Audience = "callers"): string {
  const { drifts } = comparison;
  return drifts.length === 0 ? "" : reportText(reportOf(comparison, drifts, audience));
}

/** The maximum number of rows: GitHub rejects comments with more than 65,536 characters. */
const maxRows = 120;

/** Drifts as Markdown for a comment on a pull request. Empty without drifts. */
export function renderDriftsMarkdown(comparison: SnapshotComparison): string {
  const { drifts } = comparison;
  if (drifts.length === 0) return "";
  const more = drifts.length - maxRows;
  const remark = more > 0 ? `${more} more are only listed by \`--json\`.` : "";
  return reportMarkdown({ ...reportOf(comparison, drifts.slice(0, maxRows), "callers"), remark });
}

function reportOf(
  { from, to, drifts }: SnapshotComparison,
  visible: readonly Drift[],
  audience: Audience,
): ChangeReport {
  const [callers, implementers] = [countsOf(drifts, "callers"), countsOf(drifts, "implementers")];
  return {
    from: from.source,
    to: to.source,
    summary: [`For callers: ${callers}. For implementers: ${implementers}.`],
    lists: [],
    columns: ["for callers", "for implementers"],
    rows: visible.map((drift) => {
      const { subject, path, change, was, is, review } = drift;
      const sides = (["callers", "implementers"] as const).filter((side) => drift[side] === "breaking");
      return {
        subject,
        path,
        phrase: phraseFor(change, phrases),
        was,
        is,
        mark: ({ breaking: "!", safety: "?", compatible: "+", documentation: "." } as const)[drift[audience]],
        effect: sides.length === 0 ? "" : `breaks ${sides.join(" and ")}`,
        cells: [drift.callers, drift.implementers].map((each) =>
          each === "breaking" ? "**breaking**" : each,
        ),
        review,
      };
    }),
    remark: "",
  };
}

/** The number of drifts in each class: "2 breaking, 1 compatible". */
export function countsOf(drifts: readonly Drift[], audience: Audience): string {
  const counts = driftClasses.flatMap((driftClass) => {
    const count = drifts.filter((drift) => drift[audience] === driftClass).length;
    return count === 0 ? [] : [`${count} ${driftClass}`];
  });
  return counts.length === 0 ? "none" : counts.join(", ");
}

/** A phrase for the change. */
export function phraseOf({ change, was, is }: Drift, quote: Quote): string {
  return withValues({ phrase: phraseFor(change, phrases), was, is }, quote);
}

/** Phrases that do not follow from the name of the change. */
const phrases: Readonly<Partial<Record<Drift["change"], string>>> = {
  "revision-raised": "uses a later revision",
  "revision-lowered": "uses an earlier revision",
  "capability-added": "capability declared",
  "capability-removed": "capability no longer declared",
  "capability-changed": "settings of a capability",
  "instructions-changed": "text for models",
  "server-changed": "name, version or description",
  "uri-changed": "moved",
  "member-renamed": "name of the member in a new project",
  "mime-type-added": "MIME type added",
  "mime-type-removed": "MIME type removed",
  "mime-type-changed": "MIME type",
  "output-promised": "output schema added",
  "output-withdrawn": "output schema removed",
  "tasks-allowed": "may run as a task",
  "tasks-required": "must run as a task",
  "tasks-refused": "may no longer run as a task",
  "hint-weakened": "less safe",
  "hint-strengthened": "safer",
  "hint-restated": "same meaning in another notation",
  "words-changed": "text",
  ...schemaPhrases,
  "openness-changed": "any other members",
  "type-replaced": "another type",
  restated: "same meaning in another notation, as far as it can be compared",
};
