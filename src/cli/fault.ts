import { SchemaError, type Diagnostic } from "../diagnostics.js";

/** An expected fault that ends a command: printed as a diagnostic, never with a stack. */
export class Fault extends SchemaError {
  readonly exitCode: ExitCode;

  constructor(diagnostics: readonly Diagnostic[], exitCode: ExitCode = exitCodes.usage) {
    super(diagnostics);
    this.exitCode = exitCode;
  }
}

/** How a run ended; the numbers are part of the contract. */
export const exitCodes = { done: 0, found: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A mistake on the command line, told in one sentence. */
export function usageFault(code: string, message: string, hint: string | null = null): Fault {
  return new Fault([{ code, severity: "error", message, hint, location: null, within: [] }]);
}

/** Thrown once the user has interrupted the run and nothing is left half done; the message says so. */
export class Interruption extends Error {
  override readonly name = "Interruption";
}
