import {
  accepts,
  validationOf,
  type Definitions,
} from "../constraint/accepts.js";
import { tagOf, type Index } from "../lookup.js";
import { noteIn, reference, requiredIn, schemaOf } from "../constraint/form.js";
import { typeOfCheck } from "../constraint/kinds.js";
import { definitionsOf } from "../definitions.js";
import type { Json } from "../snapshot/model.js";
import {
  ofKind,
  type Check,
  type Schema,
  type SchemaProperty,
  type TypeName,
} from "../constraint.js";
import { isRecord } from "../json/value.js";
import { alternatives, type ExampleContext } from "./branches.js";
import { numberOf, sizesOf, textOf, singular } from "./scalars.js";

/** The input of an example. */
interface ExampleOptions {
  /** The targets of the schema's references. */
  readonly definitions: Definitions;
  /** The name of the value; strings use it if there is no better text. */
  readonly name: string;
  /**
   * True if an optional member gets a value. The members of the value itself
   * have depth 0; by default only they get one.
   */
  readonly includes?: (property: SchemaProperty, depth: number) => boolean;
}

/**
 * A value that a schema accepts, for documentation and mocks; the same value
 * for the same schema. Returns `undefined` if there is none or the search finds
 * none: some schemas accept nothing, some only infinite values, and some
 * searches exceed the limits.
 */
export function exampleOf(
  schema: Schema,
  { definitions, name, includes = (_, depth) => depth === 0 }: ExampleOptions,
): Json | undefined {
  const validation = validationOf(definitions, maxChecks);
  const context: ExampleContext = {
    validation,
    budget: { steps: maxSteps },
    includes,
  };
  const value = valueOf(context, schema, name, 0);
  return value !== undefined && accepts(validation, schema, value)
    ? value
    : undefined;
}

/**
 * A value of a declared type of a protocol; `undefined` if the search finds
 * none.
 */
export function exampleOfType(
  declarations: Index,
  type: string,
  name: string,
): Json | undefined {
  const definitions = definitionsOf(declarations);
  return exampleOf(reference(type), {
    definitions,
    name,
    includes: isInstructive,
  });
}

/**
 * True for members of the params or result, without metadata, maps, members of
 * any type and deprecated members.
 */
function isInstructive(
  { name, schema }: SchemaProperty,
  depth: number,
): boolean {
  const isMap = ofKind(schema.checks, "members").some(
    ({ properties }) => properties.length === 0,
  );
  const isAnything = schema.checks.length === 0;
  const isDeprecated = tagOf(schema.doc, "deprecated") !== null;
  return (
    depth <= 1 &&
    !isMap &&
    !isAnything &&
    !isDeprecated &&
    !name.startsWith("_")
  );
}

/** The maximum number of checks that the search expands for one example. */
const maxSteps = 5000;
/** The maximum number of checks that are run on candidates. */
const maxChecks = 200_000;
/** The maximum nesting of objects and arrays in an example. */
const maxDepth = 12;
/**
 * The maximum number of items or members that are added to reach a minimum
 * size.
 */
const maxMinSize = 20;

function valueOf(
  context: ExampleContext,
  schema: Schema,
  name: string,
  depth: number,
): Json | undefined {
  if (depth > maxDepth) return undefined;
  for (const alternative of alternatives(context, schema)) {
    const value = candidateOf(context, alternative, name, depth);
    if (value !== undefined && accepts(context.validation, alternative, value))
      return value;
  }
  return undefined;
}

function candidateOf(
  context: ExampleContext,
  schema: Schema,
  name: string,
  depth: number,
): Json | undefined {
  const { checks } = schema;
  const values = ofKind(checks, "values")[0]?.values;
  if (values !== undefined)
    return values.find((value) => accepts(context.validation, schema, value));
  const type = typeOf(checks);
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return false;
    case "integer":
    case "number":
      return numberOf(checks, type === "integer");
    case "array":
      return arrayOf(context, schema, name, depth);
    case "object":
      return objectOf(context, schema, depth);
    case "string":
      return textOf(checks, name, noteIn(schema, "format"));
    default:
      return type satisfies never;
  }
}

/**
 * The type of the value to make: one that all checks allow, null only as a last
 * resort. Without a type, the one that checks such as a length or a range apply
 * to.
 */
function typeOf(checks: readonly Check[]): TypeName {
  const lists = ofKind(checks, "type").map(({ types }) => types);
  const [type] = (lists[0] ?? [])
    .filter((one) => lists.every((list) => list.includes(one)))
    .sort(nullLast);
  const implied = new Set(checks.map(typeOfCheck));
  return (
    type ??
    (["object", "array", "number"] as const).find((one) => implied.has(one)) ??
    "string"
  );
}

