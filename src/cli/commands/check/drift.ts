import type { ServerJob } from "../../../config.js";
import { Diagnostics } from "../../../generator/diagnostics.js";
import type {
  Audience,
  Comparison,
  Difference,
} from "../../../generator/ir/change/model.js";
import { impactOf, needsReview } from "../../../generator/ir/report/render.js";
import {
  acknowledge,
  compareSnapshots,
  type AcknowledgedRow,
} from "../../../generator/ir/snapshot/diff/index.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import type { Context } from "../../command.js";
import {
  loadSnapshot,
  parseSnapshot,
  type SnapshotText,
} from "../../../generator/inputs/snapshots.js";
import type { CheckOptions, Threshold } from "../../options.js";
import { selectionOf } from "../stubs/command.js";
import { pullSource } from "../../live/snapshot.js";

/** The differences between a server and its snapshot. */
export interface LiveDrift {
  /** Differences that are not accepted. */
  readonly comparison: Comparison;
  readonly accepted: readonly Difference[];
  /** Accepted differences that no longer exist. */
  readonly idle: readonly AcknowledgedRow[];
  /**
   * The side whose breaking changes count: callers, unless only a server is
   * generated.
   */
  readonly audience: Audience;
}

/**
 * Connects to the server of a job and compares it with the snapshot. Null if
 * the job has no source.
 */
export async function liveDrift(
  job: ServerJob,
  rows: readonly AcknowledgedRow[],
  { capabilities }: CheckOptions,
  context: Context,
): Promise<LiveDrift | null> {
  if (job.source === undefined) return null;
  const diagnostics = new Diagnostics();
  const source = { ...job.source, ...(capabilities && { capabilities }) };
  const committed = await loadSnapshot(
    job.snapshot,
    context.directory,
    diagnostics,
  );
  // Problems of the snapshot itself are reported with the output that is
  // generated from it.
  const before = await selectionIn(job, committed, new Diagnostics());
  const text = await pullSource(source, context, diagnostics);
  const after = await selectionIn(
    job,
    { text, file: "the server's response", name: "live" },
    new Diagnostics(),
  );
  const comparison = compareSnapshots(before, after);
  const {
    open,
    accepted,
    unmatched: idle,
  } = acknowledge(comparison.differences, rows);
  return {
    comparison: { ...comparison, differences: open },
    accepted,
    idle,
    audience: audienceOf(job),
  };
}

async function selectionIn(
  { include = {}, exclude = {} }: ServerJob,
  text: SnapshotText,
  diagnostics: Diagnostics,
): Promise<Snapshot> {
  return selectionOf(
    await parseSnapshot(text, diagnostics),
    include,
    exclude,
    diagnostics,
  );
}

function audienceOf({ emit }: ServerJob): Audience {
  return (emit ?? ["client"]).includes("client") ? "callers" : "implementers";
}

/** True if the differences fail a check. */
export function fails(
  { comparison: { differences }, audience }: LiveDrift,
  threshold: Threshold,
): boolean {
  if (threshold === "any") return differences.length > 0;
  const isReviewed = threshold === "review" && differences.some(needsReview);
  return isReviewed || impactOf(differences, audience) === "breaking";
}
