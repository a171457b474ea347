import { groupsOf } from "../../generator/ir/groups.js";
import { exact, type Json, type JsonRecord } from "../../generator/ir/json.js";
import { isList, isRecord } from "../../generator/ir/json/value.js";
import type { Follow, Steps } from "./follow.js";

/**
 * What the alternatives and conjunctions of an object say of its members,
 * together.
 */
interface Shape {
  readonly members: ReadonlyMap<string, readonly Json[]>;
  readonly required: ReadonlySet<string>;
  /** True if no other members are allowed. */
  readonly isClosed: boolean;
}

/** True if a schema names a type, perhaps among others. */
export const isOf = (type: string, schema: JsonRecord): boolean =>
  [schema["type"]].flat().includes(type);

/**
 * One object with the members of all alternatives, and for each alternative
 * what belongs together.
 */
export function oneObject(
  schema: JsonRecord,
  at: Steps,
  keywords: readonly string[],
  follow: Follow,
): { readonly object: JsonRecord; readonly sets: readonly string[] } {
  const { members, required, isClosed } = shapeOf(schema, at, follow);
  const others = Object.entries(schema).filter(
    ([name]) => ![...keywords, "unevaluatedProperties"].includes(name),
  );
  const alternatives = keywords.flatMap((keyword) =>
    keyword === "allOf" ? [] : (schema[keyword] as Json[]),
  );
  const sets = alternatives.map((one) =>
    setOf(shapeOf(one, at, follow), required),
  );
  return {
    object: {
      ...Object.fromEntries(others),
      type: schema["type"] ?? "object",
      properties: Object.fromEntries(
        [...members].map(([name, schemas]) => [name, unionOf(schemas)]),
      ),
      ...(required.size > 0 && { required: [...required] }),
      ...(isClosed && { additionalProperties: false }),
    },
    sets: [...new Set(sets)].filter((set) => set !== "()"),
  };
}

/**
 * `(kind = "book", title)`: the members of one alternative that others need not
 * have.
 */
function setOf(
  { members, required }: Shape,
  always: ReadonlySet<string>,
): string {
  const names = [...(required.size > 0 ? required : members.keys())].flatMap(
    (name) => {
      const only = (members.get(name) ?? []).find(
        (one) => isRecord(one) && one["const"] !== undefined,
      );
      if (isRecord(only)) return [`${name} = ${JSON.stringify(only["const"])}`];
      return always.has(name) ? [] : [name];
    },
  );
  return `(${names.join(", ")})`;
}

function shapeOf(value: Json, outer: Steps, follow: Follow): Shape {
  const { schema, at } = follow(value, outer) ?? { schema: {}, at: outer };
  const shapes = (keyword: string): Shape[] => {
    const list = schema[keyword];
    const isObject = (one: Json): boolean =>
      isRecord(one) && (one["type"] === undefined || isOf("object", one));
    return isList(list)
      ? list
          .filter(isObject)
          .map((one) => shapeOf(one, [...at, keyword], follow))
      : [];
  };
  const own = isRecord(schema["properties"])
    ? Object.entries(schema["properties"])
    : [];
  const members = new Map<string, readonly Json[]>(
    own.map(([name, one]) => [name, [one]]),
  );
  const required = new Set(
    isList(schema["required"]) ? schema["required"].map(String) : [],
  );
  let isClosed = schema["additionalProperties"] === false;
  // Of a conjunction, any part accepts what the whole accepts.
  for (const all of shapes("allOf")) {
    for (const [name, schemas] of all.members)
      members.set(name, members.get(name) ?? schemas);
    for (const name of all.required) required.add(name);
    isClosed ||= all.isClosed;
  }
  for (const any of [shapes("oneOf"), shapes("anyOf")].filter(
    ({ length }) => length > 0,
  )) {
    const naming = groupsOf(
      any.flatMap((shape) => [...shape.members]),
      ([name]) => name,
    );
    for (const [name, some] of naming)
      if (members.has(name) ? some.length === any.length : !isClosed)
        members.set(
          name,
          some.flatMap(([, schemas]) => schemas),
        );
    const requiring = groupsOf(
      any.flatMap((shape) => [...shape.required]),
      (name) => name,
    );
    for (const [name, some] of requiring)
      if (some.length === any.length) required.add(name);
    isClosed ||= any.every((shape) => shape.isClosed);
  }
  return { members, required, isClosed };
}

/** One schema for the values of several. */
function unionOf(schemas: readonly Json[]): Json {
  const distinct = [
    ...new Map(schemas.map((one) => [exact(one), one])).values(),
  ];
  if (distinct.length === 1) return distinct[0] ?? {};
  const consts = distinct.flatMap((one) =>
    isRecord(one) && one["const"] !== undefined ? [one["const"]] : [],
  );
  return consts.length === distinct.length
    ? { enum: consts }
    : { anyOf: distinct };
}
