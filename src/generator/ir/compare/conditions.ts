import { deltaOf, eventOf } from "../change/delta.js";
import type { Delta } from "../change/model.js";
import { anything, unreadSchema, type Check } from "../constraint.js";
import { keywordsOf } from "../constraint/json-schema.js";
import { type Json, exact } from "../json.js";
import { keyOf } from "./key.js";
import type { SchemaSet, SchemaSets } from "./model.js";
import type { Parts } from "./parts.js";

/** A condition that is compared as a whole. */
interface Condition {
  readonly keyword: string;
  /** Equal for equal conditions. */
  readonly key: string;
  readonly text: string;
}

/**
 * The differences between the conditions that no other function compares in
 * detail.
 */
export function compareConditions(
  { before, after }: SchemaSets,
  old: Parts,
  fresh: Parts,
): Delta[] {
  const [oldConditions, newConditions] = [
    conditionsIn(before, old),
    conditionsIn(after, fresh),
  ];
  const missing = (
    from: readonly Condition[],
    other: readonly Condition[],
  ): Condition[] =>
    from.filter(({ key }) => !other.some((condition) => condition.key === key));
  const [removed, added] = [
    missing(oldConditions, newConditions),
    missing(newConditions, oldConditions),
  ];
  const keywords = new Set(
    [...removed, ...added].map(({ keyword }) => keyword),
  );
  return [...keywords].map((name): Delta => {
    if (name === unreadSchema) return deltaOf("schema-changed", null, null);
    const text = (list: readonly Condition[]): string | null => {
      const own = list.filter(({ keyword }) => keyword === name);
      const texts = new Set(own.map((condition) => condition.text));
      return texts.size === 0 ? null : [...texts].join("; ");
    };
    return conditionDelta(text(removed), text(added));
  });
}

export function conditionDelta(
  before: string | null,
  after: string | null,
): Delta {
  return deltaOf(`condition-${eventOf(before, after)}`, before, after);
}

function conditionsIn(
  side: SchemaSet,
  { checks, conditions }: Parts,
): Condition[] {
  return [
    ...checks.flatMap((check): Condition[] => {
      const whole = comparedAsWhole(check);
      const [first] = whole === null ? [] : keywordsOf(whole);
      if (whole === null || first === undefined) return [];
      const text = keywordsOf(whole)
        .map(([keyword, value]) => `${keyword} ${show(value)}`)
        .join(", ");
      return [
        {
          keyword: first[0],
          key: keyOf(side, { doc: anything.doc, checks: [whole] }),
          text,
        },
      ];
    }),
    ...conditions.map(({ keyword, value }): Condition => {
      const text = `${keyword} ${show(value)}`;
      return { keyword, key: text, text };
    }),
  ];
}

/** The checks that other functions compare in detail. */
const detailed: ReadonlySet<Check["kind"]> = new Set([
  "never",
  "type",
  "values",
  "reference",
  "bound",
  "size",
  "items",
  "required",
  "all",
  "any",
  "one",
]);

/** The part of a check that is compared as a whole; null if there is none. */
function comparedAsWhole(check: Check): Check | null {
  if (check.kind !== "members") return detailed.has(check.kind) ? null : check;
  return check.patterns.length === 0
    ? null
    : { ...check, properties: [], rest: null };
}

/** A value for printing: a string as it is, anything else as JSON. */
function show(value: Json): string {
  return typeof value === "string" ? value : exact(value);
}
