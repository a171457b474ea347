import type { Check, Definition, Schema } from "../../../ir/constraint.js";
import { typesOf, valuesOf } from "./simple.js";

/** A member whose value selects one of several objects. */
export interface Tag {
  readonly member: string;
  readonly cases: readonly { readonly values: readonly Scalar[]; readonly schema: Schema }[];
  /** Alternatives that are no objects. */
  readonly others: readonly Schema[];
}

type Scalar = string | number | boolean | null;
type Definitions = ReadonlyMap<string, Definition>;

/**
 * Finds a member that every object among the alternatives requires with listed values, none of which two of them share.
 * Null when there is none, or when fewer than two alternatives are objects. An alternative without a type is an object
 * where only objects get that far.
 */
export function findTag(
  definitions: Definitions,
  schemas: readonly Schema[],
  onlyObjects: boolean,
): Tag | null {
  const objects = schemas.filter((schema) => isObject(checksOf(definitions, schema), onlyObjects));
  const others = schemas.filter((schema) => !objects.includes(schema));
  const [first] = objects;
  if (first === undefined || objects.length < 2 || !others.every(isNoObject)) return null;
  for (const member of requiredIn(checksOf(definitions, first))) {
    const cases = objects.map((schema) => ({ values: tagValues(definitions, schema, member), schema }));
    const values = cases.flatMap((entry) => entry.values);
    const isTag = cases.every((entry) => entry.values.length > 0) && new Set(values).size === values.length;
    if (isTag) return { member, cases, others };
  }
  return null;
}

/** The checks of a schema; of its target when it is only a reference. */
function checksOf(definitions: Definitions, schema: Schema): readonly Check[] {
  const seen = new Set<string>();
  let { checks } = schema;
  for (;;) {
    const [only] = checks;
    if (checks.length !== 1 || only?.kind !== "reference" || seen.has(only.key)) return checks;
    seen.add(only.key);
    checks = definitions.get(only.key)?.schema.checks ?? [];
  }
}

function isObject(checks: readonly Check[], onlyObjects: boolean): boolean {
  const types = typesOf(checks) ?? (onlyObjects ? ["object"] : []);
  return types.length === 1 && types[0] === "object" && valuesOf(checks) === null;
}

function isNoObject({ checks }: Schema): boolean {
  const values = valuesOf(checks);
  if (values !== null) return values.every((value) => typeof value !== "object" || value === null);
  return typesOf(checks)?.includes("object") === false;
}

function requiredIn(checks: readonly Check[]): readonly string[] {
  return checks.flatMap((check) => (check.kind === "required" ? check.names : []));
}

/** The values that a schema lists for a member that it requires; none when it does not, or lists more than scalars. */
function tagValues(definitions: Definitions, schema: Schema, member: string): Scalar[] {
  const checks = checksOf(definitions, schema);
  if (!requiredIn(checks).includes(member)) return [];
  for (const check of checks) {
    const found = check.kind === "members" ? check.properties.find(({ name }) => name === member) : undefined;
    const values = found === undefined ? null : valuesOf(checksOf(definitions, found.schema));
    if (values?.every((value) => typeof value !== "object" || value === null)) {
      return [...new Set(values as readonly Scalar[])];
    }
  }
  return [];
}
