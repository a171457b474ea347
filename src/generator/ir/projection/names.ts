import { flatten } from "../flatten.js";
import type { Index } from "../lookup.js";
import type { Schema } from "../constraint.js";
import { referenceIn } from "../constraint/form.js";
import { referencesIn } from "../constraint/walk.js";
import type { Declaration } from "../model.js";
import { type Graph, leavesFirst } from "../order.js";
import { byText, sizeOf } from "./canonical.js";
import { type Names, projectSchema } from "./schema.js";

/**
 * The size from which a schema is not inlined: inlining could multiply the
 * protocol's size at each step.
 */
const maxInlineSize = 500;

export function namesOf(declarations: Index): Names {
  const open = new Map<string, ReadonlySet<string>>();
  for (const declaration of declarations.values()) {
    if (
      declaration.kind !== "constant" &&
      !keepsName(declarations, declaration)
    ) {
      open.set(declaration.name, new Set(referencesIn(declaration.schema)));
    }
  }
  const inline = new Map<string, Schema>();
  for (const name of leavesFirst(open, mostUsed)) {
    const declaration = declarations.get(name);
    if (declaration === undefined) continue;
    const schema = projectSchema({ inline }, declarations, declaration.schema);
    if (sizeOf(schema, maxInlineSize) < maxInlineSize) inline.set(name, schema);
  }
  return { inline };
}

/**
 * True for an object with at least one named member; an alias of one is
 * replaced.
 */
function keepsName(declarations: Index, declaration: Declaration): boolean {
  if (referenceIn(declaration.schema) !== null) return false;
  const flat = flatten(declarations, declaration.name);
  return flat !== null && flat.properties.length > 0;
}

/**
 * The name in circular references that most of the others use, the first
 * alphabetically among equals. It stays.
 */
function mostUsed(remaining: Graph, users: Graph): string | null {
  let best: string | null = null;
  let maxUsers = -1;
  for (const name of remaining.keys()) {
    let count = 0;
    for (const user of users.get(name) ?? [])
      if (remaining.has(user)) count += 1;
    if (
      count < maxUsers ||
      (count === maxUsers && best !== null && byText(best, name) < 0)
    )
      continue;
    [best, maxUsers] = [name, count];
  }
  return best;
}
