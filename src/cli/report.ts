import type { Diagnostic } from "../generator/diagnostics.js";
import { type ExitCode, exitCodes } from "./command-error.js";
import type { Style } from "./terminal.js";

/** What a command returns: how the run ended, and what is printed. */
export interface Report {
  readonly exitCode: ExitCode;
  /** With `--quiet`, only the errors are printed. */
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics of an error that ended a job, which are always printed. */
  readonly errors?: readonly Diagnostic[];
  /** What `--json` prints on the standard output. */
  readonly json?: unknown;
  /**
   * What `--json` prints, as text for the standard output; after an error, for
   * the standard error.
   */
  data?(style: Style): string;
  /**
   * The text for the standard output with `--markdown`; control characters are
   * made visible.
   */
  markdown?(): string;
  /** True if that text has the diagnostics, which are not printed again then. */
  readonly isInMarkdown?: true;
  /**
   * The differences of files, for the standard error, before the diagnostics.
   */
  differences?(style: Style): string;
  /** What was done, for the standard error, after the diagnostics. */
  text?(style: Style): string;
  /**
   * What the user can do next, as whole lines after that; control characters
   * are made visible.
   */
  readonly advice?: string;
}

/**
 * A report whose JSON says whether the run was successful, and has the
 * diagnostics, if they are given.
 */
export function reportOf(
  exitCode: ExitCode,
  data: object,
  { diagnostics, errors = [], ...printed }: Partial<Report> = {},
): Report {
  const list = diagnostics && { diagnostics: [...diagnostics, ...errors] };
  const json = { ok: exitCode === exitCodes.done, ...data, ...list };
  return {
    exitCode,
    diagnostics: diagnostics ?? [],
    errors,
    json,
    ...printed,
  };
}

/** A report without its rows of files, and without what is said elsewhere. */
export const briefly = (part: Report, said: readonly string[]): Report => ({
  ...part,
  diagnostics: part.diagnostics.filter(({ code }) => !said.includes(code)),
  text: (style) => (part.text?.(style) ?? "").replace(/^ .*\n/gm, ""),
});

/**
 * The exit code of several jobs: an error comes before an unreachable server,
 * and that before a difference.
 */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  const order: readonly ExitCode[] = [130, 2, 3, 1];
  return order.find((code) => codes.includes(code)) ?? 0;
}

/** The exit code for what was found: notes help, and fail no run. */
export const exitCodeOf = (rows: readonly Diagnostic[]): ExitCode =>
  rows.some(({ severity }) => severity !== "note")
    ? exitCodes.checkFailed
    : exitCodes.done;
