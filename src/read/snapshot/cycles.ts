import type { Scope } from "../../diagnostics.js";
import type { Check, Schema } from "../../ir/constraint.js";
import { isInPlace, referencesIn, schemasIn, withSchemas } from "../../ir/constraint/walk.js";
import { reachableFrom } from "../../ir/lookup.js";

/** A schema that is the target of references. */
export interface KeyedSchema {
  readonly key: string;
  readonly label: string;
  readonly schema: Schema;
}

/**
 * Removes references that lead back to themselves on the same value, because checking one would never end. A schema
 * that loses a reference is added to `overApproximated`. The first schema is the whole one.
 */
export function withoutCycles(
  schemas: readonly KeyedSchema[],
  overApproximated: Set<Schema>,
  scope: Scope,
): KeyedSchema[] {
  const cyclic = cyclicReferences(schemas);
  const [root] = schemas;
  const nameOf = (key: string): string =>
    root === undefined || key === root.key ? "the schema" : `"#${key.slice(root.key.length)}"`;
  const acyclic = (schema: Schema, owner: string): Schema => {
    const finite = schema.checks.filter((check) => {
      if (check.kind !== "reference" || cyclic.get(owner)?.has(check.key) !== true) return true;
      const message = `a reference in ${nameOf(owner)} is circular; it is not checked`;
      scope.warn("MG308", null, message, "refer to a member or an item");
      return false;
    });
    // A reference in a member or an item is about another value.
    const checks = finite.map((check) =>
      isInPlace(check) ? withSchemas(check, (inner) => acyclic(inner, owner)) : check,
    );
    const result: Schema = { ...schema, checks };
    if (overApproximated.has(schema) || finite.length < schema.checks.length) overApproximated.add(result);
    return result;
  };
  return schemas.map((keyed) => ({ ...keyed, schema: acyclic(keyed.schema, keyed.key) }));
}

/** The references of each schema, on the same value, that lead back to it. */
function cyclicReferences(schemas: readonly KeyedSchema[]): Map<string, Set<string>> {
  const follow = (check: Check): readonly Schema[] => (isInPlace(check) ? schemasIn(check) : []);
  const direct = new Map(schemas.map(({ key, schema }) => [key, referencesIn(schema, follow)]));
  const cyclic = new Map(
    schemas.map(({ key }) => [key, reachableFrom(key, (name) => direct.get(name) ?? [])]),
  );
  for (const [key, keys] of cyclic) {
    for (const other of keys) if (cyclic.get(other)?.has(key) !== true) keys.delete(other);
  }
  return cyclic;
}
