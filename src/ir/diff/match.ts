import { flattenType, type Flat } from "../flatten.js";
import type { Type } from "../model.js";
import { keyOf, type Pair } from "./context.js";
import { shifts } from "./model.js";
import { compareAlternatives } from "./type.js";

/** Which alternative became which. */
export interface Matched {
  readonly pairs: readonly (readonly [Type, Type])[];
  readonly removed: readonly Type[];
  readonly added: readonly Type[];
}

/** Trying every pair is worth it for the unions that people write; beyond this, only equal ones are matched. */
const maxTried = 400;

/** Equal ones first, then objects by how little they differ, then what is alone of its kind. */
export function match(pair: Pair, old: readonly Type[], fresh: readonly Type[]): Matched {
  const pairs: [Type, Type][] = [];
  let removed = [...old];
  let added = [...fresh];
  const join = (fits: (was: Type, is: Type) => boolean): void => {
    if (removed.length * added.length > maxTried) return;
    for (const was of removed) {
      const is = added.find((candidate) => fits(was, candidate));
      if (is === undefined) continue;
      pairs.push([was, is]);
      removed = removed.filter((type) => type !== was);
      added = added.filter((type) => type !== is);
    }
  };
  const keys = new Map(added.map((type) => [keyOf(type), type]));
  for (const was of old) {
    const is = keys.get(keyOf(was));
    if (is === undefined) continue;
    keys.delete(keyOf(was));
    pairs.push([was, is]);
  }
  const settled = new Set(pairs.flat());
  removed = removed.filter((type) => !settled.has(type));
  added = added.filter((type) => !settled.has(type));

  // A literal may be written out on one side and by a constant's name on the other.
  join((was, is) => was.kind === "literal" && is.kind === "literal" && was.value === is.value);
  for (const [was, is] of likeliest(pair, removed, added)) join((one, other) => one === was && other === is);
  const alone = (types: readonly Type[], group: string): boolean =>
    types.filter(({ kind }) => kind === group).length === 1;
  for (const group of ["array", "number", "string"]) {
    if (alone(removed, group) && alone(added, group)) {
      join((was, is) => was.kind === group && is.kind === group);
    }
  }
  // A literal beside a type that holds it says nothing of its own.
  return { pairs, removed: withoutHeld(removed, fresh), added: withoutHeld(added, old) };
}

/** Pairs of objects that may be two states of one thing, those that differ least first. */
function likeliest(
  pair: Pair,
  old: readonly Type[],
  fresh: readonly Type[],
): readonly (readonly [Type, Type])[] {
  if (old.length * fresh.length > maxTried) return [];
  const tried = old.flatMap((was) =>
    fresh.flatMap((is) => {
      if (!alike(flattenType(pair.before, was), flattenType(pair.after, is))) return [];
      const found = compareAlternatives(pair, was, is);
      const grave = found.filter(({ change }) => !["none", "harmless"].includes(shifts[change])).length;
      return [{ was, is, cost: grave * 100 + found.length }];
    }),
  );
  return tried.sort((a, b) => a.cost - b.cost).map(({ was, is }) => [was, is]);
}

/** Two objects of one tag, or without tags in common and with at least half of the lesser one's members. */
function alike(before: Flat | null, after: Flat | null): boolean {
  if (before === null || after === null) return false;
  const [tags, others] = [tagsOf(before), tagsOf(after)];
  const common = [...tags.keys()].filter((name) => others.has(name));
  if (common.some((name) => tags.get(name) !== others.get(name))) return false;
  const names = new Set(after.properties.map(({ name }) => name));
  const shared = before.properties.filter(({ name }) => names.has(name)).length;
  const fewer = Math.min(before.properties.length, after.properties.length);
  return common.length > 0 || shared * 2 >= fewer;
}

/** The literals of an object's required members, by member. */
function tagsOf(flat: Flat): ReadonlyMap<string, unknown> {
  return new Map(
    flat.properties.flatMap(({ name, optional, type }) =>
      !optional && type.kind === "literal" ? [[name, type.value] as const] : [],
    ),
  );
}

function withoutHeld(types: readonly Type[], beside: readonly Type[]): readonly Type[] {
  const wide = beside.filter(({ kind }) => kind === "number" || kind === "string" || kind === "boolean");
  return types.filter((type) => !wide.some((other) => holds(other, type)));
}

function holds(wide: Type, type: Type): boolean {
  if (type.kind !== "literal") return false;
  if (wide.kind === "number")
    return typeof type.value === "number" && wide.minimum === null && wide.maximum === null && !wide.integer;
  return (wide.kind === "string" || wide.kind === "boolean") && typeof type.value === wide.kind;
}
