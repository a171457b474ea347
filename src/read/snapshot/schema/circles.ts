import type { Scope } from "../../../diagnostics.js";
import type { Check, Schema } from "../../../ir/surface/schema.js";
import { referencesIn, schemasIn } from "../../../ir/surface/walk.js";

interface Keyed {
  readonly key: string;
  readonly label: string;
  readonly schema: Schema;
}

/**
 * Removes what no check could ever finish or be sure of: a reference that leads back to itself without going into the
 * value, and, where schemas contain themselves, conditions that turn a yes into a no.
 */
export function withoutCircles(parts: readonly Keyed[], scope: Scope): Keyed[] {
  const inPlace = circular(parts, (check) => (isInPlace(check) ? schemasIn(check) : []));
  const anywhere = circular(parts, schemasIn);
  const stays = (check: Check, owner: string): boolean => {
    if (check.kind === "reference" && inPlace.get(owner)?.has(check.key) === true) {
      const message = `a reference in ${named(owner)} leads back to itself; it is left unchecked`;
      scope.warn("MG308", null, message, "refer to a member or an item");
      return false;
    }
    if (!turns(check) || anywhere.get(owner)?.has(owner) !== true) return true;
    if (!reaches(check, anywhere, owner)) return true;
    const message = `"${words[check.kind]}" on a schema that contains itself is left unchecked`;
    scope.warn("MG308", null, message, null);
    return false;
  };
  return parts.map((part) => ({ ...part, schema: kept(part.schema, (check) => stays(check, part.key)) }));
}

const words: Readonly<Partial<Record<Check["kind"], string>>> = {
  not: "not",
  one: "oneOf",
  when: "if",
  contains: "contains",
};

function turns(check: Check): check is Extract<Check, { kind: "not" | "one" | "when" | "contains" }> {
  return check.kind in words;
}

function named(key: string): string {
  return key.includes("#") ? `"#${key.slice(key.indexOf("#") + 1)}"` : "the schema";
}

/** Checks that put other schemas to the very same value. */
function isInPlace({ kind }: Check): boolean {
  return ["all", "any", "one", "not", "when", "dependent"].includes(kind);
}

/** Every key that each part reaches, by the checks that are followed. */
function circular(
  parts: readonly Keyed[],
  follow: (check: Check) => readonly Schema[],
): Map<string, Set<string>> {
  const direct = new Map(parts.map(({ key, schema }) => [key, referencesIn(schema, follow)]));
  const reached = new Map<string, Set<string>>();
  for (const key of direct.keys()) {
    const found = new Set<string>();
    const open = [...(direct.get(key) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(...(direct.get(next) ?? []));
    }
    reached.set(key, found);
  }
  // Kept are the keys that lead back.
  for (const [key, found] of reached) {
    for (const other of found) if (reached.get(other)?.has(key) !== true) found.delete(other);
  }
  return reached;
}

/** Does the check lead back to the schema it stands in? */
function reaches(check: Check, anywhere: Map<string, Set<string>>, owner: string): boolean {
  const back = anywhere.get(owner);
  return schemasIn(check).some((schema) => referencesIn(schema).some((key) => back?.has(key) === true));
}

/** The schema with only the checks that may stay, at every depth. */
function kept(schema: Schema, stays: (check: Check) => boolean): Schema {
  return { ...schema, checks: schema.checks.filter(stays).map((check) => inside(check, stays)) };
}

function inside(check: Check, stays: (check: Check) => boolean): Check {
  const keep = (schema: Schema): Schema => kept(schema, stays);
  const maybe = (schema: Schema | null): Schema | null => (schema === null ? null : keep(schema));
  switch (check.kind) {
    case "items":
      return { ...check, first: check.first.map(keep), rest: maybe(check.rest) };
    case "contains":
    case "names":
    case "not":
      return { ...check, schema: keep(check.schema) };
    case "members":
      return {
        ...check,
        properties: check.properties.map((entry) => ({ ...entry, schema: keep(entry.schema) })),
        patterns: check.patterns.map((entry) => ({ ...entry, schema: keep(entry.schema) })),
        rest: maybe(check.rest),
      };
    case "dependent":
      return { ...check, schema: maybe(check.schema) };
    case "all":
    case "any":
    case "one":
      return { ...check, schemas: check.schemas.map(keep) };
    case "when":
      return { ...check, test: keep(check.test), then: maybe(check.then), otherwise: maybe(check.otherwise) };
    default:
      return check;
  }
}
