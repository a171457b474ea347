import type { Scope } from "../../diagnostics.js";
import type { Declaration, Type } from "../model.js";
import type { PlaceOf } from "./place.js";

/** How long a chain of bases and synonyms may be; the protocol's own reach four. Everything that walks one recurses. */
const longest = 100;

/** Does no type consist of itself, and is no chain of bases too long? Everything that flattens relies on it. */
export function checkGraph(declarations: readonly Declaration[], placeOf: PlaceOf, scope: Scope): boolean {
  const byName = new Map(declarations.map((entry) => [entry.name, entry]));
  const needs = new Map(
    declarations.map((entry) => [entry.name, needsOf(entry).filter((name) => byName.has(name))]),
  );
  const levels = levelsOf(needs);
  const told = new Set<string>();
  let sound = true;
  for (const declaration of declarations) {
    const { name } = declaration;
    const level = levels.get(name);
    if (level !== undefined && level <= longest) continue;
    sound = false;
    const inside = scope.in(`${declaration.kind} ${name}`);
    // A circle is told once, by its first name; of a long chain only the first link too many.
    if (level === undefined && !told.has(name)) {
      const circle = circleOf(needs, levels, name);
      for (const step of circle) told.add(step);
      if (circle.length > 0) reportCircle(name, circle, placeOf, inside);
    } else if (level === longest + 1) {
      inside.error(
        "MG504",
        placeOf(name),
        `"${name}" stands at the end of a chain of more than ${longest} bases or synonyms`,
        "flatten the chain",
      );
    }
  }
  return sound;
}

/** More steps than this say no more. */
const shown = 8;

function reportCircle(name: string, circle: readonly string[], placeOf: PlaceOf, inside: Scope): void {
  const way = circle.length <= shown ? circle : [...circle.slice(0, shown - 2), "…", name];
  inside.error(
    "MG503",
    placeOf(name),
    `"${name}" consists of itself: ${way.join(" → ")}`,
    "break the circle: a type may contain itself only inside a member, an array or a map",
  );
}

/** What a declaration cannot be without: its bases, and the names that an alias stands for. */
function needsOf(declaration: Declaration): string[] {
  if (declaration.kind === "constant") return [];
  if (declaration.kind === "interface") return declaration.bases.map(({ name }) => name);
  const names: string[] = [];
  const open: Type[] = [declaration.type];
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === "reference") names.push(type.name);
    if (type.kind === "union" || type.kind === "intersection")
      for (const each of type.members) open.push(each);
  }
  return names;
}

type Graph = ReadonlyMap<string, readonly string[]>;

/** How far above the ground each name stands; a name in a circle, or above one, has no level. */
function levelsOf(needs: Graph): ReadonlyMap<string, number> {
  const waiting = new Map<string, number>();
  const above = new Map<string, string[]>();
  for (const [name, below] of needs) {
    waiting.set(name, below.length);
    for (const needed of below) {
      const users = above.get(needed);
      if (users === undefined) above.set(needed, [name]);
      else users.push(name);
    }
  }
  const levels = new Map<string, number>();
  let ready = [...waiting].flatMap(([name, count]) => (count === 0 ? [name] : []));
  for (let level = 0; ready.length > 0; level++) {
    const next: string[] = [];
    for (const name of ready) {
      levels.set(name, level);
      for (const upper of above.get(name) ?? []) {
        const left = (waiting.get(upper) ?? 0) - 1;
        waiting.set(upper, left);
        if (left === 0) next.push(upper);
      }
    }
    ready = next;
  }
  return levels;
}

/** The way from a name back to itself, the name at both ends; empty when it only leads into a circle. */
function circleOf(needs: Graph, levels: ReadonlyMap<string, number>, name: string): string[] {
  const from = new Map<string, string>();
  const open = [name];
  for (const step of open) {
    for (const next of needs.get(step) ?? []) {
      if (levels.has(next)) continue;
      if (next === name) {
        const way = [name];
        for (let back: string | undefined = step; back !== undefined && back !== name; back = from.get(back))
          way.push(back);
        return [name, ...way.reverse()];
      }
      if (from.has(next)) continue;
      from.set(next, step);
      open.push(next);
    }
  }
  return [];
}
