import {
  anything,
  type Check,
  type CheckOf,
  type Schema,
  type SchemaProperty,
  type Sized,
  type TypeName,
} from "../constraint.js";
import { type Json, type JsonRecord, exact } from "../json.js";
import { isOf, matches, sizeOf } from "../json/value.js";

/** The type of the values that a check applies to; an integer is a number. */
type ValueType = Exclude<TypeName, "null" | "boolean" | "integer">;

/** Keywords with their values; undefined for one that is left out. */
export type Keywords = Readonly<Record<string, Json | undefined>>;

/** Writes the parts of a check as JSON Schema. */
export interface Writer {
  readonly json: (schema: Schema) => Json;
  /** The value of `$ref` for the key of a definition. */
  readonly referenceTo: (key: string) => string;
  /** Puts a list in order whose order restricts nothing. */
  readonly inOrder: (values: readonly Json[]) => readonly Json[];
}

/** Tests values with the schemas in a check. */
export interface Tester {
  readonly fits: (schema: Schema, value: Json) => boolean;
  readonly fitsKey: (key: string, value: Json) => boolean;
}

type Replace = (schema: Schema) => Schema;

/** What JSON Schema says about a kind of check. */
interface CheckKind<C extends Check, V> {
  /** The keywords that are read as this check. */
  readonly keywords: readonly string[];
  /** The keywords of a check. */
  write(check: C, writer: Writer): Keywords;
  /** True if a value of the type passes the check. */
  accepts(check: C, value: V, tester: Tester): boolean;
  /**
   * A copy of a check with each schema in it replaced; absent if it has none.
   */
  withSchemas?(check: C, replace: Replace): C;
}

/**
 * The kinds of checks by name, with the type of the values that each applies
 * to; without one, it applies to all, or the check names it.
 */
type CheckKinds = {
  readonly [K in Check["kind"]]:
    | (CheckKind<CheckOf<K>, Json> & { readonly type?: never })
    | (CheckKind<CheckOf<K>, number> & { readonly type: "number" })
    | (CheckKind<CheckOf<K>, string> & { readonly type: "string" })
    | (CheckKind<CheckOf<K>, readonly Json[]> & { readonly type: "array" })
    | (CheckKind<CheckOf<K>, JsonRecord> & { readonly type: "object" });
};

/** The keywords of bounds. */
export const bounds = [
  ["minimum", "low", false],
  ["maximum", "high", false],
  ["exclusiveMinimum", "low", true],
  ["exclusiveMaximum", "high", true],
] as const;

/** The keywords of a minimum and a maximum size. */
export const sizes: Readonly<
  Record<Sized, readonly [low: string, high: string]>
> = {
  string: ["minLength", "maxLength"],
  array: ["minItems", "maxItems"],
  object: ["minProperties", "maxProperties"],
};

/**
 * All kinds of checks. A new check is a row here; its keyword is read in
 * `read/json-schema/` and checked in `view/typescript/guards/`.
 */
