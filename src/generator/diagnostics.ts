/** A position in a source text; lines and columns count from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The code of a diagnostic, which `mcpgen explain` explains. */
export type Code = `MG${number}`;

/**
 * What was found, what was expected, and how to fix it. Codes are stable and
 * listed in `cli/commands/explain/README.md`.
 */
export interface Diagnostic {
  /** "MG104": stable across versions. */
  readonly code: Code;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
  /** One imperative sentence; null without advice. */
  readonly hint: string | null;
  readonly location: Location | null;
  /**
   * The elements that contain the location, outermost first: "interface Tool",
   * "member icons".
   */
  readonly within: readonly string[];
}

/** Collects all diagnostics of a run. */
export class Diagnostics {
  readonly list: Diagnostic[] = [];

  add(diagnostic: Diagnostic): void {
    this.list.push(diagnostic);
  }

  get hasErrors(): boolean {
    return this.list.some((entry) => entry.severity === "error");
  }

  /**
   * Returns a function that is true once an error is reported after this call.
   */
  watch(): () => boolean {
    const before = this.list.length;
    return () =>
      this.list.slice(before).some(({ severity }) => severity === "error");
  }

  /** Reports to the same collector from inside an element. */
  in(element: string): Scope {
    return new Scope(this, [element]);
  }

  /** Reports outside of any element. */
  get root(): Scope {
    return new Scope(this, []);
  }
}

/** Reports diagnostics with the elements that contain their location. */
export class Scope {
  readonly #diagnostics: Diagnostics;
  readonly #within: readonly string[];

  constructor(diagnostics: Diagnostics, within: readonly string[]) {
    this.#diagnostics = diagnostics;
    this.#within = within;
  }

  in(element: string): Scope {
    return new Scope(this.#diagnostics, [...this.#within, element]);
  }

  error(
    code: Code,
    location: Location | null,
    message: string,
    hint: string | null = null,
  ): void {
    this.#report("error", code, location, message, hint);
  }

  warn(
    code: Code,
    location: Location | null,
    message: string,
    hint: string | null = null,
  ): void {
    this.#report("warning", code, location, message, hint);
  }

  note(
    code: Code,
    location: Location | null,
    message: string,
    hint: string | null = null,
  ): void {
    this.#report("note", code, location, message, hint);
  }

  #report(
    severity: Diagnostic["severity"],
    code: Code,
    location: Location | null,
    message: string,
    hint: string | null,
  ): void {
    this.#diagnostics.add({
      severity,
      code,
      location,
      message,
      hint,
      within: this.#within,
    });
  }
}

/**
 * Thrown by the programmatic API if a run fails; has all diagnostics of the
 * run.
 */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join("\n"));
    this.diagnostics = diagnostics;
  }
}

/** A diagnostic without a position in a file. */
export function makeDiagnostic(
  severity: Diagnostic["severity"],
  code: Code,
  message: string,
  hint: string | null = null,
): Diagnostic {
  return { code, severity, message, hint, location: null, within: [] };
}

/** The error of one diagnostic without a position in a file. */
export function schemaError(
  code: Code,
  message: string,
  hint: string | null = null,
): SchemaError {
  return new SchemaError([makeDiagnostic("error", code, message, hint)]);
}

/** Diagnostics with the same advice for many rows at the first of them only. */
export function withHintsOnce(list: readonly Diagnostic[]): Diagnostic[] {
  const hints = new Set<string | null>();
  return list.map((diagnostic) => {
    const isKnown = hints.has(diagnostic.hint);
    hints.add(diagnostic.hint);
    return isKnown ? { ...diagnostic, hint: null } : diagnostic;
  });
}

/**
 * One diagnostic of each code, a warning if there is one, with the number of the
 * others and a hint where they are.
 */
export function oneForEachCode(
  list: readonly Diagnostic[],
  hint: string,
): Diagnostic[] {
  const codes = [...new Set(list.map(({ code }) => code))];
  return codes.flatMap((code) => {
    const same = list.filter((one) => one.code === code);
    const shown =
      same.find(({ severity }) => severity === "warning") ?? same[0];
    if (shown === undefined || same.length === 1) return same;
    const message = `${shown.message}; and ${same.length - 1} more`;
    return [{ ...shown, message, hint }];
  });
}

/** Formats a diagnostic as compilers do, without colours. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { location, severity, code, message, within, hint } = diagnostic;
  const position =
    location === null
      ? ""
      : `${location.file}:${location.line}:${location.column} `;
  const word = severity === "error" ? "" : `${severity}: `;
  let text = `${position}${code} ${word}${message}`;
  if (within.length > 0)
    text += `\n    in ${[...within].reverse().join(", in ")}`;
  if (hint !== null) text += `\n    hint: ${hint}`;
  return text;
}
