/** A place in a source text; lines and columns count from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What was found, what was expected, and what to do about it. Codes are stable and listed in the README. */
export interface Diagnostic {
  /** "MG104": stable across versions. */
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
  /** One imperative sentence, or null when there is nothing to advise. */
  readonly hint: string | null;
  readonly location: Location | null;
  /** The chain of places that leads there, outermost first: "interface Tool", "member icons". */
  readonly within: readonly string[];
}

/** Gathers the faults of a whole run, so that none hides another. */
export class Diagnostics {
  readonly list: Diagnostic[] = [];

  add(diagnostic: Diagnostic): void {
    this.list.push(diagnostic);
  }

  get hasErrors(): boolean {
    return this.list.some((entry) => entry.severity === "error");
  }

  /** The same collector, reporting from inside a place. */
  in(place: string): Scope {
    return new Scope(this, [place]);
  }

  /** A collector at the outermost place. */
  get root(): Scope {
    return new Scope(this, []);
  }
}

/** A collector that remembers the chain of places it stands in. */
export class Scope {
  readonly #diagnostics: Diagnostics;
  readonly #within: readonly string[];

  constructor(diagnostics: Diagnostics, within: readonly string[]) {
    this.#diagnostics = diagnostics;
    this.#within = within;
  }

  in(place: string): Scope {
    return new Scope(this.#diagnostics, [...this.#within, place]);
  }

  error(code: string, location: Location | null, message: string, hint: string | null = null): void {
    this.#report("error", code, location, message, hint);
  }

  warn(code: string, location: Location | null, message: string, hint: string | null = null): void {
    this.#report("warning", code, location, message, hint);
  }

  note(code: string, location: Location | null, message: string, hint: string | null = null): void {
    this.#report("note", code, location, message, hint);
  }

  #report(
    severity: Diagnostic["severity"],
    code: string,
    location: Location | null,
    message: string,
    hint: string | null,
  ): void {
    this.#diagnostics.add({ severity, code, location, message, hint, within: this.#within });
  }
}

/** Thrown by the programmatic API when a run cannot go on; carries every diagnostic of the run. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join("\n"));
    this.diagnostics = diagnostics;
  }
}

/** The error of one diagnostic that has no place in a file. */
export function schemaError(code: string, message: string, hint: string | null = null): SchemaError {
  return new SchemaError([{ code, severity: "error", message, hint, location: null, within: [] }]);
}

/** A diagnostic as a compiler would print it, without colours. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { location, severity, code, message, within, hint } = diagnostic;
  const place = location === null ? "" : `${location.file}:${location.line}:${location.column} `;
  const word = severity === "error" ? "" : `${severity}: `;
  let text = `${place}${code} ${word}${message}`;
  if (within.length > 0) text += `\n    in ${[...within].reverse().join(", in ")}`;
  if (hint !== null) text += `\n    hint: ${hint}`;
  return text;
}
