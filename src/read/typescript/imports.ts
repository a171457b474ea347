import type { ts } from "ts-morph";
import type { Compiler } from "./compiler.js";

/** What an extension imports from the revision's schema. */
export interface Imports {
  readonly statements: ReadonlySet<ts.Statement>;
  /** The imported names by their local names: `import type { Error as Fault }` has Error under Fault. */
  readonly names: ReadonlyMap<string, string>;
}

/** The type imports of a file. Nothing is loaded: the path is only for editors. */
export function importsOf(ts: Compiler, all: readonly ts.Statement[]): Imports {
  const statements = new Set<ts.Statement>();
  const names = new Map<string, string>();
  for (const statement of all) {
    if (!ts.isImportDeclaration(statement)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings) || statement.importClause?.name) continue;
    statements.add(statement);
    for (const { name, propertyName } of bindings.elements) names.set(name.text, (propertyName ?? name).text);
  }
  return { statements, names };
}
