import { show } from "./json.js";
import type { Drift } from "./model.js";

/** A drift that the user has accepted. Another change at the same path is another drift. */
export interface AcknowledgedRow {
  readonly change: string;
  readonly subject: { readonly kind: string; readonly name: string };
  readonly path: string;
  readonly was: string | null;
  readonly is: string | null;
  /** The reason, for readers of the file. */
  readonly reason?: string;
}

export interface Acknowledgement {
  /** Drifts without a row. */
  readonly open: readonly Drift[];
  readonly accepted: readonly Drift[];
  /** Rows without a drift: the change was reverted, or it changed again. */
  readonly unmatched: readonly AcknowledgedRow[];
}

export function acknowledge(drifts: readonly Drift[], rows: readonly AcknowledgedRow[]): Acknowledgement {
  const rowKeys = new Set(rows.map(keyOf));
  const driftKeys = new Set(drifts.map(keyOf));
  return {
    open: drifts.filter((drift) => !rowKeys.has(keyOf(drift))),
    accepted: drifts.filter((drift) => rowKeys.has(keyOf(drift))),
    unmatched: rows.filter((row) => !driftKeys.has(keyOf(row))),
  };
}

/** The row that accepts a drift. */
export function rowOf({ change, subject, path, was: before, is: after }: Drift): AcknowledgedRow {
  return { change, subject, path, was: before, is: after };
}

function keyOf({ change, subject, path, was: before, is: after }: AcknowledgedRow): string {
  return show([change, subject.kind, subject.name, path, before, after]) ?? "";
}
