import { join, relative } from "node:path";
import {
  type Diagnostic,
  makeDiagnostic,
  SchemaError,
} from "../../../generator/diagnostics.js";
import { conflictsIn, type Plan } from "../../../generator/emit/write.js";
import { faultsOf, posix } from "../../compile/faults.js";
import { isInstalled } from "../../destination/installed.js";

/**
 * Compiles the program of an output folder in memory before `--force` replaces
 * files that a person edited. Returns a note if the project has no TypeScript.
 *
 * @throws SchemaError with each error of the program that it does not have now
 */
export async function checkReplaced(
  plan: Plan,
  out: string,
  directory: string,
): Promise<Diagnostic | null> {
  const edited = conflictsIn(plan)
    .map(({ path }) => path)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path));
  if (edited.length === 0) return null;
  const names = edited.join(", ");
  if (!isInstalled("typescript", out))
    return makeDiagnostic(
      "note",
      "MG813",
      `${names}: replaced with --force; the project has no TypeScript that could tell whether it still compiles`,
    );

  const pathOf = (path: string): string => posix(join(out, path));
  const texts = new Map<string, string | null>(
    [...plan.files, ...plan.removed].map(({ path, text }) => [
      pathOf(path),
      text,
    ]),
  );
  const { compiler, list } = await faultsOf(out, edited.map(pathOf), (path) =>
    texts.get(path),
  );
  if (list.length === 0) return null;

  const rows = list.map(({ location, message }) => ({
    ...makeDiagnostic(
      "error",
      "MG813",
      `this would not compile any more: ${message}`,
    ),
    location: {
      ...location,
      file: posix(relative(directory, location.file)),
    },
  }));
  const refusal = makeDiagnostic(
    "error",
    "MG813",
    `--force replaces no file that you edited while the program does not compile with the new one (${compiler}); nothing was written: ${names}`,
    "move your change out of the generated file and correct these places, or delete the file and run again",
  );
  throw new SchemaError([...rows, refusal]);
}
