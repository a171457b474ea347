import { counted } from "../../generator/ir/report/text.js";
import type { Style } from "../../cli/terminal.js";
import { unifiedDiff } from "../../cli/commands/generate/check.js";

/** A file of a server that was converted. */
export interface Migrated {
  /** As the user wrote it. */
  readonly path: string;
  /** "outdated" if nothing is written. */
  readonly state: "written" | "unchanged" | "outdated";
  /** The number of rows and handlers that were converted. */
  readonly rows: number;
  /** The number of places that are left. */
  readonly places: number;
  readonly before: string;
  readonly text: string;
}

/** A line for each file, after the differences if they are shown. */
export function migrateText(
  files: readonly Migrated[],
  style: Style,
  isShown: boolean,
): string {
  const changed = (isShown ? files : []).filter(
    ({ state }) => state === "outdated",
  );
  const diffs = changed.map(({ path, before, text }) =>
    unifiedDiff([path, `${path} (converted)`], [before, text], style),
  );
  const lines = files.map(({ path, state, rows, places }) => {
    if (state === "unchanged") return `${path}: ${state}\n`;
    const word = state === "outdated" ? "would change" : state;
    return `${path}: ${word}, ${counted(rows, "row")} converted, ${counted(places, "place")} left\n`;
  });
  return [...diffs, ...lines].join("");
}
