import type { Check, Schema } from "../constraint.js";

/** The schemas inside a check. */
export function schemasIn(check: Check): readonly Schema[] {
  switch (check.kind) {
    case "items":
      return check.rest === null ? check.first : [...check.first, check.rest];
    case "contains":
    case "names":
    case "not":
      return [check.schema];
    case "members":
      return [
        ...check.properties.map(({ schema }) => schema),
        ...check.patterns.map(({ schema }) => schema),
        ...(check.rest === null ? [] : [check.rest]),
      ];
    case "dependent":
      return check.schema === null ? [] : [check.schema];
    case "all":
    case "any":
    case "one":
      return check.schemas;
    case "when":
      return [check.test, check.then, check.otherwise].filter((schema) => schema !== null);
    case "never":
    case "type":
    case "values":
    case "reference":
    case "bound":
    case "multiple":
    case "size":
    case "pattern":
    case "unique":
    case "required":
      return [];
    default:
      return check satisfies never;
  }
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
    case "never":
    case "type":
    case "values":
    case "reference":
    case "bound":
    case "multiple":
    case "size":
    case "pattern":
    case "unique":
    case "required":
      return check;
    default:
      return check satisfies never;
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
