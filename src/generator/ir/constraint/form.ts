import {
  anything,
  type Check,
  type CheckOf,
  type Doc,
  ofKind,
  type Schema,
  type SchemaProperty,
  type TypeName,
} from "../constraint.js";
import { type Json, exact } from "../json.js";
import { isOf } from "../json/value.js";
import { typeOfCheck } from "./kinds.js";

export type Scalar = string | number | boolean | null;

/** A member that an object schema names. */
export interface Property extends SchemaProperty {
  readonly optional: boolean;
}

/**
 * The note with the name of the constant whose value a schema repeats:
 * `typeof PARSE_ERROR`.
 */
export const constantNote = "mcpgen:constant";

export function schemaOf(
  checks: readonly Check[],
  doc: Doc = anything.doc,
): Schema {
  return { doc, checks };
}

/** A schema of one value. */
export function ofValue(value: Json): Schema {
  return schemaOf([{ kind: "values", values: [value] }]);
}

export function reference(key: string): Schema {
  return schemaOf([{ kind: "reference", key }]);
}

/**
 * An object with these members. Without members and `rest` it allows any
 * object.
 */
export function objectSchema(
  properties: readonly Property[],
  rest: Schema | null,
  doc?: Doc,
): Schema {
  const names = properties
    .filter(({ optional }) => !optional)
    .map(({ name }) => name);
  const members = properties.map(({ name, schema }) => ({ name, schema }));
  return schemaOf(
    [
      { kind: "type", types: ["object"] },
      ...(names.length === 0 ? [] : [{ kind: "required" as const, names }]),
      ...(members.length === 0 && rest === null
        ? []
        : [
            {
              kind: "members" as const,
              properties: members,
              patterns: [],
              rest,
            },
          ]),
    ],
    doc,
  );
}

/**
 * The check of a schema with a single check of this kind; null for any other
 * schema.
 */
export function onlyOf<K extends Check["kind"]>(
  checks: readonly Check[],
  kind: K,
): CheckOf<K> | null {
  const only = checks[0];
  return checks.length === 1 && only?.kind === kind
    ? (only as CheckOf<K>)
    : null;
}

/** The key of a schema that is only a reference; null for any other. */
export function referenceIn({ checks }: Schema): string | null {
  return onlyOf(checks, "reference")?.key ?? null;
}

/** The types in a schema's `type`; null without it. */
export function typesOf(checks: readonly Check[]): readonly TypeName[] | null {
  return checks.find((check) => check.kind === "type")?.types ?? null;
}

/**
 * The values that are in all lists of a schema and that its types allow; null
 * without a list.
 */
export function valuesOf(checks: readonly Check[]): readonly Json[] | null {
  const [first, ...others] = ofKind(checks, "values");
  if (first === undefined) return null;
  const keys = others.map(({ values }) => new Set(values.map(exact)));
  const lists = ofKind(checks, "type");
  return first.values.filter(
    (value) =>
      keys.every((list) => list.has(exact(value))) &&
      lists.every(({ types }) => types.some((type) => isOf(type, value))),
  );
}

export function isScalar(value: Json): value is Scalar {
  return typeof value !== "object" || value === null;
}

/**
 * The only value of a schema, if it is not an object or an array; undefined for
 * any other schema.
 */
export function constantIn({ checks }: Schema): Scalar | undefined {
  const values = valuesOf(checks);
  const value = values?.[0];
  return values?.length === 1 && value !== undefined && isScalar(value)
    ? value
    : undefined;
}

/**
 * The only type of a schema that does not list its values; null for any other
 * schema.
 */
export function typeIn({ checks }: Schema): TypeName | null {
  const types = typesOf(checks);
  return types?.length === 1 && !checks.some(({ kind }) => kind === "values")
    ? (types[0] ?? null)
    : null;
}

/** The text of the note or keyword with this name; null without one. */
export function noteIn({ notes = [] }: Schema, keyword: string): string | null {
  const value = notes.find((note) => note.keyword === keyword)?.value;
  return typeof value === "string" ? value : null;
}

/**
 * The alternatives of a schema that is only a union, or a list of values or of
 * types; the schema itself otherwise.
 */
export function alternativesIn(schema: Schema): readonly Schema[] {
  const { checks } = schema;
  const [only] = checks;
  if (checks.length === 1 && (only?.kind === "any" || only?.kind === "one"))
    return only.schemas;
  const values = valuesOf(checks);
  if (values !== null && values.length > 1) return values.map(ofValue);
  const types = values === null ? (typesOf(checks) ?? []) : [];
  if (types.length < 2) return [schema];
  const applies = (check: Check, type: TypeName): boolean => {
    const own = typeOfCheck(check);
    return (
      own === null || own === type || (own === "number" && type === "integer")
    );
  };
  return types.map((type) => ({
    ...schema,
    checks: checks
      .filter((check) => applies(check, type))
      .map((check) =>
        check.kind === "type" ? { ...check, types: [type] } : check,
      ),
  }));
}

/** The schema of the items of an array. */
export function itemsIn({ checks }: Schema): Schema {
  return ofKind(checks, "items")[0]?.rest ?? anything;
}

/** The members that an object schema requires. */
export function requiredIn(checks: readonly Check[]): Set<string> {
  return new Set(ofKind(checks, "required").flatMap(({ names }) => names));
}

const properties = new WeakMap<Schema, readonly Property[]>();

/** The members that an object schema names or only requires. */
export function propertiesIn(schema: Schema): readonly Property[] {
  const known = properties.get(schema);
  if (known !== undefined) return known;
  const required = requiredIn(schema.checks);
  const members = ofKind(schema.checks, "members").flatMap(
    (check) => check.properties,
  );
  const named = members.map(({ name, schema }) => ({
    name,
    optional: !required.delete(name),
    schema,
  }));
  const all = [
    ...named,
    ...[...required].map((name) => ({
      name,
      optional: false,
      schema: anything,
    })),
  ];
  properties.set(schema, all);
  return all;
}

/**
 * The schema of the members without a name; null if the object schema says
 * nothing of them.
 */
export function restIn({ checks }: Schema): Schema | null {
  const [members] = ofKind(checks, "members");
  return members === undefined || members.patterns.length > 0
    ? null
    : members.rest;
}
