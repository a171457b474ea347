import type { Check, CheckOf, ScalarKind, Schema, ValueKind } from "../constraint.js";

/** The schemas inside a check. */
export function schemasIn(check: Check): readonly Schema[] {
  const inner: Schema[] = [];
  withSchemas(check, (schema) => {
    inner.push(schema);
    return schema;
  });
  return inner;
}

/** A copy of the check with each inner schema replaced by the result of the function. */
export function withSchemas(check: Check, replace: (schema: Schema) => Schema): Check {
  const maybe = (schema: Schema | null): Schema | null => (schema === null ? null : replace(schema));
  switch (check.kind) {
    case "items":
      return { ...check, first: check.first.map(replace), rest: maybe(check.rest) };
    case "contains":
    case "names":
    case "not":
      return { ...check, schema: replace(check.schema) };
    case "members":
      return {
        ...check,
        properties: check.properties.map((entry) => ({ ...entry, schema: replace(entry.schema) })),
        patterns: check.patterns.map((entry) => ({ ...entry, schema: replace(entry.schema) })),
        rest: maybe(check.rest),
      };
    case "dependent":
      return { ...check, schema: maybe(check.schema) };
    case "all":
    case "any":
    case "one":
      return { ...check, schemas: check.schemas.map(replace) };
    case "when":
      return {
        ...check,
        test: replace(check.test),
        then: maybe(check.then),
        otherwise: maybe(check.otherwise),
      };
    default:
      void (check satisfies CheckOf<ValueKind | ScalarKind | "unique" | "required">);
      return check;
  }
}

/** The keys that a schema refers to, with duplicates. */
export function referencesIn(
  schema: Schema,
  follow: (check: Check) => readonly Schema[] = schemasIn,
): string[] {
  const keys: string[] = [];
  const open = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const check of next.checks) {
      if (check.kind === "reference") keys.push(check.key);
      else for (const each of follow(check)) open.push(each);
    }
  }
  return keys;
}
