import { flattenType, type Flat } from "../flatten.js";
import type { Type } from "../model.js";
import { keyOf, type Pair } from "./context.js";
import { shifts } from "./model.js";
import { compareAlternatives } from "./type.js";

/** The alternatives of two unions in pairs, and those without a partner. */
export interface Matches {
  readonly pairs: readonly (readonly [Type, Type])[];
  readonly removed: readonly Type[];
  readonly added: readonly Type[];
}

/** The maximum number of pairs to compare. In larger unions only equal alternatives are matched. */
const maxPairs = 400;

/**
 * Matches alternatives: first equal ones, then the objects with the fewest differences, then the only ones of their
 * kind.
 */
export function match(pair: Pair, old: readonly Type[], fresh: readonly Type[]): Matches {
  const pairs: [Type, Type][] = [];
  let removed = [...old];
  let added = [...fresh];
  const join = (fits: (was: Type, is: Type) => boolean): void => {
    if (removed.length * added.length > maxPairs) return;
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
  const matches = new Set(pairs.flat());
  removed = removed.filter((type) => !matches.has(type));
  added = added.filter((type) => !matches.has(type));

  // One side may write the value of a literal, the other the name of a constant.
  join((was, is) => was.kind === "literal" && is.kind === "literal" && was.value === is.value);
  for (const [was, is] of likelyPairs(pair, removed, added))
    join((one, other) => one === was && other === is);
  const isOnly = (types: readonly Type[], group: string): boolean =>
    types.filter(({ kind }) => kind === group).length === 1;
  for (const group of ["array", "number", "string"]) {
    if (isOnly(removed, group) && isOnly(added, group)) {
      join((was, is) => was.kind === group && is.kind === group);
    }
  }
  // A literal next to a type that includes it changes nothing.
  return { pairs, removed: withoutRedundant(removed, fresh), added: withoutRedundant(added, old) };
}

/** Pairs of objects that are probably two versions of one object, those with the fewest differences first. */
function likelyPairs(
  pair: Pair,
  old: readonly Type[],
  fresh: readonly Type[],
): readonly (readonly [Type, Type])[] {
  if (old.length * fresh.length > maxPairs) return [];
  const pairs = old.flatMap((was) =>
    fresh.flatMap((is) => {
      if (!alike(flattenType(pair.before, was), flattenType(pair.after, is))) return [];
      const deltas = compareAlternatives(pair, was, is);
      const severe = deltas.filter(({ change }) => !["none", "harmless"].includes(shifts[change])).length;
      return [{ was, is, cost: severe * 100 + deltas.length }];
    }),
  );
  return pairs.sort((a, b) => a.cost - b.cost).map(({ was, is }) => [was, is]);
}

/**
 * True for two objects with the same tag, and for two objects without common tags if they share at least half of the
 * members of the smaller one.
 */
function alike(before: Flat | null, after: Flat | null): boolean {
  if (before === null || after === null) return false;
  const [oldTags, newTags] = [tagsOf(before), tagsOf(after)];
  const common = [...oldTags.keys()].filter((name) => newTags.has(name));
  if (common.some((name) => oldTags.get(name) !== newTags.get(name))) return false;
  const names = new Set(after.properties.map(({ name }) => name));
  const shared = before.properties.filter(({ name }) => names.has(name)).length;
  const minSize = Math.min(before.properties.length, after.properties.length);
  return common.length > 0 || shared * 2 >= minSize;
}

/** The literals of an object's required members, by member. */
function tagsOf(flat: Flat): ReadonlyMap<string, unknown> {
  return new Map(
    flat.properties.flatMap(({ name, optional, type }) =>
      !optional && type.kind === "literal" ? [[name, type.value] as const] : [],
    ),
  );
}

function withoutRedundant(types: readonly Type[], beside: readonly Type[]): readonly Type[] {
  const wide = beside.filter(({ kind }) => kind === "number" || kind === "string" || kind === "boolean");
  return types.filter((type) => !wide.some((other) => includesLiteral(other, type)));
}

function includesLiteral(wide: Type, type: Type): boolean {
  if (type.kind !== "literal") return false;
  if (wide.kind === "number")
    return typeof type.value === "number" && wide.minimum === null && wide.maximum === null && !wide.integer;
  return (wide.kind === "string" || wide.kind === "boolean") && typeof type.value === wide.kind;
}
