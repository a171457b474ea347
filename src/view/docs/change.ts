import type { Code } from "../typescript/code.js";
import type { BadgeView, HeadView } from "./entry.js";

/** The changes of one entry between two revisions or two snapshots: in words and side by side. */
export interface ChangeView extends HeadView {
  readonly changes: readonly ChangeLine[];
  /** Null if there is nothing to compare side by side. */
  readonly sides: SidesView | null;
}

export interface ChangeLine {
  readonly badge: BadgeView;
  /** The path inside the entry; null for the entry itself. */
  readonly place: Code | null;
  readonly phrase: Code;
  /** Who is affected, and how; null if no one is. */
  readonly who: Code | null;
}

export interface SidesView {
  readonly caption: Code;
  readonly from: Code;
  readonly to: Code;
  readonly rows: readonly SideRow[];
}

/** One line of each side; null if the side has no such line. */
export interface SideRow {
  /** A class of the style: `same` or `apart`. */
  readonly kind: Code;
  readonly was: Code | null;
  readonly is: Code | null;
}
