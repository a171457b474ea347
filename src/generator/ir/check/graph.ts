import type { Scope } from "../../diagnostics.js";
import { isInPlace, referencesIn, schemasIn } from "../constraint/walk.js";
import type { Declaration } from "../model.js";
import type { LocationOf } from "../lookup.js";
import { type Graph, leavesFirst } from "../order.js";

/**
 * The maximum length of a chain of bases and aliases; the protocol's own chains
 * have at most four. Functions that walk a chain recurse.
 */
const maxChain = 100;

/**
 * Checks that no type contains itself directly and that no chain of bases is
 * too long. `flatten` relies on both.
 */
export function checkGraph(
  declarations: readonly Declaration[],
  locationOf: LocationOf,
  scope: Scope,
): void {
  const needs = new Map(
    declarations.map((entry) => [entry.name, needsOf(entry)]),
  );
  const levels = levelsOf(needs);
  const reported = new Set<string>();
  for (const declaration of declarations) {
    const { name } = declaration;
    const level = levels.get(name);
    const inside = scope.in(`${declaration.kind} ${name}`);
    // Reports a cycle once, at its first name, and a chain that is too long at
    // the first name beyond the limit.
    if (level === undefined && !reported.has(name)) {
      const cycle = cycleOf(needs, levels, name);
      for (const step of cycle) reported.add(step);
      if (cycle.length > 0) reportCycle(name, cycle, locationOf, inside);
    } else if (level === maxChain + 1) {
      inside.error(
        "MG504",
        locationOf(name),
        `"${name}" ends a chain of more than ${maxChain} bases or aliases`,
        "flatten the chain",
      );
    }
  }
}

/** The maximum number of names in a message about a cycle. */
const maxShown = 8;

function reportCycle(
  name: string,
  cycle: readonly string[],
  locationOf: LocationOf,
  inside: Scope,
): void {
  const path =
    cycle.length <= maxShown
      ? cycle
      : [...cycle.slice(0, maxShown - 2), "…", name];
  inside.error(
    "MG503",
    locationOf(name),
    `"${name}" contains itself: ${path.join(" → ")}`,
    "break the cycle: a type may contain itself only inside a member, an array or a map",
  );
}

/**
 * The declarations that a declaration directly consists of: its bases, or the
 * names in its alias.
 */
export function needsOf({ kind, bases, schema }: Declaration): string[] {
  if (kind === "interface") return bases.map(({ name }) => name);
  return referencesIn(schema, (check) =>
    isInPlace(check) ? schemasIn(check) : [],
  );
}

/**
 * The length of the longest chain that ends at each name. A name in a cycle, or
 * one that leads into a cycle, has no level.
 */
function levelsOf(needs: Graph): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  for (const name of leavesFirst(needs)) {
    let level = 0;
    for (const need of needs.get(name) ?? [])
      level = Math.max(level, (levels.get(need) ?? -1) + 1);
    levels.set(name, level);
  }
  return levels;
}

/**
 * The path from a name back to itself, with the name at both ends. Empty if the
 * name only leads into a cycle.
 */
function cycleOf(
  needs: Graph,
  levels: ReadonlyMap<string, number>,
  name: string,
): string[] {
  const from = new Map<string, string>();
  const open = [name];
  for (const step of open) {
    for (const next of needs.get(step) ?? []) {
      if (levels.has(next)) continue;
      if (next === name) {
        const path = [name];
        for (
          let back: string | undefined = step;
          back !== undefined && back !== name;
          back = from.get(back)
        )
          path.push(back);
        return [name, ...path.reverse()];
      }
      if (from.has(next)) continue;
      from.set(next, step);
      open.push(next);
    }
  }
  return [];
}
