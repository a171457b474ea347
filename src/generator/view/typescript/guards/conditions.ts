import type {
  ArrayKind,
  Check,
  CheckOf,
  ObjectKind,
  ScalarKind,
  Schema,
  TypeName,
} from "../../../ir/constraint.js";
import type { Json } from "../../../ir/snapshot/model.js";
import { arrayCode, type Code, code, jsonCode, literal } from "../code.js";
import { constantOf, type GuardFile, guardCall, type Scope } from "./file.js";
import {
  isScalar,
  onlyOf,
  type Scalar,
  typesOf,
  valuesOf,
} from "../../../ir/constraint/form.js";
import { acceptsNothing, type Bounds, boundsOf, targetOf } from "./inspect.js";
import { checksOf, flattenArms } from "./normal.js";
import { findTag } from "./tag.js";

/**
 * Conditions that are all true if the schema rejects the value; null if no
 * expression can express this. An undefined value is always rejected.
 */
export function rejectionTests(
  scope: Scope,
  schema: Schema,
  value: Code,
): Code[] | null {
  const checks = inlineChecks(scope.file, schema);
  if (checks.length === 0) return [code`${value} === undefined`];
  const key = onlyOf(checks, "reference")?.key;
  if (key !== undefined) return [code`!${guardCall(scope, key, value)}`];
  const union = onlyOf(checks, "any");
  return union === null
    ? plainRejections(scope, checks, value)
    : unionRejections(scope, union.schemas, value);
}

/**
 * The checks of a schema. A reference to a scalar, or to a short union of
 * scalars, counts as its target.
 */
export function inlineChecks(
  { definitions, recursive }: GuardFile,
  schema: Schema,
): readonly Check[] {
  const checks = checksOf(definitions, schema);
  const key = onlyOf(checks, "reference")?.key;
  if (key === undefined || recursive.has(key)) return checks;
  const target = checksOf(definitions, targetOf(definitions, schema));
  const types = typesOf(target) ?? [];
  const isShort =
    types.length > 0 &&
    types.length <= 2 &&
    types.every((type) => scalarTypes.has(type));
  return isShort && (target.length === 1 || boundsOf(target) !== null)
    ? target
    : checks;
}

const scalarTypes: ReadonlySet<TypeName> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
]);

function plainRejections(
  scope: Scope,
  checks: readonly Check[],
  value: Code,
): Code[] | null {
  const values = valuesOf(checks);
  if (
    checks.some(
      ({ kind }) => kind !== "type" && kind !== "values" && kind !== "bound",
    )
  )
    return null;
  const bounds = boundsOf(checks);
  if (bounds !== null)
    return [code`!${boundedTest(typesOf(checks), bounds, value)}`];
  if (checks.some(({ kind }) => kind === "bound")) return null;
  if (values !== null)
    return values.length === 0 ? null : valueRejections(scope, values, value);
  return (typesOf(checks) ?? []).map((type) => typeRejection(type, value));
}

/**
 * The condition for each alternative of a short union without a tag; null if an
 * alternative needs several conditions.
 */
function unionRejections(
  scope: Scope,
  schemas: readonly Schema[],
  value: Code,
): Code[] | null {
  const arms = flattenArms(scope.file.definitions, schemas);
  if (arms.length > 4 || findTag(scope.file.definitions, arms) !== null)
    return null;
  const all: Code[] = [];
  for (const arm of arms) {
    // The guards of untrusted schemas are tried together, so that the closest
    // one explains the rejection.
    if (
      scope.file.isUntrusted &&
      onlyOf(inlineChecks(scope.file, arm), "reference") !== null
    )
      return null;
    const [first, ...others] = rejectionTests(scope, arm, value) ?? [];
    if (first === undefined || others.length > 0) return null;
    all.push(first);
  }
  return all;
}

/**
 * Conditions of which at least one is true if a schema of scalars accepts the
 * value; null for another schema.
 */
