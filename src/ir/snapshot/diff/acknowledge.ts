import { show } from "./json.js";
import type { Drift } from "./model.js";

/** A drift that somebody has accepted, by exactly what changed: a further change of the same place is another one. */
export interface AcknowledgedRow {
  readonly change: string;
  readonly subject: { readonly kind: string; readonly name: string };
  readonly path: string;
  readonly was: string | null;
  readonly is: string | null;
  /** Why it was accepted; for whoever reads the file. */
  readonly reason?: string;
}

export interface Acknowledged {
  /** Drifts that no row speaks of. */
  readonly open: readonly Drift[];
  readonly accepted: readonly Drift[];
  /** Rows that speak of no drift: what they accepted has gone, or has changed again. */
  readonly idle: readonly AcknowledgedRow[];
}

export function acknowledge(drifts: readonly Drift[], rows: readonly AcknowledgedRow[]): Acknowledged {
  const known = new Set(rows.map(keyOf));
  const found = new Set(drifts.map(keyOf));
  return {
    open: drifts.filter((drift) => !known.has(keyOf(drift))),
    accepted: drifts.filter((drift) => known.has(keyOf(drift))),
    idle: rows.filter((row) => !found.has(keyOf(row))),
  };
}

/** The row that accepts a drift. */
export function rowOf({ change, subject, path, was, is }: Drift): AcknowledgedRow {
  return { change, subject, path, was, is };
}

function keyOf({ change, subject, path, was, is }: AcknowledgedRow): string {
  return show([change, subject.kind, subject.name, path, was, is]) ?? "";
}
