import type { Scope } from "../../diagnostics.js";
import type {
  Check,
  CheckOf,
  ObjectKind,
  PlainKind,
  Schema,
} from "../../ir/constraint.js";
import { schemasIn, withSchemas } from "../../ir/constraint/walk.js";
import type { KeyedSchema } from "./cycles.js";

/**
 * Weakens the checks that would reject valid values. A schema is
 * over-approximated if a part of it is not checked, so that it accepts too many
 * values. A check that rejects values because such a schema accepts them is
 * weakened, with a diagnostic.
 */
export function weakened(
  schemas: readonly KeyedSchema[],
  overApproximated: ReadonlySet<Schema>,
  scope: Scope,
): KeyedSchema[] {
  if (overApproximated.size === 0) return [...schemas];
  const keys = overApproximatedKeys(schemas, overApproximated);
  const isOver = (schema: Schema): boolean =>
    isOverApproximated(schema, overApproximated, keys);
  const weaken = (schema: Schema): Schema => ({
    ...schema,
    checks: schema.checks
      .flatMap((check) => {
        const weaker = weakenedCheck(check, isOver);
        if (weaker === null) return [check];
        scope.warn("MG308", null, weaker.message, null);
        return weaker.check === null ? [] : [weaker.check];
      })
      .map((check) => withSchemas(check, weaken)),
  });
  return schemas.map((keyed) => ({ ...keyed, schema: weaken(keyed.schema) }));
}

/** The weakened check; null if nothing is left of it. */
interface Weakened {
  readonly check: Check | null;
  readonly message: string;
}

/**
 * The weakened form of a check that would reject valid values because of an
 * over-approximated schema; null if the check stays.
 */
function weakenedCheck(
  check: Check,
  isOver: (schema: Schema) => boolean,
): Weakened | null {
  switch (check.kind) {
    case "not": {
      if (!isOver(check.schema)) return null;
      return {
        check: null,
        message:
          '"not" is not checked because part of its schema is not checked',
      };
    }
    case "one": {
      if (!check.schemas.some(isOver)) return null;
      const message =
        '"oneOf" is checked as "anyOf" because part of its schemas is not checked';
      return { check: { kind: "any", schemas: check.schemas }, message };
    }
    case "contains": {
      if (check.max === null || !isOver(check.schema)) return null;
      const message =
        '"maxContains" is not checked because part of "contains" is not checked';
      return { check: { ...check, max: null }, message };
    }
    case "when": {
      // Values that an over-approximated "if" rejects must match "else", so
      // that stays.
      if (check.then === null || !isOver(check.test)) return null;
      const message =
        '"then" is not checked because part of "if" is not checked';
      return { check: { ...check, then: null }, message };
    }
    default:
      void (check satisfies CheckOf<
        PlainKind | ObjectKind | "items" | "all" | "any"
      >);
      return null;
  }
}

/**
 * The keys of schemas that are over-approximated, or that refer to one that is.
 */
function overApproximatedKeys(
  schemas: readonly KeyedSchema[],
  overApproximated: ReadonlySet<Schema>,
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (let size = -1; size < keys.size;) {
    size = keys.size;
    for (const { key, schema } of schemas)
      if (isOverApproximated(schema, overApproximated, keys)) keys.add(key);
  }
  return keys;
}

/**
 * True if the schema is over-approximated, or contains or references one that
 * is.
 */
function isOverApproximated(
  schema: Schema,
  overApproximated: ReadonlySet<Schema>,
  keys: ReadonlySet<string>,
): boolean {
  const open = [schema];
  for (const next of open) {
    if (overApproximated.has(next)) return true;
    for (const check of next.checks) {
      if (check.kind === "reference" && keys.has(check.key)) return true;
      for (const each of schemasIn(check)) open.push(each);
    }
  }
  return false;
}
