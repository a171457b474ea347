import type { Check, Schema } from "../constraint.js";
import { type Json, type JsonRecord, inAnyOrder } from "../json.js";
import { isRecord } from "../json/value.js";
import { kindOfCheck, type Keywords, type Writer } from "./kinds.js";

type Keyword = readonly [name: string, value: Json];

/** How schemas are written. */
export interface SchemaStyle extends Omit<Writer, "json"> {
  /** The keywords before and after those of the checks. */
  readonly before: (schema: Schema) => Keywords;
  readonly after: (schema: Schema) => readonly Keyword[];
}

/**
 * For comparisons: equal for schemas that differ only in annotations and in the
 * order of lists.
 */
const comparable: SchemaStyle = {
  referenceTo: (key) => key,
  inOrder: inAnyOrder,
  before: () => ({}),
  after: ({ notes = [] }) =>
    notes
      .filter(({ isCondition }) => isCondition)
      .map(({ keyword, value }) => [keyword, value]),
};

/** A schema as JSON Schema. */
export function jsonOf(schema: Schema, style: SchemaStyle = comparable): Json {
  const record = recordOf(schema, style);
  return record["not"] === true && Object.keys(record).length === 1
    ? false
    : record;
}

/** A schema as JSON Schema that is an object, even if it accepts nothing. */
export function recordOf(schema: Schema, style: SchemaStyle): JsonRecord {
  const keywords = new Map<string, Json>();
  const others: Json[] = [];
  const add = (own: readonly Keyword[]): void => {
    const merged = own.map(
      ([name, value]) =>
        [name, mergedValue(name, keywords.get(name), value)] as const,
    );
    const isRepeated = merged.some(([, value]) => value === undefined);
    if (isRepeated) others.push(Object.fromEntries(own));
    else for (const [name, value = null] of merged) keywords.set(name, value);
  };
  add(listed(style.before(schema)));
  for (const check of schema.checks) {
    if (check.kind === "all")
      others.push(...check.schemas.map((inner) => jsonOf(inner, style)));
    else add(keywordsOf(check, style));
  }
  for (const keyword of style.after(schema)) add([keyword]);
  if (others.length > 0) keywords.set("allOf", style.inOrder(others));
  return Object.fromEntries(keywords);
}

/**
 * The value of a keyword that has two; undefined if they cannot be one, so that
 * they apply one after the other.
 */
function mergedValue(
  name: string,
  earlier: Json | undefined,
  value: Json,
): Json | undefined {
  if (earlier === undefined) return value;
  const isByMember =
    name === "dependentRequired" || name === "dependentSchemas";
  if (!isByMember || !isRecord(earlier) || !isRecord(value)) return undefined;
  const isShared = Object.keys(value).some((member) =>
    Object.hasOwn(earlier, member),
  );
  return isShared ? undefined : { ...earlier, ...value };
}

/** The keywords of a check with their values. */
export function keywordsOf(
  check: Check,
  style: SchemaStyle = comparable,
): readonly Keyword[] {
  return listed(
    kindOfCheck(check).write(check, {
      ...style,
      json: (schema) => jsonOf(schema, style),
    }),
  );
}

function listed(keywords: Keywords): Keyword[] {
  return Object.entries(keywords).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
}
