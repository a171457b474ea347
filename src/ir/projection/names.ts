import { flatten } from "../flatten.js";
import type { Index } from "../lookup.js";
import type { Declaration, Type } from "../model.js";
import { partsOf } from "../walk.js";
import { byText, sizeOf } from "./canonical.js";
import { projectType } from "./type.js";

/** The names that do not survive in other types, with what stands in their place. */
export interface Names {
  readonly inline: ReadonlyMap<string, Type>;
}

/** A name that means more types than this is not replaced: replacing could multiply the protocol's size at each step. */
const longestInline = 500;

export function namesOf(declarations: Index): Names {
  const open = new Map<string, ReadonlySet<string>>();
  for (const declaration of declarations.values()) {
    if (declaration.kind !== "constant" && !survives(declarations, declaration)) {
      open.set(declaration.name, usesOf(declaration));
    }
  }
  const inline = new Map<string, Type>();
  for (const name of leavesFirst(open)) {
    const declaration = declarations.get(name);
    if (declaration === undefined) continue;
    const type = projectType({ inline }, declarations, bodyOf(declaration));
    if (sizeOf(type, longestInline) < longestInline) inline.set(name, type);
  }
  return { inline };
}

/** An object with at least one named member keeps its name; a second name for one does not. */
function survives(declarations: Index, declaration: Declaration): boolean {
  if (declaration.kind === "alias" && declaration.type.kind === "reference") return false;
  const flat = flatten(declarations, declaration.name);
  return flat !== null && flat.properties.length > 0;
}

function bodyOf(declaration: Declaration): Type {
  if (declaration.kind === "alias") return declaration.type;
  // An interface that does not survive has no members, only an index signature at most.
  return { kind: "object", properties: [], rest: declaration.kind === "interface" ? declaration.rest : null };
}

function usesOf(declaration: Declaration): ReadonlySet<string> {
  const uses = new Set<string>();
  const pending = [bodyOf(declaration)];
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    if (type.kind === "reference") uses.add(type.name);
    else for (const each of partsOf(type)) pending.push(each);
  }
  return uses;
}

/**
 * Names in an order in which each stands behind all that it uses. Where they lead in a circle, the one that most of the
 * others use is left out (and so keeps its name), the first in the alphabet among equals.
 */
function leavesFirst(open: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const left = new Map<string, Set<string>>();
  const users = new Map<string, Set<string>>();
  for (const [name, uses] of open) {
    left.set(name, new Set([...uses].filter((used) => open.has(used))));
    users.set(name, users.get(name) ?? new Set());
    for (const used of left.get(name) ?? []) users.set(used, (users.get(used) ?? new Set()).add(name));
  }
  const order: string[] = [];
  const ready = [...left].filter(([, uses]) => uses.size === 0).map(([name]) => name);
  const remove = (name: string): void => {
    left.delete(name);
    for (const user of users.get(name) ?? []) {
      const uses = left.get(user);
      if (uses?.delete(name) === true && uses.size === 0) ready.push(user);
    }
  };
  while (left.size > 0) {
    for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
      if (!left.has(name)) continue;
      order.push(name);
      remove(name);
    }
    const kept = mostUsed(left, users);
    if (kept !== null) remove(kept);
  }
  return order;
}

function mostUsed(
  left: ReadonlyMap<string, unknown>,
  users: ReadonlyMap<string, ReadonlySet<string>>,
): string | null {
  let best: string | null = null;
  let most = -1;
  for (const name of left.keys()) {
    let count = 0;
    for (const user of users.get(name) ?? []) if (left.has(user)) count += 1;
    if (count < most || (count === most && best !== null && byText(best, name) < 0)) continue;
    [best, most] = [name, count];
  }
  return best;
}
