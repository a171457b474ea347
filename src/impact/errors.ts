import type { ts } from "ts-morph";
import type { Programs } from "./programs.js";

/** The errors of the new program in these files that the old one does not have. */
export function newErrors(
  { before, after }: Programs,
  files: readonly ts.SourceFile[],
): readonly LocatedError[] {
  return files.flatMap((file) => {
    const errors = errorsOf(after, file);
    if (errors.length === 0) return [];
    // Only a file with errors is also checked in the old program.
    const old = before.getSourceFile(file.fileName);
    const known = new Set(old === undefined ? [] : errorsOf(before, old).map(keyOf));
    return errors.filter((error) => !known.has(keyOf(error)));
  });
}

export type LocatedError = ts.DiagnosticWithLocation;

function errorsOf(program: ts.Program, file: ts.SourceFile): readonly LocatedError[] {
  const options = program.getCompilerOptions();
  const semantic = program.getSemanticDiagnostics(file);
  const declared =
    options.declaration === true && !file.isDeclarationFile ? program.getDeclarationDiagnostics(file) : [];
  return [...semantic, ...declared].filter(
    (error): error is LocatedError => error.file !== undefined && error.start !== undefined,
  );
}

function keyOf({ start, code }: LocatedError): string {
  return `${start} ${code}`;
}
