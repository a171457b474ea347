import { ofKind, type Schema, type TypeName } from "../constraint.js";
import { exact } from "../json/canonical.js";
import { keyOf } from "./key.js";
import type { Side, Sides } from "./model.js";
import { constantsOf, partsOf, typesOf, valuesOf, type Parts } from "./parts.js";

/** The alternatives of two unions in pairs, and those without a partner. */
export interface Matches {
  readonly pairs: readonly (readonly [was: Alternative, is: Alternative])[];
  readonly removed: readonly Alternative[];
  readonly added: readonly Alternative[];
  /** Constants without a partner that another alternative of the same union accepts. */
  readonly knownRemoved: readonly Alternative[];
  readonly knownAdded: readonly Alternative[];
}

export interface Alternative {
  readonly schema: Schema;
  readonly parts: Parts;
  /** Equal for equal conditions. */
  readonly key: string;
  readonly types: ReadonlySet<TypeName>;
  /** The only value as JSON; null for other alternatives. */
  readonly constant: string | null;
}

/** The maximum number of pairs to compare. In larger unions, only equal alternatives are matched. */
const maxPairs = 400;

/** Matches equal alternatives first, then similar ones: those of the same types, the objects with the most in common first. */
export function match({ before, after }: Sides, was: readonly Schema[], is: readonly Schema[]): Matches {
  const [old, fresh] = [alternativesOf(before, was), alternativesOf(after, is)];
  const partners = new Map(fresh.map((alternative) => [alternative.key, alternative]));
  const pairs: [Alternative, Alternative][] = [];
  for (const one of old) {
    const other = partners.get(one.key);
    if (other === undefined) continue;
    partners.delete(one.key);
    pairs.push([one, other]);
  }
  for (const pair of similarPairs({ before, after }, unmatched(old, pairs), unmatched(fresh, pairs))) {
    if (!pairs.some(([one, other]) => one === pair[0] || other === pair[1])) pairs.push(pair);
  }
  const [removed, added] = [unmatched(old, pairs), unmatched(fresh, pairs)];
  const isKnown = (own: readonly Alternative[]) => (one: Alternative) => isAccepted(one, own);
  const isRedundant = (own: readonly Alternative[], others: readonly Alternative[]) => (one: Alternative) =>
    isAccepted(one, own) || isAccepted(one, others);
  return {
    pairs,
    removed: removed.filter((one) => !isRedundant(old, fresh)(one)),
    added: added.filter((one) => !isRedundant(fresh, old)(one)),
    knownRemoved: removed.filter(isKnown(old)),
    knownAdded: added.filter(isKnown(fresh)),
  };
}

/** The alternatives, each once. */
function alternativesOf(side: Side, schemas: readonly Schema[]): readonly Alternative[] {
  const alternatives = new Map<string, Alternative>();
  for (const schema of schemas) {
    const key = keyOf(side, schema);
    if (alternatives.has(key)) continue;
    const parts = partsOf(side, schema);
    const [value, ...others] = valuesOf(parts) ?? [];
    const constant = value === undefined || others.length > 0 ? null : exact(value);
    alternatives.set(key, { schema, parts, key, types: typesOf(parts), constant });
  }
  return [...alternatives.values()];
}

function unmatched(
  all: readonly Alternative[],
  pairs: readonly (readonly [Alternative, Alternative])[],
): Alternative[] {
  const matched = new Set(pairs.flat());
  return all.filter((alternative) => !matched.has(alternative));
}

/** Pairs of alternatives that are probably two versions of one, the most similar first. */
function similarPairs(
  sides: Sides,
  old: readonly Alternative[],
  fresh: readonly Alternative[],
): readonly [Alternative, Alternative][] {
  if (old.length * fresh.length > maxPairs) return [];
  const pairs = old.flatMap((one) =>
    fresh.flatMap((other) => {
      const score = similarity(sides, one, other);
      return score === null ? [] : [{ pair: [one, other] as [Alternative, Alternative], score }];
    }),
  );
  return pairs.sort((a, b) => b.score - a.score).map(({ pair }) => pair);
}

/**
 * A number that is greater for alternatives with more tags or a greater share of members in common; null for those that have other types or tags, and for
 * objects without common tags that share less than half of the members of the smaller one.
 */
function similarity({ before, after }: Sides, one: Alternative, other: Alternative): number | null {
  if (one.constant !== null || other.constant !== null || kindsOf(one) !== kindsOf(other)) return null;
  const [tags, otherTags] = [constantsOf(one.parts), constantsOf(other.parts)];
  const common = [...tags.keys()].filter((name) => otherTags.has(name));
  if (common.some((name) => tags.get(name) !== otherTags.get(name))) return null;
  const [members, otherMembers] = [membersOf(one.parts), membersOf(other.parts)];
  const shared = [...members.keys()].filter((name) => otherMembers.has(name));
  const equal = shared.filter((name) => {
    const [was, is] = [members.get(name), otherMembers.get(name)];
    return was !== undefined && is !== undefined && keyOf(before, was) === keyOf(after, is);
  });
  const isSimilar = common.length > 0 || shared.length * 2 >= Math.min(members.size, otherMembers.size);
  const share = (shared.length + equal.length) / (members.size + otherMembers.size + 1);
  return isSimilar ? common.length + share : null;
}

/** The types as a text, in which integers are numbers. */
function kindsOf({ types }: Alternative): string {
  return [...new Set([...types].map((type) => (type === "integer" ? "number" : type)))].join();
}

function membersOf(parts: Parts): ReadonlyMap<string, Schema> {
  return new Map(
    ofKind(parts.checks, "members").flatMap(({ properties }) =>
      properties.map(({ name, schema }) => [name, schema]),
    ),
  );
}

/** True for a list of values of a type that another alternative accepts completely. */
function isAccepted({ parts, types }: Alternative, others: readonly Alternative[]): boolean {
  if (valuesOf(parts) === null) return false;
  return others.some(
    (other) =>
      other.parts.conditions.length === 0 &&
      other.parts.checks.every(({ kind }) => kind === "type") &&
      [...types].every((type) => other.types.has(type)),
  );
}
