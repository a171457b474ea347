import type { Diagnostics } from "../../diagnostics.js";
import { index, type LocationOf } from "../lookup.js";
import type { Declaration, Protocol } from "../model.js";
import { checkClosed } from "./closed.js";
import { checkGraph } from "./graph.js";
import { checkInheritance } from "./inheritance.js";
import { checkConsistent } from "./consistent.js";
import { checkPlain } from "./plain.js";

/**
 * Checks the invariants of `model.ts` after every reader, and reports each violation as an error. A violation in a file
 * that holds the IR itself is a mistake in that file; in any other source it is a bug of the reader. Returns true if all
 * invariants hold.
 */
export function check(protocol: Protocol, diagnostics: Diagnostics): boolean {
  const before = diagnostics.list.length;
  const scope = diagnostics.root;
  checkPlain(protocol, scope);
  checkClosed(protocol, index(protocol), scope);
  checkConsistent(protocol, scope);
  return sound(diagnostics, before);
}

/** Checks the declarations alone, before anything is derived from them or printed. */
export function checkDeclarations(
  declarations: readonly Declaration[],
  locationOf: LocationOf,
  diagnostics: Diagnostics,
): boolean {
  const before = diagnostics.list.length;
  if (checkGraph(declarations, locationOf, diagnostics.root)) {
    checkInheritance(index(declarations), locationOf, diagnostics.root);
  }
  return sound(diagnostics, before);
}

function sound(diagnostics: Diagnostics, before: number): boolean {
  return diagnostics.list.slice(before).every(({ severity }) => severity !== "error");
}
