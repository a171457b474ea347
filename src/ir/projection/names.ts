import { flatten } from "../flatten.js";
import type { Index } from "../lookup.js";
import type { Schema } from "../constraint.js";
import { referenceIn } from "../constraint/form.js";
import { referencesIn } from "../constraint/walk.js";
import type { Declaration } from "../model.js";
import { byText, sizeOf } from "./canonical.js";
import { type Names, projectSchema } from "./schema.js";

/** The size from which a schema is not inlined: inlining could multiply the protocol's size at each step. */
const maxInlineSize = 500;

export function namesOf(declarations: Index): Names {
  const open = new Map<string, ReadonlySet<string>>();
  for (const declaration of declarations.values()) {
    if (declaration.kind !== "constant" && !keepsName(declarations, declaration)) {
      open.set(declaration.name, new Set(referencesIn(declaration.schema)));
    }
  }
  const inline = new Map<string, Schema>();
  for (const name of leavesFirst(open)) {
    const declaration = declarations.get(name);
    if (declaration === undefined) continue;
    const schema = projectSchema({ inline }, declarations, declaration.schema);
    if (sizeOf(schema, maxInlineSize) < maxInlineSize) inline.set(name, schema);
  }
  return { inline };
}

/** True for an object with at least one named member; an alias of one is replaced. */
function keepsName(declarations: Index, declaration: Declaration): boolean {
  if (referenceIn(declaration.schema) !== null) return false;
  const flat = flatten(declarations, declaration.name);
  return flat !== null && flat.properties.length > 0;
}

/**
 * Names in dependency order. In a circular reference, the name that most of the others use is left out (and so stays), the
 * first alphabetically among equals.
 */
function leavesFirst(open: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const remaining = new Map<string, Set<string>>();
  const users = new Map<string, Set<string>>();
  for (const [name, uses] of open) {
    remaining.set(name, new Set([...uses].filter((use) => open.has(use))));
    users.set(name, users.get(name) ?? new Set());
    for (const use of remaining.get(name) ?? []) users.set(use, (users.get(use) ?? new Set()).add(name));
  }
  const order: string[] = [];
  const ready = [...remaining].filter(([, uses]) => uses.size === 0).map(([name]) => name);
  const remove = (name: string): void => {
    remaining.delete(name);
    for (const user of users.get(name) ?? []) {
      const uses = remaining.get(user);
      if (uses?.delete(name) === true && uses.size === 0) ready.push(user);
    }
  };
  while (remaining.size > 0) {
    for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
      if (!remaining.has(name)) continue;
      order.push(name);
      remove(name);
    }
    const name = mostUsed(remaining, users);
    if (name !== null) remove(name);
  }
  return order;
}

function mostUsed(
  remaining: ReadonlyMap<string, unknown>,
  users: ReadonlyMap<string, ReadonlySet<string>>,
): string | null {
  let best: string | null = null;
  let maxUsers = -1;
  for (const name of remaining.keys()) {
    let count = 0;
    for (const user of users.get(name) ?? []) if (remaining.has(user)) count += 1;
    if (count < maxUsers || (count === maxUsers && best !== null && byText(best, name) < 0)) continue;
    [best, maxUsers] = [name, count];
  }
  return best;
}
