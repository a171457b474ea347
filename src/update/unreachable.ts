import { SchemaError } from "../diagnostics.js";

/** Thrown if a source cannot be reached, denies access, or sends something that cannot be used. */
export class UnreachableError extends SchemaError {}

/** The error of one diagnostic about a remote source. */
export function unreachable(message: string, hint: string | null = null): UnreachableError {
  return new UnreachableError([
    { code: "MG750", severity: "error", message, hint, location: null, within: [] },
  ]);
}
