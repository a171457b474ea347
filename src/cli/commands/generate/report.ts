import type { FilesReport } from "../../report.js";
import { formatBytes, type Style } from "../../terminal.js";

/** The changed files, one per line, and a summary. */
export function filesText({ out, files, revisions }: FilesReport, style: Style): string {
  const changed = files.filter(({ state }) => state !== "unchanged");
  const width = changed.reduce((widest, { path }) => Math.max(widest, path.length), 0);
  const lines = changed.map(({ path, state, bytes }) => {
    const size = state === "removed" || state === "leftover" ? "" : formatBytes(bytes).padStart(9);
    return `  ${paintState(state, style)}  ${path.padEnd(size === "" ? 0 : width)}${style.dim(size)}\n`;
  });
  const from = `from ${revisions.join(", ")}`;
  if (changed.length === 0) return `${style.bold(out)} is up to date: ${plural(files.length)} ${from}\n`;
  const counts = new Map<string, number>();
  for (const { state } of files) counts.set(state, (counts.get(state) ?? 0) + 1);
  const sum = [...counts].map(([state, count]) => `${count} ${state}`).join(", ");
  return `${lines.join("")}${style.bold(out)}: ${sum} ${style.dim(from)}\n`;
}

function paintState(state: string, style: Style): string {
  const text = state.padEnd(9);
  if (state === "written" || state === "new") return style.green(text);
  if (state === "edited" || state === "foreign") return style.red(text);
  return style.yellow(text);
}

function plural(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
