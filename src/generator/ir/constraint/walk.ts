import { anything, type Check, type Schema } from "../constraint.js";
import { kindOfCheck } from "./kinds.js";

/** The schemas inside a check. */
export function schemasIn(check: Check): readonly Schema[] {
  const inner: Schema[] = [];
  withSchemas(check, (schema) => {
    inner.push(schema);
    return schema;
  });
  return inner;
}

/** True if the check applies other schemas to the same value. */
export function isInPlace({ kind }: Check): boolean {
  return ["all", "any", "one", "not", "when", "dependent"].includes(kind);
}

/**
 * A copy of the check with each inner schema replaced by the result of the
 * function.
 */
export function withSchemas(
  check: Check,
  replace: (schema: Schema) => Schema,
): Check {
  return kindOfCheck(check).withSchemas?.(check, replace) ?? check;
}

/**
 * The maximum nesting of schemas in a revision; its own have at most six
 * levels. Functions that walk a schema recurse.
 */
export const maxSchemaDepth = 100;

/**
 * Calls `visit` for a schema and every schema inside it, outermost first. Stops
 * below schemas that nest too deep.
 */
export function eachSchema(
  schema: Schema,
  visit: (schema: Schema, depth: number) => void,
): void {
  const open: [Schema, number][] = [[schema, 0]];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [current, depth] = entry;
    visit(current, depth);
    if (depth > maxSchemaDepth) continue;
    for (const inner of current.checks.flatMap(schemasIn).reverse())
      open.push([inner, depth + 1]);
  }
}

/** A copy of the schema with each schema in it changed, the innermost first. */
export function mapSchema(
  schema: Schema,
  change: (schema: Schema) => Schema,
): Schema {
  return change({
    ...schema,
    checks: schema.checks.map((check) =>
      withSchemas(check, (inner) => mapSchema(inner, change)),
    ),
  });
}

const texts = new WeakMap<Schema, string>();

/**
 * A text that is equal for schemas with the same checks, whatever their docs
 * and notes.
 */
export function textOf(schema: Schema): string {
  const text =
    texts.get(schema) ??
    JSON.stringify(
      mapSchema(schema, ({ checks }) => ({ ...anything, checks })),
    );
  texts.set(schema, text);
  return text;
}

/** True if two schemas have the same checks. */
export function sameChecks(a: Schema, b: Schema): boolean {
  return textOf(a) === textOf(b);
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