export const checkKinds: CheckKinds = {
  never: { keywords: [], write: () => ({ not: true }), accepts: () => false },
  type: {
    keywords: ["type"],
    write: ({ types }, { inOrder }) => ({
      type: types.length === 1 ? types[0] : inOrder(types),
    }),
    accepts: ({ types }, value) => types.some((type) => isOf(type, value)),
  },
  values: {
    keywords: ["const", "enum"],
    write: ({ values }, { inOrder }) =>
      values.length === 1 ? { const: values[0] } : { enum: inOrder(values) },
    accepts: ({ values }, value) =>
      values.some((one) => exact(one) === exact(value)),
  },
  reference: {
    keywords: ["$ref"],
    write: ({ key }, { referenceTo }) => ({ $ref: referenceTo(key) }),
    accepts: ({ key }, value, { fitsKey }) => fitsKey(key, value),
  },
  bound: {
    type: "number",
    keywords: bounds.map(([name]) => name),
    write: ({ side, value, open }) => {
      const own = bounds.filter((row) => row[1] === side && row[2] === open);
      return Object.fromEntries(own.map(([name]) => [name, value]));
    },
    accepts: isWithin,
  },
  multiple: {
    type: "number",
    keywords: ["multipleOf"],
    write: ({ of }) => ({ multipleOf: of }),
    accepts: ({ of }, value) => Number.isInteger(value / of),
  },
  size: {
    keywords: [],
    write: ({ of, min, max }) => {
      const [low, high] = sizes[of];
      return { [low]: except(min, 0), [high]: except(max, null) };
    },
    accepts: ({ min, max }, value) => isBetween(sizeOf(value), min, max),
  },
  pattern: {
    type: "string",
    keywords: ["pattern"],
    write: ({ source }) => ({ pattern: source }),
    accepts: (check, text) => matches(check, text),
  },
  items: {
    type: "array",
    keywords: ["items", "prefixItems", "unevaluatedItems"],
    write: ({ first, rest }, { json }) => ({
      prefixItems: filled(first.map(json)),
      items: optional(rest, json),
    }),
    accepts: ({ first, rest }, list, { fits }) =>
      list.every((item, i) => fits(first[i] ?? rest ?? anything, item)),
    withSchemas: (check, replace) => ({
      ...check,
      first: check.first.map(replace),
      rest: check.rest && replace(check.rest),
    }),
  },
  unique: {
    type: "array",
    keywords: ["uniqueItems"],
    write: () => ({ uniqueItems: true }),
    accepts: (_, list) => new Set(list.map(exact)).size === list.length,
  },
  contains: {
    type: "array",
    keywords: ["contains"],
    write: ({ schema, min, max }, { json }) => ({
      contains: json(schema),
      minContains: except(min, 1),
      maxContains: except(max, null),
    }),
    accepts: ({ schema, min, max }, list, { fits }) =>
      isBetween(list.filter((item) => fits(schema, item)).length, min, max),
    withSchemas: withSchema,
  },
  members: {
    type: "object",
    keywords: [
      "properties",
      "patternProperties",
      "additionalProperties",
      "unevaluatedProperties",
    ],
    write: ({ properties, patterns, rest }, { json }) => ({
      properties: mapped(
        properties.map(({ name, schema }) => [name, json(schema)]),
      ),
      patternProperties: mapped(
        patterns.map(({ pattern, schema }) => [pattern, json(schema)]),
      ),
      additionalProperties: optional(rest, json),
    }),
    accepts: (check, record, { fits }) =>
      Object.entries(record).every(([name, member]) =>
        schemasOf(check, name).every((schema) => fits(schema, member)),
      ),
    withSchemas: (check, replace) => ({
      ...check,
      properties: check.properties.map((entry) => withSchema(entry, replace)),
      patterns: check.patterns.map((entry) => withSchema(entry, replace)),
      rest: check.rest && replace(check.rest),
    }),
  },
  required: {
    type: "object",
    keywords: ["required"],
    write: ({ names }, { inOrder }) => ({ required: filled(inOrder(names)) }),
    accepts: ({ names }, record) =>
      names.every((name) => Object.hasOwn(record, name)),
  },
  names: {
    type: "object",
    keywords: ["propertyNames"],
    write: ({ schema }, { json }) => ({ propertyNames: json(schema) }),
    accepts: ({ schema }, record, { fits }) =>
      Object.keys(record).every((name) => fits(schema, name)),
    withSchemas: withSchema,
  },
  dependent: {
    type: "object",
    keywords: ["dependencies", "dependentRequired", "dependentSchemas"],
    write: ({ member, names, schema }, { json, inOrder }) => ({
      dependentRequired: mapped(
        names.length === 0 ? [] : [[member, inOrder(names)]],
      ),
      dependentSchemas: mapped(schema === null ? [] : [[member, json(schema)]]),
    }),
    accepts: ({ member, names, schema }, record, { fits }) =>
      !Object.hasOwn(record, member) ||
      (names.every((name) => Object.hasOwn(record, name)) &&
        fits(schema ?? anything, record)),
    withSchemas: (check, replace) => ({
      ...check,
      schema: check.schema && replace(check.schema),
    }),
  },
  all: {
    keywords: ["allOf"],
    write: ({ schemas }, writer) => ({ allOf: listOf(schemas, writer) }),
    accepts: ({ schemas }, value, { fits }) =>
      schemas.every((schema) => fits(schema, value)),
    withSchemas: withAll,
  },
  any: {
    keywords: ["anyOf"],
    write: ({ schemas }, writer) => ({ anyOf: listOf(schemas, writer) }),
    accepts: ({ schemas }, value, { fits }) =>
      schemas.some((schema) => fits(schema, value)),
    withSchemas: withAll,
  },
  one: {
    keywords: ["oneOf"],
    write: ({ schemas }, writer) => ({ oneOf: listOf(schemas, writer) }),
    accepts: ({ schemas }, value, { fits }) =>
      schemas.filter((schema) => fits(schema, value)).length === 1,
    withSchemas: withAll,
  },
  not: {
    keywords: ["not"],
    write: ({ schema }, { json }) => ({ not: json(schema) }),
    accepts: ({ schema }, value, { fits }) => !fits(schema, value),
    withSchemas: withSchema,
  },
  when: {
    keywords: ["if"],
    write: ({ test, then, otherwise }, { json }) => ({
      if: json(test),
      then: optional(then, json),
      else: optional(otherwise, json),
    }),
    accepts: ({ test, then, otherwise }, value, { fits }) =>
      fits((fits(test, value) ? then : otherwise) ?? anything, value),
    withSchemas: (check, replace) => ({
      ...check,
      test: replace(check.test),
      then: check.then && replace(check.then),
      otherwise: check.otherwise && replace(check.otherwise),
    }),
  },
};

