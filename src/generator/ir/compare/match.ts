import {
  ofKind,
  type Check,
  type Schema,
  type TypeName,
} from "../constraint.js";
import { valuesOf } from "../constraint/form.js";
import { groupsOf } from "../groups.js";
import { keyOf } from "./key.js";
import type { SchemaSet, SchemaSets } from "./model.js";
import { constantsOf, partsOf, typesOf, type Parts } from "./parts.js";
import { exact } from "../json.js";

/** The alternatives of two unions in pairs, and those without a partner. */
interface Matches {
  readonly pairs: readonly (readonly [
    before: Alternative,
    after: Alternative,
  ])[];
  readonly removed: readonly Alternative[];
  readonly added: readonly Alternative[];
  /**
   * Constants without a partner that another alternative of the same union
   * accepts.
   */
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

/**
 * The maximum number of pairs to compare. In larger unions, only equal
 * alternatives are matched.
 */
const maxPairs = 400;

/**
 * Matches equal alternatives first, then similar ones: those of the same types,
 * the objects with the most in common first.
 */
export function match(
  { before, after }: SchemaSets,
  oldSchemas: readonly Schema[],
  newSchemas: readonly Schema[],
): Matches {
  const [old, fresh] = [
    describe(before, oldSchemas),
    describe(after, newSchemas),
  ];
  const groups = groupsOf(fresh, ({ key }) => key);
  const partners = new Map(
    [...groups].map(([key, equal]) => [key, [...equal]]),
  );
  const pairs: [Alternative, Alternative][] = [];
  for (const one of old) {
    const other = partners.get(one.key)?.shift();
    if (other !== undefined) pairs.push([one, other]);
  }
  const used = new Set(pairs.flat());
  for (const pair of similarPairs(
    { before, after },
    without(old, used),
    without(fresh, used),
  )) {
    if (pair.some((one) => used.has(one))) continue;
    pairs.push(pair);
    for (const one of pair) used.add(one);
  }
  const [removed, added] = [
    leftOver(old, fresh, used),
    leftOver(fresh, old, used),
  ];
  return {
    pairs,
    removed: removed.new,
    added: added.new,
    knownRemoved: removed.known,
    knownAdded: added.known,
  };
}

function describe(
  side: SchemaSet,
  schemas: readonly Schema[],
): readonly Alternative[] {
  return schemas.map((schema) => {
    const parts = partsOf(side, schema);
    const [value, ...others] = valuesOf(parts.checks) ?? [];
    const constant =
      value === undefined || others.length > 0 ? null : exact(value);
    const isPlain =
      constant !== null &&
      parts.conditions.length === 0 &&
      parts.checks.every(isPlainCheck);
    // A type next to a constant adds nothing.
    const key = isPlain ? constant : keyOf(side, schema);
    return { schema, parts, key, types: typesOf(parts), constant };
  });
}

function isPlainCheck({ kind }: Check): boolean {
  return kind === "type" || kind === "values";
}

function without(
  all: readonly Alternative[],
  used: ReadonlySet<Alternative>,
): readonly Alternative[] {
  return all.filter((alternative) => !used.has(alternative));
}

/**
 * The alternatives without a partner: those that accept new values, and
 * constants that another alternative of the same union accepts. One that is
 * listed twice, and a constant that the other union accepts, change nothing.
 */
function leftOver(
  own: readonly Alternative[],
  others: readonly Alternative[],
  used: ReadonlySet<Alternative>,
): {
  readonly new: readonly Alternative[];
  readonly known: readonly Alternative[];
} {
  const [ownTypes, otherTypes] = [bareTypes(own), bareTypes(others)];
  const keys = new Set(
    [...others, ...own.filter((one) => used.has(one))].map(({ key }) => key),
  );
  const rest = without(own, used).filter(({ key }) => !keys.has(key));
  const isIn = (types: ReadonlySet<TypeName>) => (one: Alternative) =>
    valuesOf(one.parts.checks) !== null &&
    [...one.types].every((type) => types.has(type));
  return {
    new: rest.filter((one) => !isIn(ownTypes)(one) && !isIn(otherTypes)(one)),
    known: rest.filter(isIn(ownTypes)),
  };
}

/** The types that alternatives accept completely. */
function bareTypes(
  alternatives: readonly Alternative[],
): ReadonlySet<TypeName> {
  const bare = alternatives.filter(
    ({ parts }) =>
      parts.conditions.length === 0 &&
      parts.checks.every(({ kind }) => kind === "type"),
  );
  return new Set(bare.flatMap(({ types }) => [...types]));
}

/**
 * Pairs of alternatives that are probably two versions of one, the most similar
 * first.
 */
function similarPairs(
  sides: SchemaSets,
  old: readonly Alternative[],
  fresh: readonly Alternative[],
): readonly [Alternative, Alternative][] {
  if (old.length * fresh.length > maxPairs) return [];
  const pairs = old.flatMap((one) =>
    fresh.flatMap((other) => {
      const score = similarity(sides, one, other);
      return score === null
        ? []
        : [{ pair: [one, other] as [Alternative, Alternative], score }];
    }),
  );
  return pairs.sort((a, b) => b.score - a.score).map(({ pair }) => pair);
}

/**
 * How similar two alternatives are: the number of common tags, and the share of
 * common members. Null if they cannot be two versions of one, because their
 * types or tags differ, or because objects without common tags share less than
 * half of the members of the smaller one.
 */
function similarity(
  { before, after }: SchemaSets,
  one: Alternative,
  other: Alternative,
): number | null {
  if (kindsOf(one) !== kindsOf(other)) return null;
  if (one.constant !== null || other.constant !== null)
    return shareValue(one, other) ? 0 : null;
  const [tags, otherTags] = [constantsOf(one.parts), constantsOf(other.parts)];
  const common = [...tags.keys()].filter((name) => otherTags.has(name));
  if (common.some((name) => tags.get(name) !== otherTags.get(name)))
    return null;
  const [members, otherMembers] = [
    membersOf(one.parts),
    membersOf(other.parts),
  ];
  const shared = [...members].flatMap(([name, old]) => {
    const fresh = otherMembers.get(name);
    return fresh === undefined ? [] : [[old, fresh] as const];
  });
  const equal = shared.filter(
    ([old, fresh]) => keyOf(before, old) === keyOf(after, fresh),
  );
  const isSimilar =
    common.length > 0 ||
    shared.length * 2 >= Math.min(members.size, otherMembers.size);
  const share =
    (shared.length + equal.length) / (members.size + otherMembers.size + 1);
  return isSimilar ? common.length + share : null;
}

/** True if one is a constant that the other lists. */
function shareValue(one: Alternative, other: Alternative): boolean {
  const values = new Set(valuesOf(one.parts.checks)?.map(exact));
  return (
    one.constant !== other.constant &&
    valuesOf(other.parts.checks)?.some((value) => values.has(exact(value))) ===
      true
  );
}

/** The types as a text, in which integers are numbers. */
function kindsOf({ types }: Alternative): string {
  return [
    ...new Set(
      [...types].map((type) => (type === "integer" ? "number" : type)),
    ),
  ].join();
}

function membersOf(parts: Parts): ReadonlyMap<string, Schema> {
  return new Map(
    ofKind(parts.checks, "members").flatMap(({ properties }) =>
      properties.map(({ name, schema }) => [name, schema]),
    ),
  );
}
