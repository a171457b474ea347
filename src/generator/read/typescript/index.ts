import { Diagnostics } from "../../diagnostics.js";
import { checkDeclarations } from "../../ir/check/index.js";
import type { Declared } from "../../ir/lookup.js";
import type { Loaded } from "../load.js";
import { checkUses } from "./names.js";
import { parse } from "./parse.js";
import { readStatements } from "./statements.js";
import { loadCompiler } from "./parse-context.js";

/**
 * Reads the syntax of a `schema.ts`; runs, resolves and fetches nothing.
 * Reports all problems of the file, each with another way to read the revision.
 * Returns null after an error.
 */
export async function readTypeScript(
  loaded: Pick<Loaded, "file" | "text">,
  diagnostics: Diagnostics,
): Promise<Declared | null> {
  const problems = new Diagnostics();
  const declared = await readText(loaded, problems);
  for (const problem of problems.list) {
    const { code, severity, hint } = problem;
    const isUnreadable =
      severity === "error" && /^MG(1(?!05)..|504)$/.test(code);
    const ways = hint === null ? otherWay : `${hint}; or ${otherWay}`;
    diagnostics.add(isUnreadable ? { ...problem, hint: ways } : problem);
  }
  return declared;
}

const otherWay = "pass the schema.json of this revision instead";

async function readText(
  { file, text }: Pick<Loaded, "file" | "text">,
  diagnostics: Diagnostics,
): Promise<Declared | null> {
  const hasErrors = diagnostics.watch();
  const ts = await loadCompiler();
  const tree = parse(ts, text, file, diagnostics);
  if (tree === null) return null;
  const { source, statements, whole } = tree;
  const { declarations, locations, uses, rejected } = readStatements(
    { ts, source, file, isWhole: whole },
    statements,
    diagnostics,
  );
  const locationOf = locations.of.bind(locations);
  if (whole) {
    checkUses(uses, declarations, rejected);
    if (declarations.length === 0 && !hasErrors()) {
      const hint = "write exported interfaces, type aliases and constants only";
      diagnostics.root.error(
        "MG117",
        { file, line: 1, column: 1 },
        "the file has no declarations",
        hint,
      );
    }
    if (hasErrors()) checkDeclarations(declarations, locationOf, diagnostics);
  }
  return hasErrors() ? null : { declarations, locationOf };
}