/** What is known of a check by its kind. */
export function kindOfCheck(check: Check): CheckKind<Check, Json> {
  return checkKinds[check.kind] as CheckKind<Check, Json>;
}

/**
 * The type of the values that a check applies to; null if it applies to all.
 */
export function typeOfCheck(check: Check): ValueType | null {
  return check.kind === "size"
    ? check.of
    : (checkKinds[check.kind].type ?? null);
}

/** The keywords of all checks of values of a type. */
export function keywordsFor(type: ValueType): readonly string[] {
  const sized = type === "number" ? [] : sizes[type];
  return [
    ...sized,
    ...Object.values(checkKinds).flatMap((kind) =>
      kind.type === type ? kind.keywords : [],
    ),
  ];
}

/** The schemas that apply to a member of this name. */
export function schemasOf(
  { properties, patterns, rest }: CheckOf<"members">,
  name: string,
): readonly Schema[] {
  const schemas = [
    ...(propertiesByName(properties).get(name) ?? []),
    ...patterns.filter(({ pattern: source, maxLength }) =>
      matches({ source, maxLength }, name),
    ),
  ].map(({ schema }) => schema);
  return schemas.length === 0 && rest !== null ? [rest] : schemas;
}

const known = new WeakMap<
  readonly SchemaProperty[],
  ReadonlyMap<string, readonly SchemaProperty[]>
>();

/** The members by name; a list is read once. */
function propertiesByName(
  properties: readonly SchemaProperty[],
): ReadonlyMap<string, readonly SchemaProperty[]> {
  const before = known.get(properties);
  if (before !== undefined) return before;
  const byName = new Map<string, SchemaProperty[]>();
  for (const property of properties)
    byName.set(property.name, [...(byName.get(property.name) ?? []), property]);
  known.set(properties, byName);
  return byName;
}

function withSchema<C extends { readonly schema: Schema }>(
  check: C,
  replace: Replace,
): C {
  return { ...check, schema: replace(check.schema) };
}

function withAll<C extends { readonly schemas: readonly Schema[] }>(
  check: C,
  replace: Replace,
): C {
  return { ...check, schemas: check.schemas.map(replace) };
}

/** True if a bound allows a number. */
export function isWithin(
  { side, value: limit, open }: CheckOf<"bound">,
  value: number,
): boolean {
  const [low, high] = side === "low" ? [limit, value] : [value, limit];
  return open ? low < high : low <= high;
}

function isBetween(count: number, min: number, max: number | null): boolean {
  return count >= min && count <= (max ?? Infinity);
}

function optional(
  schema: Schema | null,
  json: Writer["json"],
): Json | undefined {
  return schema === null ? undefined : json(schema);
}

function listOf(
  schemas: readonly Schema[],
  { json, inOrder }: Writer,
): readonly Json[] {
  return inOrder(schemas.map(json));
}

/** The value of a keyword; undefined if it is the one without the keyword. */
function except<T extends Json>(value: T, absent: Json): T | undefined {
  return value === absent ? undefined : value;
}

/** A list; undefined if it is empty. */
export function filled(values: readonly Json[]): readonly Json[] | undefined {
  return values.length === 0 ? undefined : values;
}

function mapped(
  entries: readonly (readonly [name: string, value: Json])[],
): JsonRecord | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
