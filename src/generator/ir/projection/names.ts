import { flatten } from "../flatten.js";
import type { Index } from "../lookup.js";
import type { Schema } from "../constraint.js";
import { objectSchema, referenceIn } from "../constraint/form.js";
import { referencesIn } from "../constraint/walk.js";
import { type Graph, leavesFirst } from "../order.js";
import { byText } from "../../../common/by-text.js";
import { sizeOf } from "./canonical.js";
import { type Names, projectSchema } from "./schema.js";

/**
 * The size from which a schema is not inlined: inlining could multiply the
 * protocol's size at each step.
 */
const maxInlineSize = 500;

export function namesOf(declarations: Index): Names {
  const open = new Map<string, ReadonlySet<string>>();
  const replacements = new Map<string, Schema>();
  for (const { kind, name, schema: own } of declarations.values()) {
    if (kind === "constant") continue;
    const members = membersOf(declarations, name, own);
    if (members !== null && isWritten(name)) continue;
    const schema = members ?? own;
    replacements.set(name, schema);
    open.set(name, new Set(referencesIn(schema)));
  }
  const inline = new Map<string, Schema>();
  for (const name of leavesFirst(open, mostUsed)) {
    const replacement = replacements.get(name);
    if (replacement === undefined) continue;
    const schema = projectSchema({ inline }, declarations, replacement);
    if (sizeOf(schema, maxInlineSize) < maxInlineSize) inline.set(name, schema);
  }
  return { inline };
}

/** True for the name of a declaration; a generator invents any others. */
export const isWritten = (name: string): boolean =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);

/**
 * An object with at least one named member, with those that it inherits; null
 * for any other, and for an alias of one.
 */
function membersOf(
  declarations: Index,
  name: string,
  schema: Schema,
): Schema | null {
  if (referenceIn(schema) !== null) return null;
  const flat = flatten(declarations, name);
  return flat !== null && flat.properties.length > 0
    ? objectSchema(flat.properties, flat.rest)
    : null;
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
