import { flattenType } from "../flatten.js";
import type { Type } from "../model.js";
import { acceptsAnything, alternativesOf, keyOf, namesOf, type Pair } from "./context.js";
import { match } from "./match.js";
import { compareObjects } from "./object.js";
import { showType } from "./show.js";
import type { Change } from "./model.js";
import { under } from "./path.js";
import type { Delta } from "./variance.js";

/** The differences between two types. A name that both protocols declare is compared at its declaration, not here. */
export function compareTypes(pair: Pair, was: Type, is: Type): Delta[] {
  if (keyOf(was) === keyOf(is)) return [];
  const deltas = difference(pair, was, is);
  return deltas.length > 0 ? deltas : [deltaOf("restated", was, is)];
}

function difference(pair: Pair, was: Type, is: Type): Delta[] {
  const [wasAny, isAny] = [acceptsAnything(pair.before, was), acceptsAnything(pair.after, is)];
  if (wasAny && isAny) return [];
  if (wasAny) return [deltaOf("type-narrowed", was, is)];
  if (isAny) return [deltaOf("type-widened", was, is)];
  const names = namesOf(pair.after, is);
  const shared = new Set([...namesOf(pair.before, was)].filter((name) => names.has(name)));
  const old = alternativesOf(pair.before, was, shared);
  const fresh = alternativesOf(pair.after, is, shared);
  const { pairs, removed, added } = match(pair, old, fresh);
  const deltas = pairs.flatMap(([one, other]) => compareAlternatives(pair, one, other));
  if (removed.length === old.length && added.length === fresh.length)
    return [deltaOf("type-replaced", was, is)];
  return [
    ...deltas,
    ...removed.map((type) => deltaOf(isLiteral(type) ? "value-removed" : "alternative-removed", type, null)),
    ...added.map((type) => deltaOf(isLiteral(type) ? "value-added" : "alternative-added", null, type)),
  ];
}

/** The differences between two matched alternatives, which have the same kind or are equal. */
export function compareAlternatives(pair: Pair, was: Type, is: Type): Delta[] {
  if (keyOf(was) === keyOf(is)) return [];
  if (was.kind === "array" && is.kind === "array") {
    return [
      ...under("[]", compareTypes(pair, was.element, is.element)),
      ...bound(was, is, was.maxItems, is.maxItems, "upper"),
    ];
  }
  if (was.kind === "number" && is.kind === "number") {
    const kind =
      was.integer === is.integer ? [] : [deltaOf(is.integer ? "type-narrowed" : "type-widened", was, is)];
    const low = bound(was, is, was.minimum, is.minimum, "lower");
    const high = bound(was, is, was.maximum, is.maximum, "upper");
    // Each difference shows both bounds, so two changes of one kind are one difference.
    return [...kind, ...low, ...high.filter(({ change }) => change !== low[0]?.change)];
  }
  if (was.kind === "string" && is.kind === "string") {
    const format =
      was.format === is.format
        ? []
        : [deltaOf("format-changed", { ...was, known: [] }, { ...is, known: [] })];
    const [old, fresh] = [new Set(was.known), new Set(is.known)];
    const removed = was.known.filter((value) => !fresh.has(value));
    const added = is.known.filter((value) => !old.has(value));
    return [
      ...format,
      ...removed.map((value): Delta => ({
        change: "known-value-removed",
        path: "",
        was: JSON.stringify(value),
        is: null,
      })),
      ...added.map((value): Delta => ({
        change: "known-value-added",
        path: "",
        was: null,
        is: JSON.stringify(value),
      })),
    ];
  }
  if (was.kind === "literal" && is.kind === "literal" && was.value === is.value) return [];
  return compareNamed(pair, was, is);
}

/**
 * The maximum number of differences between two objects with different names. With more, one object replaces the
 * other.
 */
const maxDeltas = 60;

function compareNamed(pair: Pair, was: Type, is: Type): Delta[] {
  const before = flattenType(pair.before, was);
  const after = flattenType(pair.after, is);
  if (before === null || after === null) return [deltaOf("type-replaced", was, is)];
  const names = `${keyOf(was)} ${keyOf(is)}`;
  const earlier = pair.compared.get(names);
  if (earlier !== undefined) return earlier === null ? [] : [...earlier];
  pair.compared.set(names, null);
  const all = compareObjects(pair, before, after);
  const deltas = all.length > maxDeltas ? [deltaOf("type-replaced", was, is)] : all;
  pair.compared.set(names, deltas);
  return deltas;
}

function bound(
  was: Type,
  is: Type,
  old: number | null,
  fresh: number | null,
  end: "lower" | "upper",
): Delta[] {
  if (old === fresh) return [];
  const unbounded = end === "lower" ? -Infinity : Infinity;
  const rose = (fresh ?? unbounded) > (old ?? unbounded);
  return [deltaOf(rose === (end === "lower") ? "bound-tightened" : "bound-loosened", was, is)];
}

function isLiteral(type: Type): boolean {
  return type.kind === "literal";
}

function deltaOf(change: Change, was: Type | null, is: Type | null): Delta {
  return {
    change,
    path: "",
    was: was === null ? null : showType(was),
    is: is === null ? null : showType(is),
  };
}
