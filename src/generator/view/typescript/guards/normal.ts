import {
  type Check,
  type CheckOf,
  ofKind,
  type PlainKind,
  type Schema,
  type TypeName,
} from "../../../ir/constraint.js";
import { isOf } from "../../../ir/json/value.js";
import type { Definitions } from "../../../ir/constraint/accepts.js";
import { textOf } from "../../../ir/constraint/walk.js";
import { onlyOf, referenceIn } from "../../../ir/constraint/form.js";
import { targetOf } from "./inspect.js";
import { areDisjoint } from "./tag.js";
import { distinct } from "../../../ir/groups.js";
import { exact } from "../../../ir/json.js";

const cache = new WeakMap<Definitions, WeakMap<Schema, readonly Check[]>>();

/**
 * The checks of a schema in normal form: without those that reject nothing, and
 * with unions of types as one check. A reference stays, because the guard of
 * its target rejects undefined.
 */
export function checksOf(
  definitions: Definitions,
  schema: Schema,
): readonly Check[] {
  const results =
    cache.get(definitions) ?? new WeakMap<Schema, readonly Check[]>();
  cache.set(definitions, results);
  const cached = results.get(schema);
  if (cached !== undefined) return cached;
  // The checks as they are, for a schema that leads back to itself.
  results.set(schema, schema.checks);
  const checks = withOneType(
    schema.checks.flatMap((check) => normal(definitions, check)),
  );
  results.set(schema, checks);
  return checks;
}

/**
 * The checks with the types that all of several type checks accept, such as
 * those of a schema and of its only alternative.
 */
function withOneType(checks: readonly Check[]): readonly Check[] {
  const [first, ...others] = ofKind(checks, "type");
  if (first === undefined || others.length === 0) return checks;
  const common = first.types.flatMap((type) => {
    const accepts = (name: TypeName): boolean =>
      others.every(
        ({ types }) =>
          types.includes(name) ||
          (name === "integer" && types.includes("number")),
      );
    return accepts(type)
      ? [type]
      : type === "number" && accepts("integer")
        ? (["integer"] as const)
        : [];
  });
  const type: Check =
    common.length === 0 ? { kind: "never" } : { kind: "type", types: common };
  return [type, ...checks.filter(({ kind }) => kind !== "type")];
}

/** True if the schema, or the one that it refers to, accepts every value. */
export function acceptsAll(
  definitions: Definitions,
  schema: Schema | null,
): boolean {
  return (
    schema === null ||
    checksOf(definitions, targetOf(definitions, schema)).length === 0
  );
}

function normal(definitions: Definitions, check: Check): readonly Check[] {
  const isOpen = (schema: Schema | null): boolean =>
    acceptsAll(definitions, schema);
  switch (check.kind) {
    case "items":
      return isOpen(check.rest) && check.first.every(isOpen) ? [] : [check];
    case "members": {
      const members = [...check.properties, ...check.patterns];
      return members.every(({ schema }) => isOpen(schema)) && isOpen(check.rest)
        ? []
        : [check];
    }
    case "required":
      return check.names.length === 0 ? [] : [check];
    case "dependent":
      return check.names.length === 0 && isOpen(check.schema) ? [] : [check];
    case "when":
      return isOpen(check.then) && isOpen(check.otherwise) ? [] : [check];
    case "size":
    case "contains":
      return check.min === 0 && check.max === null ? [] : [check];
    case "names":
      return isOpen(check.schema) ? [] : [check];
    case "all": {
      const restrictive = distinct(check.schemas, textOf).filter(
        (schema) => !isOpen(schema),
      );
      return restrictive.length === 0
        ? []
        : [{ kind: "all", schemas: restrictive }];
    }
    case "any":
      return normalUnion(definitions, check.schemas);
    case "one":
      return areDisjoint(definitions, check.schemas)
        ? normalUnion(definitions, check.schemas)
        : [check];
    default:
      void (check satisfies CheckOf<
        Exclude<PlainKind, "size" | "required"> | "not"
      >);
      return [check];
  }
}

function normalUnion(
  definitions: Definitions,
  arms: readonly Schema[],
): readonly Check[] {
  if (arms.some((arm) => acceptsAll(definitions, arm))) return [];
  const all = arms.map((arm) => checksOf(definitions, arm));
  const types = all.map((checks) => onlyOf(checks, "type")?.types ?? []);
  const typeSet = new Set(types.flat());
  // A value of a type that another alternative accepts needs no test.
  const indexes = all.flatMap((checks, i) => {
    const values = onlyOf(checks, "values")?.values;
    const isImplied = values?.every((value) =>
      [...typeSet].some((type) => isOf(type, value)),
    );
    return isImplied === true ? [] : [i];
  });
  if (indexes.every((i) => types[i]?.length))
    return [
      { kind: "type", types: union(indexes.flatMap((i) => types[i] ?? [])) },
    ];
  const lists = indexes.map((i) => onlyOf(all[i] ?? [], "values")?.values);
  if (lists.every((list) => list !== undefined))
    return [{ kind: "values", values: distinct(lists.flat(), exact) }];
  const [only] = indexes;
  if (indexes.length === 1 && only !== undefined) return all[only] ?? [];
  return [{ kind: "any", schemas: indexes.flatMap((i) => arms[i] ?? []) }];
}

function union(types: readonly TypeName[]): TypeName[] {
  return [...new Set(types)].filter(
    (type) => type !== "integer" || !types.includes("number"),
  );
}

/**
 * The alternatives of a union in order, without duplicates. A reference to a
 * union is replaced by its alternatives.
 */
export function flattenArms(
  definitions: Definitions,
  schemas: readonly Schema[],
): Schema[] {
  const arms = new Map<string, Schema>();
  const visited = new Set<string>();
  const visit = (schema: Schema): void => {
    const inner = onlyOf(
      checksOf(definitions, targetOf(definitions, schema)),
      "any",
    );
    const key = referenceIn(schema);
    if (inner === null || (key !== null && visited.has(key))) {
      const text = textOf(schema);
      if (!arms.has(text)) arms.set(text, schema);
      return;
    }
    if (key !== null) visited.add(key);
    inner.schemas.forEach(visit);
  };
  schemas.forEach(visit);
  return [...arms.values()];
}