function nullLast(a: TypeName, b: TypeName): number {
  return Number(a === "null") - Number(b === "null");
}

function arrayOf(
  context: ExampleContext,
  { checks }: Schema,
  name: string,
  depth: number,
): Json | undefined {
  const [items] = ofKind(checks, "items");
  const [contains] = ofKind(checks, "contains");
  const sizes = sizesOf(checks, "array");
  const minLength = Math.max(
    items?.first.length ?? 0,
    contains?.min ?? 0,
    ...sizes.map((size) => size.min),
  );
  const maxLength = Math.min(...sizes.map((size) => size.max ?? Infinity));
  const isUnique = ofKind(checks, "unique").length > 0;
  if (minLength > maxMinSize) return undefined;
  const itemName = singular(name);
  const list: Json[] = [];
  for (let i = 0; i < Math.min(maxLength, Math.max(minLength, 1)); i += 1) {
    const schema =
      items?.first[i] ?? items?.rest ?? contains?.schema ?? schemaOf([]);
    const value =
      (isUnique ? unusedValue(context, schema, list) : undefined) ??
      valueOf(
        context,
        schema,
        isUnique && i > 0 ? `${itemName} ${i + 1}` : itemName,
        depth + 1,
      );
    if (value === undefined) return i >= minLength ? list : undefined;
    list.push(isUnique && typeof value === "number" ? value + i : value);
  }
  return list;
}

/** A value listed by the schema that is not in the array yet. */
function unusedValue(
  context: ExampleContext,
  schema: Schema,
  list: readonly Json[],
): Json | undefined {
  const texts = new Set(list.map((value) => JSON.stringify(value)));
  const lists = alternatives(context, schema).flatMap(({ checks }) =>
    ofKind(checks, "values"),
  );
  return lists
    .flatMap(({ values }) => values)
    .find(
      (value) =>
        !texts.has(JSON.stringify(value)) &&
        accepts(context.validation, schema, value),
    );
}

function objectOf(
  context: ExampleContext,
  schema: Schema,
  depth: number,
): Json | undefined {
  const { checks } = schema;
  const groups = ofKind(checks, "members");
  const required = requiredIn(checks);
  const entries = new Map<string, Json>();
  const properties = groups.flatMap((group) => group.properties);
  const schemas = new Map<string, Schema[]>();
  for (const { name, schema } of properties)
    schemas.set(name, [...(schemas.get(name) ?? []), schema]);
  for (const property of properties) {
    const { name } = property;
    if (entries.has(name)) continue;
    if (!required.has(name) && !context.includes(property, depth)) continue;
    // If several checks describe a member, its value must meet all of them.
    const same = schemas.get(name) ?? [];
    const whole = schemaOf([{ kind: "all", schemas: same }]);
    const value = valueOf(context, whole, name, depth + 1);
    if (value !== undefined) entries.set(name, value);
    else if (required.has(name)) return undefined;
  }
  const rest =
    groups.find((group) => group.rest !== null)?.rest ?? schemaOf([]);
  for (const name of required) {
    if (entries.has(name)) continue;
    const value = valueOf(context, rest, name, depth + 1);
    if (value === undefined) return undefined;
    entries.set(name, value);
  }
  const minSize = Math.max(
    0,
    ...sizesOf(checks, "object").map((size) => size.min),
  );
  if (minSize > maxMinSize) return undefined;
  for (let number = 1; entries.size < minSize; number += 1) {
    const value = valueOf(context, rest, `member ${number}`, depth + 1);
    if (value === undefined) return undefined;
    entries.set(`member${number}`, value);
  }
  return withoutExcess(context, schema, Object.fromEntries(entries), required);
}

/**
 * Removes optional members, the last first, until the schema accepts the
 * object.
 */
function withoutExcess(
  context: ExampleContext,
  schema: Schema,
  whole: Json,
  required: ReadonlySet<string>,
): Json {
  const fits = (value: Json): boolean =>
    accepts(context.validation, schema, value);
  if (!isRecord(whole) || fits(whole)) return whole;
  let entries = Object.entries(whole);
  for (const entry of [...entries].reverse()) {
    if (required.has(entry[0])) continue;
    entries = entries.filter((other) => other !== entry);
    const smaller = Object.fromEntries(entries);
    if (fits(smaller)) return smaller;
  }
  return whole;
}
