import type { Check, CheckOf, Schema } from "../constraint.js";
import { type Json, type JsonRecord, byCodePoint, exact } from "../json.js";
import { isRecord } from "../json/value.js";

type Keyword = readonly [name: string, value: Json];

/** Keywords with their values; undefined for one that is left out. */
type Keywords = Readonly<Record<string, Json | undefined>>;

/** How schemas are written. */
export interface SchemaStyle {
  /** The value of `$ref` for the key of a definition. */
  readonly referenceTo: (key: string) => string;
  /** Puts a list in order whose order restricts nothing. */
  readonly inOrder: (values: readonly Json[]) => readonly Json[];
  /** The keywords before and after those of the checks. */
  readonly before: (schema: Schema) => Keywords;
  readonly after: (schema: Schema) => readonly Keyword[];
}

/** For comparisons: equal for schemas that differ only in annotations and in the order of lists. */
const comparable: SchemaStyle = {
  referenceTo: (key) => key,
  inOrder: (values) => {
    const keyed = values.map((value): [string, Json] => [exact(value), value]);
    return keyed.sort(([a], [b]) => byCodePoint(a, b)).map(([, value]) => value);
  },
  before: () => ({}),
  after: ({ notes = [] }) =>
    notes.filter(({ isCondition }) => isCondition).map(({ keyword, value }) => [keyword, value]),
};

/** A schema as JSON Schema. */
export function jsonOf(schema: Schema, style: SchemaStyle = comparable): Json {
  const record = recordOf(schema, style);
  return record["not"] === true && Object.keys(record).length === 1 ? false : record;
}

/** A schema as JSON Schema that is an object, even if it accepts nothing. */
export function recordOf(schema: Schema, style: SchemaStyle): JsonRecord {
  const keywords = new Map<string, Json>();
  const others: Json[] = [];
  const add = (own: readonly Keyword[]): void => {
    const merged = own.map(([name, value]) => [name, mergedValue(name, keywords.get(name), value)] as const);
    const isRepeated = merged.some(([, value]) => value === undefined);
    if (isRepeated) others.push(Object.fromEntries(own));
    else for (const [name, value = null] of merged) keywords.set(name, value);
  };
  add(listed(style.before(schema)));
  for (const check of schema.checks) {
    if (check.kind === "all") others.push(...check.schemas.map((inner) => jsonOf(inner, style)));
    else add(keywordsOf(check, style));
  }
  for (const keyword of style.after(schema)) add([keyword]);
  if (others.length > 0) keywords.set("allOf", style.inOrder(others));
  return Object.fromEntries(keywords);
}

/** The value of a keyword that has two; undefined if they cannot be one, so that they apply one after the other. */
function mergedValue(name: string, earlier: Json | undefined, value: Json): Json | undefined {
  if (earlier === undefined) return value;
  const isByMember = name === "dependentRequired" || name === "dependentSchemas";
  if (!isByMember || !isRecord(earlier) || !isRecord(value)) return undefined;
  const isShared = Object.keys(value).some((member) => Object.hasOwn(earlier, member));
  return isShared ? undefined : { ...earlier, ...value };
}

/** The keywords of a check with their values. */
export function keywordsOf(check: Check, style: SchemaStyle = comparable): readonly Keyword[] {
  return listed(valuesOf(check, style));
}

function listed(keywords: Keywords): Keyword[] {
  return Object.entries(keywords).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

function valuesOf(check: Check, style: SchemaStyle): Keywords {
  const { inOrder } = style;
  const json = (schema: Schema): Json => jsonOf(schema, style);
  const optional = (schema: Schema | null): Json | undefined => (schema === null ? undefined : json(schema));
  switch (check.kind) {
    case "never":
      return { not: true };
    case "type":
      return { type: check.types.length === 1 ? check.types[0] : inOrder(check.types) };
    case "values":
      return check.values.length === 1 ? { const: check.values[0] } : { enum: inOrder(check.values) };
    case "reference":
      return { $ref: style.referenceTo(check.key) };
    case "bound":
      return { [boundKeyword(check)]: check.value };
    case "multiple":
      return { multipleOf: check.of };
    case "size": {
      const noun = sizeNouns[check.of];
      return { [`min${noun}`]: except(check.min, 0), [`max${noun}`]: except(check.max, null) };
    }
    case "pattern":
      return { pattern: check.source };
    case "items":
      return { prefixItems: filled(check.first.map(json)), items: optional(check.rest) };
    case "unique":
      return { uniqueItems: true };
    case "contains": {
      const { schema, min, max } = check;
      return { contains: json(schema), minContains: except(min, 1), maxContains: except(max, null) };
    }
    case "members":
      return {
        properties: mapped(check.properties.map(({ name, schema }) => [name, json(schema)])),
        patternProperties: mapped(check.patterns.map(({ pattern, schema }) => [pattern, json(schema)])),
        additionalProperties: optional(check.rest),
      };
    case "required":
      return { required: filled(inOrder(check.names)) };
    case "names":
      return { propertyNames: json(check.schema) };
    case "dependent": {
      const { member, names, schema } = check;
      return {
        dependentRequired: mapped(names.length === 0 ? [] : [[member, inOrder(names)]]),
        dependentSchemas: mapped(schema === null ? [] : [[member, json(schema)]]),
      };
    }
    case "all":
    case "any":
    case "one":
      return { [`${check.kind}Of`]: inOrder(check.schemas.map(json)) };
    case "not":
      return { not: json(check.schema) };
    case "when":
      return { if: json(check.test), then: optional(check.then), else: optional(check.otherwise) };
    default:
      return check satisfies never;
  }
}

const sizeNouns = { string: "Length", array: "Items", object: "Properties" } as const;

function boundKeyword({ side, open }: CheckOf<"bound">): string {
  const name = side === "low" ? "minimum" : "maximum";
  return open ? `exclusive${name === "minimum" ? "Minimum" : "Maximum"}` : name;
}

/** The value of a keyword; undefined if it is the one without the keyword. */
function except<T extends Json>(value: T, absent: Json): T | undefined {
  return value === absent ? undefined : value;
}

/** A list; undefined if it is empty. */
export function filled(values: readonly Json[]): readonly Json[] | undefined {
  return values.length === 0 ? undefined : values;
}

function mapped(entries: readonly Keyword[]): JsonRecord | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
