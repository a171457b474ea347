import { flatten, propertyOf, type FlatProperty } from "../flatten.js";
import type { Index } from "../lookup.js";
import type { Base } from "../model.js";
import type { Pair } from "./schemas.js";

/**
 * True if a comparison skips a member; null if the member does not exist before
 * or after.
 */
export type SkipMember = (
  member: string,
  before: FlatProperty | null,
  after: FlatProperty | null,
) => boolean;

/**
 * Skips a member that the interface inherits from the same base before and
 * after: its change is listed at the base only.
 */
export function comparedInBase(pair: Pair, name: string): SkipMember {
  const old = basesOf(pair.before, name);
  const fresh = basesOf(pair.after, name);
  const common = [...old.values()].filter((base) => fresh.has(base.name));
  return (member, before, after) =>
    common.some((base) => {
      if (
        base.omit.includes(member) ||
        fresh.get(base.name)?.omit.includes(member) === true
      )
        return false;
      return (
        provides(pair.before, base.name, before, member) &&
        provides(pair.after, base.name, after, member)
      );
    });
}

/**
 * True if a base provides this state of a member: the member that the same
 * interface declares, or its absence.
 */
function provides(
  declarations: Index,
  base: string,
  state: FlatProperty | null,
  member: string,
): boolean {
  const own = propertyOf(flatten(declarations, base), member);
  return (own?.declaredBy ?? null) === (state?.declaredBy ?? null);
}

function basesOf(declarations: Index, name: string): ReadonlyMap<string, Base> {
  const bases = declarations.get(name)?.bases ?? [];
  return new Map(bases.map((base) => [base.name, base]));
}
