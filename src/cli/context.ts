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
  /** Replaces the line of progress that was printed last, until null ends it; nothing with `--quiet`. */
  status(text: string | null): void;
  /** Prints text that a started server writes to its standard error. */
  relay(text: string): void;
}
