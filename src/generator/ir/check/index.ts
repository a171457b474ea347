import type { Diagnostics, Scope } from "../../diagnostics.js";
import { maxAlternatives } from "../combine.js";
import { eachSchema, maxSchemaDepth } from "../constraint/walk.js";
import { distribute } from "../distribute.js";
import { index, type LocationOf } from "../lookup.js";
import type { Declaration } from "../model.js";
import { checkGraph } from "./graph.js";
import { checkInheritance } from "./inheritance.js";

/**
 * Checks what a source may get wrong and a reader does not report, before
 * anything is derived from the declarations. The other invariants of `model.ts`
 * are the readers' own: tests check them on all sources. Returns the
 * declarations without unions in intersections; null after an error.
 */
export function checkDeclarations(
  declarations: readonly Declaration[],
  locationOf: LocationOf,
  diagnostics: Diagnostics,
): readonly Declaration[] | null {
  const hasErrors = diagnostics.watch();
  const scope = diagnostics.root;
  for (const declaration of declarations)
    checkDepth(declaration, locationOf, scope);
  checkGraph(declarations, locationOf, scope);
  if (hasErrors()) return null;
  const distributed = distribute(declarations, (name) => {
    const message = `"${name}" joins unions that have more than ${maxAlternatives} alternatives together`;
    const hint = "join fewer unions, or write the members out";
    scope.error("MG504", locationOf(name), message, hint);
  });
  if (distributed === null) return null;
  checkInheritance(index(distributed), locationOf, scope);
  return hasErrors() ? null : distributed;
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
