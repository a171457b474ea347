import type { MigrateReport } from "../../report.js";
import type { Style } from "../../terminal.js";
import { visible } from "../../terminal.js";
import { unifiedDiff } from "../generate/check.js";

/** A line for each file; with `--dry-run`, the differences before them. */
export function migrateText({ files, mode }: MigrateReport, style: Style): string {
  const changed = files.filter(({ state }) => mode === "dry-run" && state !== "unchanged");
  const diffs = changed.map(({ path, before, text }) =>
    unifiedDiff([path, `${path} (converted)`], [visible(before), visible(text)], style),
  );
  const lines = files.map(({ path, state, rows, places }) => {
    if (state === "unchanged") return `${path}: ${state}\n`;
    const word = state === "outdated" ? "would change" : state;
    return `${path}: ${word}, ${counted(rows, "row")} converted, ${counted(places, "place")} left\n`;
  });
  return [...diffs, ...lines.map(visible)].join("");
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
