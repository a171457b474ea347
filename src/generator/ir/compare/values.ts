import { deltaOf } from "../change/delta.js";
import type { Delta } from "../change/model.js";
import { ofKind, type Check, type CheckOf, type Sized } from "../constraint.js";
import { valuesOf } from "../constraint/form.js";
import { keywordsOf } from "../constraint/json-schema.js";
import { exact } from "../json.js";
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
  /** No type is on both sides. */
  readonly isReplaced: boolean;
} {
  const { removed, added, hasCommon } = changeOf(typesOf(old), typesOf(fresh));
  if (removed.length + added.length === 0)
    return { change: null, isReplaced: false };
  const isReplaced = !hasCommon;
  if (textsOf(old) !== null && textsOf(fresh) !== null && !isReplaced) {
    return { change: null, isReplaced };
  }
  if (removed.length === 0) return { change: "widened", isReplaced };
  if (added.length === 0) return { change: "narrowed", isReplaced };
  return { change: "replaced", isReplaced };
}

/** The entries of one set that the other does not have. */
function changeOf<T>(before: ReadonlySet<T>, after: ReadonlySet<T>) {
  const removed = [...before].filter((entry) => !after.has(entry));
  const added = [...after].filter((entry) => !before.has(entry));
  return { removed, added, hasCommon: removed.length < before.size };
}

export function compareValues(old: Parts, fresh: Parts): Delta[] {
  const before = textsOf(old);
  const after = textsOf(fresh);
  if (before === null) {
    if (after === null) return [];
    return [deltaOf("values-listed", null, list(after))];
  }
  if (after === null) {
    return [deltaOf("values-freed", list(before), null)];
  }
  const { removed, added, hasCommon } = changeOf(before, after);
  if (!hasCommon && removed.length + added.length > 0) {
    return [deltaOf("type-replaced", list(before), list(after))];
  }
  return [
    ...removed.map((value) => deltaOf("value-removed", value, null)),
    ...added.map((value) => deltaOf("value-added", null, value)),
  ];
}

/** The listed values as texts; null if any value of the types is allowed. */
function textsOf({ checks }: Parts): ReadonlySet<string> | null {
  const values = valuesOf(checks);
  return values && new Set(values.map(exact));
}

const list = (texts: ReadonlySet<string>): string =>
  [...texts].sort().join(" | ");

/** An upper or lower limit of numbers or sizes. */
type Bound = CheckOf<"bound">;

/** A limit that is compared, and the value that means that there is none. */
interface Limit {
  readonly side: "low" | "high";
  readonly of: "number" | Sized;
  readonly none: number;
}

const limited = ["number", "string", "array", "object"] as const;
const limits: readonly Limit[] = [
  ...limited.map((of): Limit => {
    const none = of === "number" ? -Infinity : 0;
    return { side: "low", of, none };
  }),
  ...limited.map((of): Limit => {
    return { side: "high", of, none: Infinity };
  }),
];

export function compareBounds(old: Parts, fresh: Parts): Delta[] {
  return limits.flatMap((limit): Delta[] => {
    const before = tightest(old, limit);
    const after = tightest(fresh, limit);
    const order = tightness(before, after);
    const from = showBound(limit, before);
    const to = showBound(limit, after);
    if (order < 0) {
      return [deltaOf("bound-tightened", from, to)];
    }
    if (order > 0) {
      return [deltaOf("bound-loosened", from, to)];
    }
    return [];
  });
}

/**
 * The strictest limit. For integers, an exclusive limit becomes the next
 * integer.
 */
function tightest(parts: Parts, limit: Limit): Bound {
  const { side, of, none } = limit;
  const unlimited: Bound = {
    kind: "bound",
    side,
    value: none,
    open: false,
  };
  const isInteger = of === "number" && !typesOf(parts).has("number");
  const bounds = ofKind(parts.checks, "bound").filter(
    (bound) => of === "number" && bound.side === side,
  );
  for (const size of ofKind(parts.checks, "size")) {
    if (size.of !== of) continue;
    const value = side === "low" ? size.min : size.max;
    if (value === null) continue;
    bounds.push({ ...unlimited, value });
  }
  let best = unlimited;
  for (const each of bounds) {
    const bound = isInteger ? ofIntegers(each) : each;
    if (tightness(best, bound) < 0) best = bound;
  }
  return best;
}

/** The bound at the first integer that it allows. */
function ofIntegers(bound: Bound): Bound {
  const sign = bound.side === "low" ? 1 : -1;
  const value = sign * bound.value;
  const inside = bound.open ? Math.floor(value) + 1 : Math.ceil(value);
  return {
    ...bound,
    value: sign * inside,
    open: false,
  };
}

/**
 * Negative if `after` allows less than `before`, positive if it allows more.
 */
function tightness(before: Bound, after: Bound): number {
  const order = before.value - after.value;
  // Both may be infinite.
  if (before.value === after.value) {
    return Number(before.open) - Number(after.open);
  }
  return before.side === "low" ? order : -order;
}

function showBound(limit: Limit, bound: Bound): string | null {
  const { side, of, none } = limit;
  const { value } = bound;
  if (value === none) return null;
  if (of === "number") return keywordIn(bound);
  return keywordIn({
    kind: "size",
    of,
    min: side === "low" ? value : 0,
    max: side === "low" ? null : value,
  });
}

/** The keyword of a check, and its value. */
function keywordIn(check: Check): string | null {
  const [keyword] = keywordsOf(check);
  return keyword?.map(String).join(" ") ?? null;
}
