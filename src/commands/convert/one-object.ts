import { distinct, groupsOf } from "../../generator/ir/groups.js";
import { exact, type Json, type JsonRecord } from "../../generator/ir/json.js";
import { isList, isRecord } from "../../generator/ir/json/value.js";
import type { Follow, Steps } from "./follow.js";

/**
 * What the alternatives and conjunctions of an object say of its members,
 * together.
 */
interface Shape {
  readonly members: Map<string, readonly Json[]>;
  readonly required: Set<string>;
  /** True if no other members are allowed. */
  isClosed: boolean;
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
): {
  readonly object: JsonRecord;
  readonly sets: readonly string[];
} {
  const { members, required, isClosed } = shapeOf(schema, at, follow);
  const replaced = new Set([...keywords, "unevaluatedProperties"]);
  const kept = Object.entries(schema).filter(([name]) => !replaced.has(name));
  const properties = [...members].map(([name, schemas]) => [
    name,
    unionOf(schemas),
  ]);
  const object = {
    ...Object.fromEntries(kept),
    type: schema["type"] ?? "object",
    properties: Object.fromEntries(properties),
    ...(required.size > 0 && { required: [...required] }),
    ...(isClosed && { additionalProperties: false }),
  };
  const sets = new Set<string>();
  for (const keyword of keywords) {
    // All parts of a conjunction belong together: they make no set of their own.
    if (keyword === "allOf") continue;
    for (const one of itemsOf(schema[keyword])) {
      sets.add(setOf(shapeOf(one, at, follow), required));
    }
  }
  // An alternative that adds nothing to the others.
  sets.delete("()");
  return {
    object,
    sets: [...sets],
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
  const names: string[] = [];
  for (const name of required.size > 0 ? required : members.keys()) {
    const only = members.get(name)?.find(isConst);
    // The value tells the alternative, also where each one has the member.
    if (only) names.push(`${name} = ${JSON.stringify(only["const"])}`);
    else if (!always.has(name)) names.push(name);
  }
  return `(${names.join(", ")})`;
}

/** A schema that names its only value. */
interface Constant extends JsonRecord {
  readonly const: Json;
}

const isConst = (one: Json): one is Constant =>
  isRecord(one) && one["const"] !== undefined;

function shapeOf(value: Json, outer: Steps, follow: Follow): Shape {
  // What cannot be followed says nothing of members.
  const { schema, at } = follow(value, outer) ?? {
    schema: {},
    at: outer,
  };
  const shapesIn = (keyword: string): readonly Shape[] =>
    itemsOf(schema[keyword])
      .filter(mayBeObject)
      .map((one) => shapeOf(one, [...at, keyword], follow));
  const shape = ownShape(schema);
  for (const part of shapesIn("allOf")) {
    addPart(shape, part);
  }
  addAlternatives(shape, shapesIn("oneOf"));
  addAlternatives(shape, shapesIn("anyOf"));
  return shape;
}

const itemsOf = (value: Json | undefined): readonly Json[] =>
  isList(value) ? value : [];

const mayBeObject = (one: Json): boolean =>
  isRecord(one) && (one["type"] === undefined || isOf("object", one));

/** What a schema says of its members itself. */
function ownShape(schema: JsonRecord): Shape {
  const members = isRecord(schema["properties"]) ? schema["properties"] : {};
  return {
    members: new Map(
      Object.entries(members).map(([name, one]) => [name, [one]]),
    ),
    required: new Set(itemsOf(schema["required"]).map(String)),
    isClosed: schema["additionalProperties"] === false,
  };
}

/** Of a conjunction, any part accepts what the whole accepts. */
function addPart(shape: Shape, part: Shape): void {
  for (const [name, schemas] of part.members) {
    shape.members.set(name, shape.members.get(name) ?? schemas);
  }
  for (const name of part.required) {
    shape.required.add(name);
  }
  shape.isClosed ||= part.isClosed;
}

/** What all alternatives have is so, and what only some have may be so. */
function addAlternatives(shape: Shape, any: readonly Shape[]): void {
  if (any.length === 0) return;
  const { members, required, isClosed } = shape;
  const naming = groupsOf(
    any.flatMap((one) => [...one.members]),
    ([name]) => name,
  );
  for (const [name, some] of naming) {
    // A member of the object itself stays as it is where not all narrow it.
    const isIn = members.has(name) ? some.length === any.length : !isClosed;
    const schemas = some.flatMap(([, own]) => own);
    if (isIn) members.set(name, schemas);
  }
  const requiring = groupsOf(
    any.flatMap((one) => [...one.required]),
    (name) => name,
  );
  for (const [name, some] of requiring) {
    if (some.length === any.length) required.add(name);
  }
  shape.isClosed ||= any.every((one) => one.isClosed);
}

/** One schema for the values of several. */
function unionOf(schemas: readonly Json[]): Json {
  const all = distinct(schemas, exact);
  if (all.length === 1) return all[0] ?? {};
  if (!all.every(isConst)) return { anyOf: all };
  return {
    enum: all.map((one) => one.const),
  };
}
