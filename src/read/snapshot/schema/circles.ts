import type { Scope } from "../../../diagnostics.js";
import { reached } from "../../../ir/reach.js";
import type { Check, Schema } from "../../../ir/surface/schema.js";
import { referencesIn, schemasIn } from "../../../ir/surface/walk.js";
import { rebuilt } from "./rebuild.js";

/** A schema that references can lead to. */
export interface Keyed {
  readonly key: string;
  readonly label: string;
  readonly schema: Schema;
}

/**
 * Removes what no check could ever finish: a reference that leads back to itself without going into the value. The schema
 * that loses one is loose from then on.
 */
export function withoutCircles(parts: readonly Keyed[], loose: Set<Schema>, scope: Scope): Keyed[] {
  const inPlace = circular(parts);
  const kept = (schema: Schema, owner: string): Schema => {
    const stays = schema.checks.filter((check) => {
      if (check.kind !== "reference" || inPlace.get(owner)?.has(check.key) !== true) return true;
      const message = `a reference in ${named(owner)} leads back to itself; it is left unchecked`;
      scope.warn("MG308", null, message, "refer to a member or an item");
      return false;
    });
    const checks = stays.map((check) => rebuilt(check, (inner) => kept(inner, owner)));
    const made: Schema = { ...schema, checks };
    if (loose.has(schema) || stays.length < schema.checks.length) loose.add(made);
    return made;
  };
  return parts.map((part) => ({ ...part, schema: kept(part.schema, part.key) }));
}

function named(key: string): string {
  return key.includes("#") ? `"#${key.slice(key.indexOf("#") + 1)}"` : "the schema";
}

/** Checks that put other schemas to the very same value. */
function isInPlace({ kind }: Check): boolean {
  return ["all", "any", "one", "not", "when", "dependent"].includes(kind);
}

/** Every key that each part reaches without going into the value, and that leads back to it. */
function circular(parts: readonly Keyed[]): Map<string, Set<string>> {
  const follow = (check: Check): readonly Schema[] => (isInPlace(check) ? schemasIn(check) : []);
  const direct = new Map(parts.map(({ key, schema }) => [key, referencesIn(schema, follow)]));
  const ways = new Map(parts.map(({ key }) => [key, reached(key, (name) => direct.get(name) ?? [])]));
  for (const [key, found] of ways) {
    for (const other of found) if (ways.get(other)?.has(key) !== true) found.delete(other);
  }
  return ways;
}
