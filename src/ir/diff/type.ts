import { flattenType } from "../flatten.js";
import type { Type } from "../model.js";
import { acceptsAnything, alternativesOf, keyOf, namesOn, type Pair } from "./context.js";
import { match } from "./match.js";
import { compareObjects } from "./object.js";
import { showType } from "./show.js";
import type { Change } from "./model.js";
import { under } from "./place.js";
import type { Finding } from "./variance.js";

/** What sets two types at one place apart. A name that both sides know is compared where it is declared, not here. */
export function compareTypes(pair: Pair, was: Type, is: Type): Finding[] {
  if (keyOf(was) === keyOf(is)) return [];
  const found = difference(pair, was, is);
  return found.length > 0 ? found : [finding("restated", was, is)];
}

function difference(pair: Pair, was: Type, is: Type): Finding[] {
  const [wide, now] = [acceptsAnything(pair.before, was), acceptsAnything(pair.after, is)];
  if (wide && now) return [];
  if (wide) return [finding("type-narrowed", was, is)];
  if (now) return [finding("type-widened", was, is)];
  const known = namesOn(pair.after, is);
  const shared = new Set([...namesOn(pair.before, was)].filter((name) => known.has(name)));
  const old = alternativesOf(pair.before, was, shared);
  const fresh = alternativesOf(pair.after, is, shared);
  const { pairs, removed, added } = match(pair, old, fresh);
  const found = pairs.flatMap(([one, other]) => compareAlternatives(pair, one, other));
  if (removed.length === old.length && added.length === fresh.length)
    return [finding("type-replaced", was, is)];
  return [
    ...found,
    ...removed.map((type) => finding(isLiteral(type) ? "value-removed" : "alternative-removed", type, null)),
    ...added.map((type) => finding(isLiteral(type) ? "value-added" : "alternative-added", null, type)),
  ];
}

/** Two alternatives that were matched: of one kind, or the same. */
export function compareAlternatives(pair: Pair, was: Type, is: Type): Finding[] {
  if (keyOf(was) === keyOf(is)) return [];
  if (was.kind === "array" && is.kind === "array") {
    return [
      ...under("[]", compareTypes(pair, was.element, is.element)),
      ...bound(was, is, was.maxItems, is.maxItems, "upper"),
    ];
  }
  if (was.kind === "number" && is.kind === "number") {
    const kind =
      was.integer === is.integer ? [] : [finding(is.integer ? "type-narrowed" : "type-widened", was, is)];
    const low = bound(was, is, was.minimum, is.minimum, "lower");
    const high = bound(was, is, was.maximum, is.maximum, "upper");
    // Each finding shows both bounds, so two changes of one kind are one finding.
    return [...kind, ...low, ...high.filter(({ change }) => change !== low[0]?.change)];
  }
  if (was.kind === "string" && is.kind === "string") {
    const format =
      was.format === is.format
        ? []
        : [finding("format-changed", { ...was, known: [] }, { ...is, known: [] })];
    const [old, fresh] = [new Set(was.known), new Set(is.known)];
    const gone = was.known.filter((value) => !fresh.has(value));
    const come = is.known.filter((value) => !old.has(value));
    return [
      ...format,
      ...gone.map((value): Finding => ({
        change: "known-value-removed",
        path: "",
        was: JSON.stringify(value),
        is: null,
      })),
      ...come.map((value): Finding => ({
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

/** More findings than this between two objects of different names, and they are simply different objects. */
const maxFindings = 60;

function compareNamed(pair: Pair, was: Type, is: Type): Finding[] {
  const before = flattenType(pair.before, was);
  const after = flattenType(pair.after, is);
  if (before === null || after === null) return [finding("type-replaced", was, is)];
  const names = `${keyOf(was)} ${keyOf(is)}`;
  const earlier = pair.compared.get(names);
  if (earlier !== undefined) return earlier === null ? [] : [...earlier];
  pair.compared.set(names, null);
  const all = compareObjects(pair, before, after);
  const found = all.length > maxFindings ? [finding("type-replaced", was, is)] : all;
  pair.compared.set(names, found);
  return found;
}

function bound(
  was: Type,
  is: Type,
  old: number | null,
  fresh: number | null,
  end: "lower" | "upper",
): Finding[] {
  if (old === fresh) return [];
  const unbounded = end === "lower" ? -Infinity : Infinity;
  const rose = (fresh ?? unbounded) > (old ?? unbounded);
  return [finding(rose === (end === "lower") ? "bound-tightened" : "bound-loosened", was, is)];
}

function isLiteral(type: Type): boolean {
  return type.kind === "literal";
}

function finding(change: Change, was: Type | null, is: Type | null): Finding {
  return {
    change,
    path: "",
    was: was === null ? null : showType(was),
    is: is === null ? null : showType(is),
  };
}
