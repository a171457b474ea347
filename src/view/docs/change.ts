import type { Code } from "../typescript/code.js";
import type { BadgeView, HeadView } from "./entry.js";

/** What changed about one thing between two revisions or two snapshots: in words, and side by side. */
export interface ChangeView extends HeadView {
  readonly changes: readonly ChangeLine[];
  /** Null where there is nothing to set side by side. */
  readonly sides: SidesView | null;
}

export interface ChangeLine {
  readonly badge: BadgeView;
  /** Where in the thing; null for the thing itself. */
  readonly place: Code | null;
  readonly phrase: Code;
  /** Whom it concerns, and how; null when nobody. */
  readonly who: Code | null;
}

export interface SidesView {
  readonly caption: Code;
  readonly from: Code;
  readonly to: Code;
  readonly rows: readonly SideRow[];
}

/** One line of each side; null where a side has none. */
export interface SideRow {
  /** A class of the style: `same` or `apart`. */
  readonly kind: Code;
  readonly was: Code | null;
  readonly is: Code | null;
}
