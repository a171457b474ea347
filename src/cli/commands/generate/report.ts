import type { Diagnostic } from "../../../diagnostics.js";
import type { Flags } from "../../flags.js";
import { toolVersion } from "../../../sources/package.js";
import { formatBytes, printJson, tellDiagnostics, type Terminal } from "../../terminal.js";

/** What `mcpgen generate --json` prints. */
export interface RunReport {
  /** Did the run do what was asked, and find nothing stale? */
  readonly ok: boolean;
  /** The version of mcpgen. */
  readonly generator: string;
  /** As it was given. */
  readonly out: string;
  readonly revisions: readonly string[];
  readonly mode: "write" | "check" | "dry-run";
  readonly files: readonly FileReport[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface FileReport {
  /** Relative to `out`, with forward slashes. */
  readonly path: string;
  /**
   * What was done: "written", "unchanged", "removed", "leftover" (of an earlier run, and still there). With `--check` and
   * `--dry-run`, how the disk differs from what would be written: "new", "outdated", "reformatted", "edited", "foreign".
   */
  readonly state: string;
  readonly bytes: number;
}

export type RunResult = Pick<RunReport, "ok" | "revisions" | "files" | "diagnostics">;

/** What a report tells of the run itself. */
export interface Told {
  /** As the user wrote it. */
  readonly out: string;
  readonly mode: RunReport["mode"];
}

/** Tells how a run went: one object with `--json`, else diagnostics, what changed, and a last line that sums it up. */
export async function reportRun(
  job: Told,
  flags: Flags,
  terminal: Terminal,
  result: RunResult,
): Promise<void> {
  const quiet = flags.on("quiet");
  tellDiagnostics(terminal, result.diagnostics, quiet);
  if (!quiet) terminal.tell(summary(job, terminal, result));
  if (!flags.on("json")) return;
  const { ok, revisions, files, diagnostics } = result;
  const report: RunReport = {
    ok,
    generator: toolVersion(),
    out: job.out,
    revisions,
    mode: job.mode,
    files: files.map(({ path, state, bytes }) => ({ path, state, bytes })),
    diagnostics,
  };
  await printJson(terminal, report);
}

function summary(job: Told, { style }: Terminal, { files, revisions }: RunResult): string {
  const moved = files.filter(({ state }) => state !== "unchanged");
  const width = moved.reduce((widest, { path }) => Math.max(widest, path.length), 0);
  const lines = moved.map(({ path, state, bytes }) => {
    const size = state === "removed" || state === "leftover" ? "" : formatBytes(bytes).padStart(9);
    return `  ${paintState(state, style)}  ${path.padEnd(size === "" ? 0 : width)}${style.dim(size)}\n`;
  });
  const from = `from ${revisions.join(", ")}`;
  if (moved.length === 0) return `${style.bold(job.out)} is up to date: ${plural(files.length)} ${from}\n`;
  const counts = new Map<string, number>();
  for (const { state } of files) counts.set(state, (counts.get(state) ?? 0) + 1);
  const told = [...counts].map(([state, count]) => `${count} ${state}`).join(", ");
  return `${lines.join("")}${style.bold(job.out)}: ${told} ${style.dim(from)}\n`;
}

function paintState(state: string, style: Terminal["style"]): string {
  const text = state.padEnd(9);
  if (state === "written" || state === "new") return style.green(text);
  if (state === "edited" || state === "foreign") return style.red(text);
  return style.yellow(text);
}

function plural(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
