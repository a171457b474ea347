import { sorted } from "./canonical.js";
import type { Json, JsonRecord } from "./model.js";
import type { Check, Schema, TypeName } from "./schema.js";

/** The schemas that references lead to, by their keys. */
export type Schemas = ReadonlyMap<string, Schema>;

/** Values that lie deeper than this are taken to fit nothing. */
const deepest = 64;

/** Does the schema accept the value? For values of our own making, which are small: generated guards judge those of others. */
export function accepts(schemas: Schemas, schema: Schema, value: Json, depth = 0): boolean {
  if (depth > deepest) return false;
  return schema.checks.every((check) => holds(schemas, check, value, depth + 1));
}

function holds(schemas: Schemas, check: Check, value: Json, depth: number): boolean {
  const fits = (schema: Schema, inner: Json): boolean => accepts(schemas, schema, inner, depth);
  switch (check.kind) {
    case "never":
      return false;
    case "type":
      return check.types.some((type) => hasType(value, type));
    case "values":
      return check.values.some((other) => textOf(other) === textOf(value));
    case "reference": {
      const target = schemas.get(check.key);
      return target === undefined || fits(target, value);
    }
    case "all":
      return check.schemas.every((schema) => fits(schema, value));
    case "any":
      return check.schemas.some((schema) => fits(schema, value));
    case "one":
      return check.schemas.filter((schema) => fits(schema, value)).length === 1;
    case "not":
      return !fits(check.schema, value);
    case "when": {
      const next = fits(check.test, value) ? check.then : check.otherwise;
      return next === null || fits(next, value);
    }
    default:
      return holdsWithin(check, value, fits);
  }
}

type Within = Extract<
  Check,
  {
    kind:
      | "bound"
      | "multiple"
      | "size"
      | "pattern"
      | "items"
      | "unique"
      | "contains"
      | "members"
      | "required"
      | "names"
      | "dependent";
  }
>;

/** Conditions on values of one type, which leave others alone. */
function holdsWithin(check: Within, value: Json, fits: (schema: Schema, value: Json) => boolean): boolean {
  switch (check.kind) {
    case "bound": {
      if (typeof value !== "number") return true;
      const { side, value: bound, open } = check;
      return value === bound ? !open : side === "low" ? value > bound : value < bound;
    }
    case "multiple":
      return typeof value !== "number" || Number.isInteger(value / check.of);
    case "pattern":
      return typeof value !== "string" || new RegExp(check.source, "u").test(value);
    case "size": {
      const size = hasType(value, check.of) ? sizeOf(value) : null;
      return size === null || (size >= check.least && size <= (check.most ?? Infinity));
    }
    case "items": {
      if (!isList(value)) return true;
      const { first, rest } = check;
      return value.every((item, i) => {
        const schema = first[i] ?? rest;
        return schema === null || fits(schema, item);
      });
    }
    case "unique":
      return !isList(value) || new Set(value.map(textOf)).size === value.length;
    case "contains": {
      if (!isList(value)) return true;
      const count = value.filter((item) => fits(check.schema, item)).length;
      return count >= check.least && count <= (check.most ?? Infinity);
    }
    default:
      return !isRecord(value) || holdsOfMembers(check, value, fits);
  }
}

function holdsOfMembers(
  check: Extract<Check, { kind: "members" | "required" | "names" | "dependent" }>,
  value: JsonRecord,
  fits: (schema: Schema, value: Json) => boolean,
): boolean {
  switch (check.kind) {
    case "required":
      return check.names.every((name) => Object.hasOwn(value, name));
    case "names":
      return Object.keys(value).every((name) => fits(check.schema, name));
    case "dependent":
      if (!Object.hasOwn(value, check.member)) return true;
      return (
        check.names.every((name) => Object.hasOwn(value, name)) &&
        (check.schema === null || fits(check.schema, value))
      );
    default:
      return Object.entries(value).every(([name, member]) => {
        const named = check.properties.filter((entry) => entry.name === name);
        const matched = check.patterns.filter(({ pattern }) => new RegExp(pattern, "u").test(name));
        const told = [...named, ...matched].map(({ schema }) => schema);
        return (told.length > 0 || check.rest === null ? told : [check.rest]).every((schema) =>
          fits(schema, member),
        );
      });
  }
}

export function hasType(value: Json, type: TypeName): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return isList(value);
    case "object":
      return isRecord(value);
    default:
      return typeof value === type;
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isRecord(value: Json): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Code points, items or members. */
function sizeOf(value: Json): number {
  if (typeof value === "string") return [...value].length;
  return Object.keys(value as JsonRecord).length;
}

/** The same text for the same value. */
function textOf(value: Json): string {
  return JSON.stringify(sorted(value));
}
