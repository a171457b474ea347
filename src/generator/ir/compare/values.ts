import { deltaOf } from "../change/delta.js";
import type { Delta } from "../change/model.js";
import { ofKind, type CheckOf } from "../constraint.js";
import { valuesOf } from "../constraint/form.js";
import { keywordsOf } from "../constraint/json-schema.js";
import { type Json, exact } from "../json.js";
import { typesOf, type Parts } from "./parts.js";

/**
 * The difference between the types. If both sides list their values, the values
 * are compared instead, unless they have no type in common.
 */
export function typeChange(
  old: Parts,
  fresh: Parts,
): {
  readonly change: "narrowed" | "widened" | "replaced" | null;
  readonly isReplaced: boolean;
} {
  const [before, after] = [typesOf(old), typesOf(fresh)];
  const removed = [...before].filter((type) => !after.has(type));
  const added = [...after].filter((type) => !before.has(type));
  if (removed.length + added.length === 0)
    return { change: null, isReplaced: false };
  const isReplaced =
    removed.length === before.size || added.length === after.size;
  if (
    valuesOf(old.checks) !== null &&
    valuesOf(fresh.checks) !== null &&
    !isReplaced
  )
    return { change: null, isReplaced };
  if (removed.length > 0 && added.length > 0)
    return { change: "replaced", isReplaced };
  return { change: removed.length > 0 ? "narrowed" : "widened", isReplaced };
}

export function compareValues(old: Parts, fresh: Parts): Delta[] {
  const [oldValues, newValues] = [valuesOf(old.checks), valuesOf(fresh.checks)];
  if (oldValues === null && newValues === null) return [];
  if (oldValues === null)
    return [deltaOf("values-listed", null, list(newValues ?? []))];
  if (newValues === null)
    return [deltaOf("values-freed", list(oldValues), null)];
  const [before, after] = [
    new Set(oldValues.map(exact)),
    new Set(newValues.map(exact)),
  ];
  const removed = [...before].filter((value) => !after.has(value));
  const added = [...after].filter((value) => !before.has(value));
  if (
    removed.length === before.size &&
    added.length === after.size &&
    before.size + after.size > 0
  )
    return [deltaOf("type-replaced", list(oldValues), list(newValues))];
  return [
    ...removed.map((value) => deltaOf("value-removed", value, null)),
    ...added.map((value) => deltaOf("value-added", null, value)),
  ];
}

function list(values: readonly Json[]): string {
  return [...new Set(values.map(exact))].sort().join(" | ");
}

/** An upper or lower limit of numbers or sizes. */
type Bound = CheckOf<"bound">;

/** The limits that are compared, with the keyword of each. */
const limits = [
  { side: "low", of: "number", none: -Infinity },
  { side: "low", of: "string", none: 0 },
  { side: "low", of: "array", none: 0 },
  { side: "low", of: "object", none: 0 },
  { side: "high", of: "number", none: Infinity },
  { side: "high", of: "string", none: Infinity },
  { side: "high", of: "array", none: Infinity },
  { side: "high", of: "object", none: Infinity },
] as const;

type Limit = (typeof limits)[number];

export function compareBounds(old: Parts, fresh: Parts): Delta[] {
  return limits.flatMap((limit): Delta[] => {
    const [before, after] = [tightest(old, limit), tightest(fresh, limit)];
    const order = tightness(before, after);
    if (order === 0) return [];
    const change = order < 0 ? "bound-tightened" : "bound-loosened";
    return [deltaOf(change, showBound(limit, before), showBound(limit, after))];
  });
}

/**
 * The strictest limit. For integers, an exclusive limit becomes the next
 * integer.
 */
function tightest(parts: Parts, { side, of, none }: Limit): Bound {
  const unlimited: Bound = { kind: "bound", side, value: none, open: false };
  const isInteger = of === "number" && !typesOf(parts).has("number");
  const bounds: readonly Bound[] =
    of === "number"
      ? ofKind(parts.checks, "bound").filter((bound) => bound.side === side)
      : ofKind(parts.checks, "size").flatMap((size): Bound[] => {
          const value = side === "low" ? size.min : size.max;
          return size.of === of && value !== null
            ? [{ ...unlimited, value }]
            : [];
        });
  return (isInteger ? bounds.map(ofIntegers) : bounds).reduce(
    (best, bound) => (tightness(best, bound) < 0 ? bound : best),
    unlimited,
  );
}

function ofIntegers(bound: Bound): Bound {
  if (!bound.open) return bound;
  const value =
    bound.side === "low"
      ? Math.floor(bound.value) + 1
      : Math.ceil(bound.value) - 1;
  return { ...bound, value, open: false };
}

/**
 * Negative if `after` allows less than `before`, positive if it allows more.
 */
function tightness(before: Bound, after: Bound): number {
  if (before.value !== after.value)
    return (
      before.side === "low"
        ? before.value > after.value
        : before.value < after.value
    )
      ? 1
      : -1;
  return Number(before.open) - Number(after.open);
}

function showBound({ side, of, none }: Limit, bound: Bound): string | null {
  if (bound.value === none) return null;
  const size = {
    min: side === "low" ? bound.value : 0,
    max: side === "high" ? bound.value : null,
  };
  const [keyword] =
    of === "number"
      ? keywordsOf(bound)
      : keywordsOf({ kind: "size", of, ...size });
  return keyword === undefined ? null : keyword.map(String).join(" ");
}
