import type { ChangeReport } from "../../report/changes.js";
import { driftChanges, driftClasses, type Audience, type Drift, type SnapshotComparison } from "./model.js";

/** The differences between two snapshots of a server, for people; at most `maxRows` of them one by one. */
export function serverReport(
  { from, to, drifts }: SnapshotComparison,
  audience: Audience,
  maxRows: number,
): ChangeReport {
  const [callers, implementers] = [countsOf(drifts, "callers"), countsOf(drifts, "implementers")];
  const more = drifts.length - maxRows;
  return {
    from: from.source,
    to: to.source,
    summary: [`For callers: ${callers}. For implementers: ${implementers}.`],
    rows: drifts.slice(0, maxRows).map((drift) => {
      const sides = (["callers", "implementers"] as const).filter((side) => drift[side] === "breaking");
      const effects = sides.length === 0 ? [] : [`breaks ${sides.join(" and ")}`];
      return {
        ...drift,
        phrase: driftChanges[drift.change].phrase,
        impact: drift[audience],
        effect: [...effects, ...(drift.review ? ["to be reviewed"] : [])].join(", "),
      };
    }),
    remark: more > 0 ? `${more} more are only listed by \`--json\`.` : "",
  };
}

/** The number of drifts in each class: "2 breaking, 1 compatible". */
function countsOf(drifts: readonly Drift[], audience: Audience): string {
  const counts = driftClasses.flatMap((driftClass) => {
    const count = drifts.filter((drift) => drift[audience] === driftClass).length;
    return count === 0 ? [] : [`${count} ${driftClass}`];
  });
  return counts.length === 0 ? "none" : counts.join(", ");
}
