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
  let sound = true;
  for (const declaration of declarations) {
    const level = levels.get(declaration.name);
    if (level !== undefined && level <= longest) continue;
    // Of a long chain only its first link too many is worth a report.
    const reported = level === undefined ? inCircle(needs, levels, declaration.name) : level === longest + 1;
    sound = false;
    if (!reported) continue;
    const inside = scope.in(`${declaration.kind} ${declaration.name}`);
    const location = placeOf(declaration.name);
    if (level === undefined) {
      const circle = circleOf(needs, levels, declaration.name);
      inside.error(
        "MG503",
        location,
        `"${declaration.name}" consists of itself: ${circle.join(" → ")}`,
        "break the circle: a type may contain itself only inside a member, an array or a map",
      );
    } else {
      inside.error(
        "MG504",
        location,
        `"${declaration.name}" stands at the end of a chain of more than ${longest} bases or synonyms`,
        "flatten the chain",
      );
    }
  }
  return sound;
}

/** What a declaration cannot be without: its bases, and the names that an alias stands for. */
function needsOf(declaration: Declaration): string[] {
  if (declaration.kind === "constant") return [];
  if (declaration.kind === "interface") return declaration.bases.map(({ name }) => name);
  const names: string[] = [];
  const open: Type[] = [declaration.type];
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === "reference") names.push(type.name);
    if (type.kind === "union" || type.kind === "intersection") open.push(...type.members);
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
    for (const needed of below) above.set(needed, [...(above.get(needed) ?? []), name]);
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

function inCircle(needs: Graph, levels: ReadonlyMap<string, number>, name: string): boolean {
  return circleOf(needs, levels, name).length > 0;
}

/** The way from a name back to itself, the name at both ends; empty when it only leads into a circle. */
function circleOf(needs: Graph, levels: ReadonlyMap<string, number>, name: string): string[] {
  const from = new Map<string, string>();
  const open = [name];
  for (let step = open.shift(); step !== undefined; step = open.shift()) {
    for (const next of needs.get(step) ?? []) {
      if (levels.has(next)) continue;
      if (next === name) {
        const way = [step];
        for (let back = from.get(step); back !== undefined; back = from.get(back)) way.unshift(back);
        return [...(way[0] === name ? way : [name, ...way]), name];
      }
      if (from.has(next)) continue;
      from.set(next, step);
      open.push(next);
    }
  }
  return [];
}
