import type { Schema } from "./constraint.js";
import type { Definitions } from "./constraint/accepts.js";
import { objectSchema, onlyOf } from "./constraint/form.js";
import { withSchemas } from "./constraint/walk.js";
import { flatten, flattenComplete } from "./flatten.js";
import type { Index } from "./lookup.js";
import type { Declaration } from "./model.js";

const cache = new WeakMap<Index, Definitions>();

/**
 * The schemas of declarations by name, with inherited members, for programs
 * that know neither bases nor intersections.
 */
export function definitionsOf(declarations: Index): Definitions {
  const definitions =
    cache.get(declarations) ??
    new Map(
      [...declarations].map(([name, declaration]) => {
        return [name, { schema: wholeSchema(declarations, declaration) }];
      }),
    );
  cache.set(declarations, definitions);
  return definitions;
}

/** The schema of a declaration, with inherited members. */
export function wholeSchema(
  declarations: Index,
  { kind, name, schema }: Declaration,
): Schema {
  const flat = kind === "interface" ? flatten(declarations, name) : null;
  const checks =
    flat === null
      ? schema.checks
      : objectSchema(flat.properties, flat.rest).checks;
  return merged(declarations, { ...schema, checks });
}

/**
 * A schema that accepts the same values, with each intersection of objects as
 * one object.
 */
export function merged(declarations: Index, schema: Schema): Schema {
  const flat =
    onlyOf(schema.checks, "all") === null
      ? null
      : flattenComplete(declarations, schema);
  const checks =
    flat === null
      ? schema.checks
      : objectSchema(flat.properties, flat.rest).checks;
  return {
    ...schema,
    checks: checks.map((check) =>
      withSchemas(check, (inner) => merged(declarations, inner)),
    ),
  };
}
