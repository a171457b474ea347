import { flatten, type FlatProperty } from "../flatten.js";
import type { Index } from "../lookup.js";
import type { Base } from "../model.js";
import type { Pair } from "./context.js";

/** A member before and after; null where it is not there. */
export type Told = (was: FlatProperty | null, is: FlatProperty | null) => boolean;

/**
 * Is a member's change told at a base? So it is when a base that the interface has before and after hands down both
 * states of the member: then the base tells it once, and the interfaces that derive from it are silent.
 */
export function toldByBase(pair: Pair, name: string): Told {
  const old = basesOf(pair.before, name);
  const fresh = basesOf(pair.after, name);
  const common = [...old.values()].filter((base) => fresh.has(base.name));
  return (was, is) => {
    const member = (was ?? is)?.name ?? "";
    return common.some((base) => {
      if (base.omit.includes(member) || fresh.get(base.name)?.omit.includes(member) === true) return false;
      return hands(pair.before, base.name, was, member) && hands(pair.after, base.name, is, member);
    });
  };
}

/** Does a base hand down this very state of a member: the one that the same interface declares, or its absence? */
function hands(declarations: Index, base: string, state: FlatProperty | null, member: string): boolean {
  const own = flatten(declarations, base)?.properties.find((property) => property.name === member);
  return (own?.declaredBy ?? null) === (state?.declaredBy ?? null);
}

function basesOf(declarations: Index, name: string): ReadonlyMap<string, Base> {
  const declaration = declarations.get(name);
  const bases = declaration?.kind === "interface" ? declaration.bases : [];
  return new Map(bases.map((base) => [base.name, base]));
}
