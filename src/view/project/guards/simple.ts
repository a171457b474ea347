import type { Json } from "../../../ir/snapshot/model.js";
import type { Check, Schema, TypeName } from "../../../ir/constraint.js";
import { arrayCode, type Code, code, jsonCode, literal } from "../../typescript/code.js";
import { constantOf, type GuardScope } from "./scope.js";

/** The values that all lists of a schema share, as far as its types allow them; null when it lists none. */
export function valuesOf(checks: readonly Check[]): readonly Json[] | null {
  const lists = checks.flatMap((check) => (check.kind === "values" ? [check.values] : []));
  const [first, ...others] = lists;
  if (first === undefined) return null;
  const types = typesOf(checks);
  return first.filter((value) => {
    const isListed = others.every((list) => list.some((other) => sameJson(value, other)));
    return isListed && (types === null || types.some((type) => hasType(value, type)));
  });
}

/** The types that a schema names; null when it names none. */
export function typesOf(checks: readonly Check[]): readonly TypeName[] | null {
  return checks.find((check) => check.kind === "type")?.types ?? null;
}

export function hasType(value: Json, type: TypeName): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** The same value; the order of members does not count. */
export function sameJson(a: Json, b: Json): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]): [string, Json] => [name, ordered(member)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** More values than this are looked up in a set. */
const mostCompared = 8;

/** Conditions that are all true when the value is none of these. */
export function valueRefusals(scope: GuardScope, values: readonly Json[], value: Code): Code[] {
  const scalars = values.filter((entry) => typeof entry !== "object" || entry === null);
  const others = values.filter((entry) => typeof entry === "object" && entry !== null);
  const deep = others.map((entry) => code`!same(${value}, ${jsonCode(entry)})`);
  if (scalars.length <= mostCompared) {
    return [...scalars.map((entry) => code`${value} !== ${scalar(entry)}`), ...deep];
  }
  const list = arrayCode(scalars.map(scalar));
  const set = constantOf(
    scope,
    "values",
    code`ReadonlySet<unknown>`,
    code`/* @__PURE__ */ new Set<unknown>(${list})`,
  );
  return [code`!${set}.has(${value})`, ...deep];
}

function scalar(value: Json): Code {
  return typeof value === "object" ? literal(null) : literal(value as string);
}

/** A condition that is true when the value is not of the type. */
export function typeRefusal(type: TypeName, value: Code): Code {
  switch (type) {
    case "null":
      return code`${value} !== null`;
    case "number":
      // What never was JSON may be no finite number.
      return code`!Number.isFinite(${value})`;
    case "integer":
      return code`!Number.isInteger(${value})`;
    case "array":
      return code`!Array.isArray(${value})`;
    case "object":
      return code`!isObject(${value})`;
    default:
      return code`typeof ${value} !== ${literal(type)}`;
  }
}

/**
 * Conditions that are all true when the value must be refused, for a schema that names types or values and nothing else;
 * null for any other.
 */
export function simpleRefusals(scope: GuardScope, schema: Schema, value: Code): Code[] | null {
  const { checks } = schema;
  if (checks.length === 0 || checks.some(({ kind }) => kind !== "type" && kind !== "values")) return null;
  const values = valuesOf(checks);
  if (values !== null) return values.length === 0 ? null : valueRefusals(scope, values, value);
  return (typesOf(checks) ?? []).map((type) => typeRefusal(type, value));
}

/** Would a guard of the schema refuse a value that is not there? */
export function refusesAbsence(
  scope: GuardScope,
  schema: Schema,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  return schema.checks.some((check) => {
    if (check.kind === "type" || check.kind === "values" || check.kind === "never") return true;
    if (check.kind !== "reference" || seen.has(check.key)) return false;
    const target = scope.file.definitions.get(check.key);
    return target !== undefined && refusesAbsence(scope, target.schema, new Set([...seen, check.key]));
  });
}
