import {
  makeDiagnostic,
  SchemaError,
  type Code,
  type Diagnostic,
  type Diagnostics,
} from "../generator/diagnostics.js";

/**
 * An expected error that ends a command. It is printed as diagnostics, without
 * a stack.
 */
export class CommandError extends SchemaError {
  readonly exitCode: ExitCode;

  constructor(
    diagnostics: readonly Diagnostic[],
    exitCode: ExitCode = exitCodes.usage,
  ) {
    super(diagnostics);
    this.exitCode = exitCode;
  }
}

/**
 * The exit codes of the program. `checkFailed`: the run found a difference, a
 * stale file or an invalid message.
 */
export const exitCodes = {
  done: 0,
  checkFailed: 1,
  usage: 2,
  unreachable: 3,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The error of one diagnostic about the command line or the configuration. */
export function usageError(
  code: Code,
  message: string,
  hint: string | null = null,
): CommandError {
  return new CommandError([makeDiagnostic("error", code, message, hint)]);
}

/**
 * Thrown after the user interrupted the run and unfinished changes were undone.
 */
export class Interruption extends Error {
  override readonly name = "Interruption";

  constructor(message = "interrupted; nothing was written") {
    super(message);
  }
}

/**
 * Does work whose error ends a command. The error also has the diagnostics that
 * the run found before.
 */
export async function withEarlier<T>(
  { list }: Diagnostics,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SchemaError
      ? new CommandError([...list, ...error.diagnostics])
      : error;
  }
}
