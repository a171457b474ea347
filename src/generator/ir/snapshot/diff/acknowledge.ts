import type { Difference } from "../../change/model.js";
import { show } from "./json.js";

/**
 * A difference that the user has accepted. Another change at the same path is
 * another difference.
 */
export interface AcknowledgedRow extends Pick<
  Difference,
  "path" | "before" | "after"
> {
  readonly change: string;
  readonly subject: { readonly kind: string; readonly name: string };
  /** The reason, for readers of the file. */
  readonly reason?: string;
}

export interface Acknowledgement {
  /** Differences without a row. */
  readonly open: readonly Difference[];
  readonly accepted: readonly Difference[];
  /**
   * Rows without a difference: the change was reverted, or it changed again.
   */
  readonly unmatched: readonly AcknowledgedRow[];
}

export function acknowledge(
  differences: readonly Difference[],
  rows: readonly AcknowledgedRow[],
): Acknowledgement {
  const rowKeys = new Set(rows.map(keyOf));
  const keys = new Set(differences.map(keyOf));
  return {
    open: differences.filter((difference) => !rowKeys.has(keyOf(difference))),
    accepted: differences.filter((difference) =>
      rowKeys.has(keyOf(difference)),
    ),
    unmatched: rows.filter((row) => !keys.has(keyOf(row))),
  };
}

/** The row that accepts a difference. */
export function rowOf({
  effects: _effects,
  ...row
}: Difference): AcknowledgedRow {
  return row;
}

function keyOf({
  change,
  subject,
  path,
  before,
  after,
}: AcknowledgedRow): string {
  return show([change, subject.kind, subject.name, path, before, after]) ?? "";
}
