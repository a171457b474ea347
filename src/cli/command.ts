import type { Diagnostic } from "../generator/diagnostics.js";
import type { ToolConverter } from "../generator/stubs.js";
import type { LoadedConfig } from "./config/load.js";
import type { CommandFlags, FlagName } from "./flag-specs.js";
import type { Flags } from "./flag-values.js";
import type { Report } from "./report.js";
import type { Terminal } from "./terminal.js";

/** The groups of commands in the help, in order. */
export const commandGroups = {
  start: "Start",
  servers: "Servers",
  revisions: "Revisions of the protocol",
  projects: "Projects",
} as const;

/** A command: its help, its flags, and the module with its code. */
export interface CommandSpec {
  readonly name: string;
  readonly group: keyof typeof commandGroups;
  /** Positional arguments in the help. */
  readonly operands: readonly OperandSpec[];
  /** A few words, for the list of commands. */
  readonly describe: string;
  /** More sentences, for the help of the command. */
  readonly details?: string;
  readonly flags: CommandFlags;
  /**
   * True if `--<name> <value>` is an argument of a tool for every name that is
   * not one of the flags.
   */
  readonly takesArguments?: true;
  /** True for a command in a folder of src/commands. */
  readonly isAddOn?: true;
  /** Flags that the help of another command explains. */
  readonly elsewhere?: readonly {
    readonly flags: readonly FlagName[];
    readonly command: string;
  }[];
  /**
   * Flags that the command no longer has, and `operand` for another operand,
   * each with what does it instead.
   */
  readonly gone?: Readonly<Record<string, string>>;
  readonly examples: readonly [Example, ...Example[]];
  /**
   * Loaded on demand, so that quick commands such as `list` do not load a
   * compiler.
   */
  load(): Promise<{ readonly run: Command }>;
}

/** A command in a folder of src/commands, which the frame does not need. */
export interface AddOn extends CommandSpec {
  readonly isAddOn: true;
  /** What `mcpgen check` does for it. */
  readonly check?: ConfigurationCheck;
}

/**
 * Checks what a configuration asks of an add-on; null if it asks nothing. The
 * code of the add-on is loaded only for a configuration that does.
 */
type ConfigurationCheck = (config: LoadedConfig) => Promise<Findings | null>;

export interface Findings {
  readonly rows: readonly Diagnostic[];
  /** What is counted beside the rows. */
  readonly total?: {
    /** The member of the JSON report, with all rows of the run in it. */
    readonly json: Readonly<Record<string, object>>;
    /** One line about some rows. */
    readonly line: (rows: readonly Diagnostic[]) => string;
  };
}

/** What the commands of the frame use of the add-ons. */
export interface AddOns {
  readonly checks: readonly ConfigurationCheck[];
  /** Writes tools as a provider takes them; undefined for an unknown provider. */
  converterFor(provider: string): Promise<ToolConverter | undefined>;
}

type Example = readonly [line: string, meaning: string];

interface OperandSpec {
  readonly name: string;
  readonly isRequired?: true;
  /** True for the last one if it can be repeated. */
  readonly isList?: true;
  /** What shells offer for it besides files. */
  readonly kind?: OperandKind;
}

/** `tool`: a tool of the server in the operand before. */
export type OperandKind = "revision" | "server" | "tool" | "shell" | "code";

/**
 * Parses options from a command line and returns a report. Expected errors are
 * thrown as `CommandError`. Only commands that ask questions or process a
 * stream use the terminal directly.
 */
export type Command<Own extends string = never> = (
  operands: readonly string[],
  flags: Flags<Own>,
  context: Context,
  terminal: Terminal,
) => Promise<Report>;

/** A positional argument in the help. */
export function showOperand({ name, isRequired, isList }: OperandSpec): string {
  const shown = isList === true ? `${name}…` : name;
  return isRequired ? `<${shown}>` : `[${shown}]`;
}

/** The address of the page of a command. */
export function pageOf({
  name,
  isAddOn,
}: Pick<CommandSpec, "name" | "isAddOn">): string {
  const folder = isAddOn === undefined ? "src/cli/commands" : "src/commands";
  return `https://github.com/mcpgen/mcpgen/tree/main/${folder}/${name}`;
}

/** What a command may use besides the disk. */
export interface Context {
  /**
   * The directory that relative paths start from: the working directory, or
   * that of a configuration.
   */
  readonly directory: string;
  readonly addOns: AddOns;
  /** Aborted by an interrupt. */
  readonly signal: AbortSignal;
  /** Prints the report of one job of several, as soon as the job ends. */
  report(part: Report): void;
  /** Prints a line of progress; nothing with `--quiet`. */
  progress(text: string): void;
  /**
   * Shows what the run is doing, until null. Everything that may take more than
   * a second calls it. On a terminal one line is replaced; elsewhere only a
   * long run prints lines. Nothing with `--quiet`.
   */
  status(text: string | null): void;
  /** Prints text that a started server writes to its standard error. */
  relay(text: string): void;
}

/**
 * The context of one job of several: its name and number are in front of each
 * status.
 */
export function contextOfJob(
  context: Context,
  title: string,
  index: number,
  count: number,
): Context {
  const name = count === 1 ? title : `${title} (${index + 1} of ${count})`;
  const status = (text: string | null): void =>
    context.status(text === null ? null : `${name}: ${text}`);
  context.status(name);
  return { ...context, status };
}
