import { toolVersion } from "../../../generator/inputs/package.js";
import { counted } from "../../../generator/ir/report/text.js";
import { exitCodes } from "../../command-error.js";
import type { WriteOptions } from "../../options.js";
import { type Report, reportOf } from "../../report.js";
import { formatBytes, type Style } from "../../terminal.js";

/** One directory of generated files: written, compared or planned. */
export interface Files {
  /** The path as the user wrote it. */
  readonly out: string;
  readonly mode: WriteOptions["mode"];
  readonly revisions: readonly string[];
  readonly files: readonly FileState[];
}

export interface FileState {
  /** Relative to `out`, with forward slashes. */
  readonly path: string;
  /**
   * What was done: "written", "unchanged", "removed", "leftover" (of an earlier
   * run, still present). With `--check` and `--dry-run`, how the disk differs
   * from the generated files: "new", "outdated", "reformatted", "edited",
   * "foreign".
   */
  readonly state: string;
  readonly bytes: number;
}

/**
 * The report about one directory: its text is the changed files, and a summary.
 */
export function filesReport(
  { out, mode, revisions, files }: Files,
  {
    exitCode = exitCodes.done,
    diagnostics = [],
    ...printed
  }: Partial<Report> = {},
): Report {
  const data = {
    generator: toolVersion(),
    out,
    revisions,
    mode,
    files,
  };
  const text = (style: Style): string =>
    filesText({ out, files, revisions }, style);
  return reportOf(exitCode, data, { diagnostics, text, ...printed });
}

/** The changed files, one per line, and a summary. */
function filesText(
  { out, files, revisions }: Omit<Files, "mode">,
  style: Style,
): string {
  const changed = files.filter(({ state }) => state !== "unchanged");
  const width = changed.reduce(
    (widest, { path }) => Math.max(widest, path.length),
    0,
  );
  const lines = changed.map(({ path, state, bytes }) => {
    const size =
      state === "removed" || state === "leftover"
        ? ""
        : formatBytes(bytes).padStart(9);
    return `  ${paintState(state, style)}  ${path.padEnd(size === "" ? 0 : width)}${style.dim(size)}\n`;
  });
  const from = `from ${revisions.join(", ")}`;
  if (changed.length === 0)
    return `${style.bold(out)} is up to date: ${counted(files.length, "file")} ${from}\n`;
  return `${lines.join("")}${style.bold(out)}: ${countsOf(files)} ${style.dim(from)}\n`;
}

/** How many rows are in each state: `2 written, 3 unchanged`. */
export function countsOf(rows: readonly { readonly state: string }[]): string {
  const counts = new Map<string, number>();
  for (const { state } of rows) {
    const count = counts.get(state) ?? 0;
    counts.set(state, count + 1);
  }
  return [...counts].map(([state, count]) => `${count} ${state}`).join(", ");
}

function paintState(state: string, style: Style): string {
  const text = state.padEnd(9);
  if (state === "written" || state === "new") return style.green(text);
  if (state === "edited" || state === "foreign") return style.red(text);
  return style.yellow(text);
}
