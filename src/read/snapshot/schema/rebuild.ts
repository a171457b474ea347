import type { Check, Schema } from "../../../ir/surface/schema.js";

/** The check with every schema that it holds put through the function. */
export function rebuilt(check: Check, each: (schema: Schema) => Schema): Check {
  const maybe = (schema: Schema | null): Schema | null => (schema === null ? null : each(schema));
  switch (check.kind) {
    case "items":
      return { ...check, first: check.first.map(each), rest: maybe(check.rest) };
    case "contains":
    case "names":
    case "not":
      return { ...check, schema: each(check.schema) };
    case "members":
      return {
        ...check,
        properties: check.properties.map((entry) => ({ ...entry, schema: each(entry.schema) })),
        patterns: check.patterns.map((entry) => ({ ...entry, schema: each(entry.schema) })),
        rest: maybe(check.rest),
      };
    case "dependent":
      return { ...check, schema: maybe(check.schema) };
    case "all":
    case "any":
    case "one":
      return { ...check, schemas: check.schemas.map(each) };
    case "when":
      return { ...check, test: each(check.test), then: maybe(check.then), otherwise: maybe(check.otherwise) };
    default:
      return check;
  }
}