export function acceptanceTests(
  { file }: Scope,
  schema: Schema,
  value: Code,
): Code[] | null {
  const checks = checksOf(file.definitions, targetOf(file.definitions, schema));
  // Without checks every value is accepted, which no condition expresses.
  if (checks.length === 0) return null;
  const bounds = boundsOf(checks);
  if (bounds !== null) return [boundedTest(typesOf(checks), bounds, value)];
  if (checks.some(({ kind }) => kind !== "type" && kind !== "values"))
    return null;
  const values = valuesOf(checks);
  if (values !== null) {
    if (values.length > maxCompared || !values.every(isScalar)) return null;
    return values.map((entry) => code`${value} === ${literal(entry)}`);
  }
  const types = typesOf(checks) ?? [];
  return types.includes("array") || types.includes("object")
    ? null
    : types.map((type) => typeTest(type, value));
}

/**
 * The maximum number of values to compare one by one. More values are looked up
 * in a set.
 */
export const maxCompared = 8;

/** Conditions that are all true if the value is none of these values. */
export function valueRejections(
  scope: Scope,
  values: readonly Json[],
  value: Code,
): Code[] {
  const scalars: Scalar[] = values.filter(isScalar);
  const deep = values
    .filter((entry) => !isScalar(entry))
    .map((entry) => code`!same(${value}, ${jsonCode(entry)})`);
  if (scalars.length <= maxCompared) {
    return [
      ...scalars.map((entry) => code`${value} !== ${literal(entry)}`),
      ...deep,
    ];
  }
  const list = arrayCode(scalars.map((entry) => literal(entry)));
  const type = code`ReadonlySet<unknown>`;
  const set = constantOf(
    scope,
    "values",
    type,
    code`/* @__PURE__ */ new Set<unknown>(${list})`,
  );
  return [code`!${set}.has(${value})`, ...deep];
}

/** A condition that is true if the value does not have the type. */
export function typeRejection(type: TypeName, value: Code): Code {
  switch (type) {
    case "null":
      return code`${value} !== null`;
    case "boolean":
    case "string":
      return code`typeof ${value} !== ${literal(type)}`;
    default:
      return code`!${typeTest(type, value)}`;
  }
}

/** A condition that is true if the value has the type. */
export function typeTest(type: TypeName, value: Code): Code {
  switch (type) {
    case "null":
      return code`${value} === null`;
    case "boolean":
    case "string":
      return code`typeof ${value} === ${literal(type)}`;
    case "number":
      // A value that did not come from JSON can be NaN or infinite.
      return code`Number.isFinite(${value})`;
    case "integer":
      return code`Number.isInteger(${value})`;
    case "array":
      return code`Array.isArray(${value})`;
    case "object":
      return code`isObject(${value})`;
    default:
      return type satisfies never;
  }
}

function boundedTest(
  types: readonly TypeName[] | null,
  { low, high }: Bounds,
  value: Code,
): Code {
  // The largest number instead of Infinity, which is not a JSON number.
  const min = low === null ? code`-Number.MAX_VALUE` : literal(low);
  const max = high === null ? code`Number.MAX_VALUE` : literal(high);
  const test = code`isBetween(${value}, ${min}, ${max})`;
  return types?.includes("integer") === true
    ? code`(${typeTest("integer", value)} && ${test})`
    : test;
}

/** True if the guard of a schema rejects undefined. */
export function rejectsAbsence(
  file: GuardFile,
  schema: Schema,
  visited: ReadonlySet<string> = new Set(),
): boolean {
  const rejects = (inner: Schema): boolean =>
    rejectsAbsence(file, inner, visited);
  const checks = checksOf(file.definitions, schema);
  // The guard of a schema that accepts nothing passes undefined.
  if (acceptsNothing(checks)) return false;
  return checks.some((check) => {
    switch (check.kind) {
      case "type":
      case "values":
        return true;
      case "any":
      case "one":
        return check.schemas.every(rejects);
      case "all":
        return check.schemas.some(rejects);
      case "reference": {
        const target = visited.has(check.key)
          ? undefined
          : file.definitions.get(check.key)?.schema;
        if (target === undefined) return false;
        // The guard of a definition rejects undefined even if it accepts every
        // JSON value.
        const isOpen = checksOf(file.definitions, target).length === 0;
        return (
          isOpen ||
          rejectsAbsence(file, target, new Set([...visited, check.key]))
        );
      }
      default:
        void (check satisfies CheckOf<
          "never" | "not" | "when" | ScalarKind | ArrayKind | ObjectKind
        >);
        return false;
    }
  });
}
