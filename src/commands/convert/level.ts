import type { Json, JsonRecord } from "../../generator/ir/json.js";
import { isList, isRecord } from "../../generator/ir/json/value.js";
import { keywordsOfTypes } from "../../generator/read/json-schema/schema.js";
import { namesIn } from "../lint/walk.js";

/** How one level satisfies a rule that is about more than one keyword. */
export const repairs: Readonly<
  Record<string, (schema: JsonRecord) => JsonRecord>
> = {
  "required-members": (schema) => {
    const names = new Set<Json>(namesIn(schema));
    const { required, ...rest } = schema;
    const known = isList(required)
      ? required.filter((one) => names.has(one))
      : [];
    return known.length === 0 ? rest : { ...rest, required: known };
  },
  "object-keywords": (schema) => {
    const { properties: _, required: __, ...rest } = schema;
    return rest;
  },
  "one-type": oneType,
};

/** A schema with one type in place of a list: alternatives, and `nullable`. */
function oneType(schema: JsonRecord): JsonRecord {
  const types = [...new Set([schema["type"] ?? []].flat())];
  const others = types.filter((type) => type !== "null");
  const nullable = types.length > others.length && { nullable: true };
  if (others.length < 2)
    return { ...schema, type: others[0] ?? "null", ...nullable };
  const { type: _, ...rest } = schema;
  // Alternatives that are there already say more than the types.
  if (rest["anyOf"] !== undefined) return rest;
  const keywords = Object.entries(rest);
  const isProse = (keyword: string): boolean =>
    keyword === "title" || keyword === "description";
  const isFor = (keyword: string, type: Json): boolean => {
    const own = keywordsOfTypes.get(keyword) ?? type;
    return own === type || (own === "number" && type === "integer");
  };
  return {
    ...Object.fromEntries(keywords.filter(([keyword]) => isProse(keyword))),
    anyOf: others.map((type) => ({
      ...Object.fromEntries(
        keywords.filter(
          ([keyword]) => !isProse(keyword) && isFor(keyword, type),
        ),
      ),
      type,
      ...nullable,
    })),
  };
}

/**
 * A schema with a type, if it says one in other words, and with a member for
 * each name that it requires.
 */
export function typed(schema: JsonRecord): JsonRecord {
  const {
    type,
    anyOf,
    const: only,
    enum: listed = only === undefined ? [] : [only],
  } = schema;
  const { properties, required, items } = schema;
  const members = new Map(
    isRecord(properties) ? Object.entries(properties) : [],
  );
  for (const name of isList(required) ? required.map(String) : [])
    members.set(name, members.get(name) ?? {});
  const values = isList(listed) ? listed.map(typeOf) : [];
  const [found] = [
    [...new Set(values)],
    isRecord(properties) || members.size > 0 ? ["object"] : [],
    items === undefined ? [] : ["array"],
  ].filter(({ length }) => length > 0);
  return {
    ...schema,
    ...(type === undefined &&
      anyOf === undefined &&
      found && { type: found.length === 1 ? found.join() : found }),
    ...(members.size > 0 && { properties: Object.fromEntries(members) }),
  };
}

const typeOf = (value: Json): string =>
  value === null ? "null" : isList(value) ? "array" : typeof value;

/** True if a converted schema accepts null. */
export const acceptsNull = ({
  type = "null",
  const: only = null,
  enum: values = [null],
  anyOf,
}: JsonRecord): boolean =>
  [type].flat().includes("null") &&
  only === null &&
  (!isList(values) || values.includes(null)) &&
  (!isList(anyOf) || anyOf.some((one) => isRecord(one) && acceptsNull(one)));

/** The same schema, which accepts null, too. */
export function orNull(schema: JsonRecord): JsonRecord {
  if (acceptsNull(schema)) return schema;
  const {
    type,
    anyOf,
    nullable: _,
    const: only,
    enum: values = only === undefined ? undefined : [only],
    ...rest
  } = schema;
  return {
    ...rest,
    ...(type !== undefined && {
      type: [...new Set([type, "null"].flat())] as Json,
    }),
    ...(isList(values) && { enum: [...new Set([...values, null])] }),
    ...(isList(anyOf) && { anyOf: [...anyOf, { type: "null" }] }),
  };
}
