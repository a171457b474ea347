import type { MigrateReport } from "../../report.js";
import type { Style } from "../../terminal.js";
import { visible } from "../../terminal.js";
import { unifiedDiff } from "../generate/check.js";

/** A line for each file; with `--dry-run`, the differences before them. */
export function migrateText({ files, mode }: MigrateReport, style: Style): string {
  const changed = files.filter(({ state }) => state !== "unchanged");
  const diffs =
    mode === "write"
      ? []
      : changed.map(({ path, before, text }) =>
          unifiedDiff([path, `${path} (converted)`], [visible(before), visible(text)], style),
        );
  const lines = files.map(({ path, state, rows, places }) => {
    const word = state === "outdated" ? "would change" : state;
    return state === "unchanged"
      ? `${path}: ${word}`
      : `${path}: ${word}, ${counted(rows, "row")} converted, ${counted(places, "place")} left`;
  });
  return [...diffs, ...lines.map((line) => visible(`${line}\n`))].join("");
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
