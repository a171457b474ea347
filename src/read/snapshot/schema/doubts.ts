import type { Scope } from "../../../diagnostics.js";
import type { Check, Schema } from "../../../ir/surface/schema.js";
import { schemasIn } from "../../../ir/surface/walk.js";
import type { Keyed } from "./circles.js";
import { rebuilt } from "./rebuild.js";

/**
 * A schema of which something is left unchecked accepts more than it should. Where a condition turns its yes into a no,
 * values would be refused that are right: such a condition is weakened until it no longer does.
 */
export function withoutDoubts(parts: readonly Keyed[], loose: ReadonlySet<Schema>, scope: Scope): Keyed[] {
  const keys = looseKeys(parts, loose);
  if (keys.size === 0) return [...parts];
  const isLoose = (schema: Schema): boolean => isLooseGiven(schema, loose, keys);
  const sure = (schema: Schema): Schema => ({
    ...schema,
    checks: schema.checks
      .flatMap((check) => {
        const weaker = weakened(check, isLoose);
        if (weaker === check) return [check];
        const message = `"${words[check.kind] ?? check.kind}" is not checked because part of its schema is not checked`;
        scope.warn("MG308", null, message, null);
        return weaker === null ? [] : [weaker];
      })
      .map((check) => rebuilt(check, sure)),
  });
  return parts.map((part) => ({ ...part, schema: sure(part.schema) }));
}

const words: Readonly<Partial<Record<Check["kind"], string>>> = { one: "oneOf", when: "if" };

/** What of a check can be told for sure; the check itself when that is all of it. */
function weakened(check: Check, isLoose: (schema: Schema) => boolean): Check | null {
  switch (check.kind) {
    case "not":
      return isLoose(check.schema) ? null : check;
    case "one":
      return check.schemas.some(isLoose) ? { kind: "any", schemas: check.schemas } : check;
    case "contains":
      return check.most !== null && isLoose(check.schema) ? { ...check, most: null } : check;
    case "when":
      // What even a loose test refuses is refused for sure.
      return check.then !== null && isLoose(check.test) ? { ...check, then: null } : check;
    default:
      return check;
  }
}

function looseKeys(parts: readonly Keyed[], loose: ReadonlySet<Schema>): ReadonlySet<string> {
  const keys = new Set<string>();
  for (let size = -1; size < keys.size;) {
    size = keys.size;
    for (const { key, schema } of parts) if (isLooseGiven(schema, loose, keys)) keys.add(key);
  }
  return keys;
}

/** Is something of the schema, or of what it holds or refers to, left unchecked? */
function isLooseGiven(schema: Schema, loose: ReadonlySet<Schema>, keys: ReadonlySet<string>): boolean {
  const open = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (loose.has(next)) return true;
    for (const check of next.checks) {
      if (check.kind === "reference" && keys.has(check.key)) return true;
      for (const each of schemasIn(check)) open.push(each);
    }
  }
  return false;
}
