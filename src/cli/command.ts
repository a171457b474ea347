import type { Context } from "./context.js";
import type { FlagName, Flags } from "./flag-specs.js";
import type { Report } from "./report.js";
import type { Terminal } from "./terminal.js";

/** A command: its help, its flags, and the module with its code. */
export interface CommandSpec {
  readonly name: string;
  /** Positional arguments in the help. */
  readonly operands: readonly OperandSpec[];
  /** A few words, for the list of commands. */
  readonly describe: string;
  /** More sentences, for the help of the command. */
  readonly details?: string;
  readonly flags: readonly FlagName[];
  /** Help texts of flags with another meaning for this command. */
  readonly meanings?: Partial<Record<FlagName, string>>;
  /** Flags that the help of another command explains. */
  readonly elsewhere?: readonly { readonly flags: readonly FlagName[]; readonly command: string }[];
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Loaded on demand, so that quick commands such as `list` do not load a compiler. */
  load(): Promise<{ readonly run: Command }>;
}

export interface OperandSpec {
  readonly name: string;
  readonly required: boolean;
  /** What shells offer for it besides files. */
  readonly kind?: OperandKind;
}

/** `tool`: a tool of the server in the operand before. */
export type OperandKind = "revision" | "server" | "tool" | "shell";

/**
 * Parses options from a command line and returns a report. Expected errors are thrown as `CommandError`. Only commands that
 * ask questions or process a stream use the terminal directly.
 */
export type Command = (
  operands: readonly string[],
  flags: Flags,
  context: Context,
  terminal: Terminal,
) => Promise<Report>;

/** A positional argument in the help. */
export function showOperand({ name, required }: OperandSpec): string {
  return required ? `<${name}>` : `[${name}]`;
}
