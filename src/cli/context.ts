import type { Report } from "./report.js";

/** What a command may use besides the disk. */
export interface Context {
  /** The directory that relative paths start from: the working directory, or that of a configuration. */
  readonly directory: string;
  /** Aborted by an interrupt. */
  readonly signal: AbortSignal;
  /** Prints the report of one job of several, as soon as the job ends. */
  report(part: Report): Promise<void>;
  /** Prints a line of progress; nothing with `--quiet`. */
  progress(text: string): void;
  /**
   * Shows what the run is doing, until null. Everything that may take more than a second calls it. On a terminal one line is
   * replaced; elsewhere only a long run prints lines. Nothing with `--quiet`.
   */
  status(text: string | null): void;
  /** Prints text that a started server writes to its standard error. */
  relay(text: string): void;
}

/** The context of one job of several: its name and number are in front of each status. */
export function contextOfJob(context: Context, title: string, index: number, count: number): Context {
  const name = count === 1 ? title : `${title} (${index + 1} of ${count})`;
  const status = (text: string | null): void => context.status(text === null ? null : `${name}: ${text}`);
  context.status(name);
  return { ...context, status };
}
