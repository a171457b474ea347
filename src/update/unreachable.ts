import { SchemaError } from "../diagnostics.js";

/** Thrown if a source cannot be reached, denies access, or sends something that cannot be used. */
export class UnreachableError extends SchemaError {}

/** The error of one diagnostic about a remote source. */
export function unreachable(message: string, hint: string | null = null): UnreachableError {
  return new UnreachableError([
    { code: "MG750", severity: "error", message, hint, location: null, within: [] },
  ]);
}

/** The error for a host to which no connection is made. */
export function notConnected(host: string, reason: string): UnreachableError {
  return unreachable(
    `${host} cannot be reached: ${reason}`,
    "check the connection, or use a copy in a folder: --from <folder>",
  );
}
