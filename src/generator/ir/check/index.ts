import type { Diagnostics, Scope } from "../../diagnostics.js";
import { eachSchema, maxSchemaDepth } from "../constraint/walk.js";
import { index, type LocationOf } from "../lookup.js";
import type { Declaration } from "../model.js";
import { checkGraph } from "./graph.js";
import { checkInheritance } from "./inheritance.js";

/**
 * Checks what a source may get wrong and a reader does not report, before
 * anything is derived from the declarations. The other invariants of `model.ts`
 * are the readers' own: tests check them on all sources.
 */
export function checkDeclarations(
  declarations: readonly Declaration[],
  locationOf: LocationOf,
  diagnostics: Diagnostics,
): boolean {
  const hasErrors = diagnostics.watch();
  for (const declaration of declarations)
    checkDepth(declaration, locationOf, diagnostics.root);
  if (checkGraph(declarations, locationOf, diagnostics.root)) {
    checkInheritance(index(declarations), locationOf, diagnostics.root);
  }
  return !hasErrors();
}

function checkDepth(
  { kind, name, schema }: Declaration,
  locationOf: LocationOf,
  scope: Scope,
): void {
  let maxDepth = 0;
  eachSchema(schema, (_, depth) => (maxDepth = Math.max(maxDepth, depth)));
  if (maxDepth <= maxSchemaDepth) return;
  const message = `the type is nested more than ${maxSchemaDepth} levels deep`;
  scope
    .in(`${kind} ${name}`)
    .error("MG504", locationOf(name), message, "split it into named types");
}
