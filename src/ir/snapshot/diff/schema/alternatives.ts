import type { Json, JsonRecord } from "../../model.js";
import { isList, isRecord } from "../../value.js";
import { exact } from "../../canonical.js";
import { under } from "../../../diff/path.js";
import type { Delta } from "../classify.js";
import type { Compare, Pair } from "./pair.js";
import { annotations, keyOf, partsOf, valuesIn, type Parts } from "./parts.js";
import { showTypes, typesOf, valuesOf } from "./values.js";

/** Keywords next to a union that do not restrict it. */
const neutral: ReadonlySet<string> = new Set([...annotations, "$defs", "anyOf", "definitions", "oneOf"]);

/** The alternatives of a schema that is only a union. A list of constants may also have a type. */
function pureUnion(parts: Parts): readonly Json[] | null {
  const [union, ...others] = unionsIn(parts);
  if (union === undefined || others.length > 0) return null;
  const hasOnly = (isNeutral: (name: string) => boolean): boolean =>
    parts.every((part) => Object.keys(part).every(isNeutral));
  if (hasOnly((name) => neutral.has(name))) return union;
  const types = valuesIn(parts, "type");
  return union.every(isConstant) && hasOnly((name) => neutral.has(name) || name === "type")
    ? union.map((schema) => ({ allOf: [...types.map((type) => ({ type })), schema] }))
    : null;
}

function isConstant(schema: Json): boolean {
  return isRecord(schema) && Object.hasOwn(schema, "const");
}

function unionsIn(parts: Parts): readonly (readonly Json[])[] {
  return [...valuesIn(parts, "anyOf"), ...valuesIn(parts, "oneOf")].filter(isList);
}

/**
 * Compares a union with a schema that is not one by treating the latter as a union: of one alternative, or of one for
 * each of its types or values. Null unless exactly one side is only a union.
 */
export function compareWithUnion(
  pair: Pair,
  was: Json,
  is: Json,
  old: Parts,
  fresh: Parts,
  depth: number,
  compare: Compare,
): Delta[] | null {
  const [before, after] = [pureUnion(old), pureUnion(fresh)];
  if ((before === null) === (after === null)) return null;
  if (before === null && unionsIn(old).length > 0) return null;
  if (after === null && unionsIn(fresh).length > 0) return null;
  return [
    ...compareExclusion(pair, old, fresh),
    ...match(pair, before ?? split(was, old), after ?? split(is, fresh), depth, compare),
  ];
}

/** The alternatives of `type: [a, b]` and `enum: [a, b]`, without the annotations of the whole schema. */
function split(schema: Json, parts: Parts): readonly Json[] {
  if (!isRecord(schema) || schema["$ref"] !== undefined) return [schema];
  const bare = Object.fromEntries(Object.entries(schema).filter(([name]) => !annotations.has(name)));
  const values = bare["enum"];
  if (isList(values)) {
    const { enum: _, ...rest } = bare;
    return values.map((value) => (rest["const"] === undefined ? { ...rest, const: value } : bare));
  }
  const [types, ...others] = valuesIn(parts, "type");
  return isList(types) && others.length === 0 ? types.map((type) => ({ ...bare, type })) : [bare];
}

export function compareAlternatives(
  pair: Pair,
  old: Parts,
  fresh: Parts,
  depth: number,
  compare: Compare,
): Delta[] {
  const [was, is] = [unionsIn(old), unionsIn(fresh)];
  const [before, after] = [was[0], is[0]];
  if (was.length === 1 && is.length === 1 && before !== undefined && after !== undefined)
    return [...compareExclusion(pair, old, fresh), ...match(pair, before, after, depth, compare)];
  // Several unions apply at once: each is compared as a whole.
  const [texts, others] = [wholeUnions(old, pair.before), wholeUnions(fresh, pair.after)];
  return [
    ...[...texts]
      .filter(([key]) => !others.has(key))
      .map(([, text]): Delta => ({ change: "condition-removed", path: "", was: text, is: null })),
    ...[...others]
      .filter(([key]) => !texts.has(key))
      .map(([, text]): Delta => ({ change: "condition-added", path: "", was: null, is: text })),
  ];
}

/** The text of each union by its key. */
function wholeUnions(parts: Parts, root: Json): ReadonlyMap<string, string> {
  return new Map(
    ["anyOf", "oneOf"].flatMap((keyword) =>
      valuesIn(parts, keyword)
        .filter(isList)
        .map((list) => [keyOf({ [keyword]: list }, root), `${keyword} ${exact(list)}`] as const),
    ),
  );
}

/** `oneOf` rejects values that match two of its alternatives. This is a difference unless no value can match two. */
function compareExclusion(pair: Pair, old: Parts, fresh: Parts): Delta[] {
  const overlaps = (parts: Parts, root: Json): Json[] =>
    valuesIn(parts, "oneOf").filter((list) => isList(list) && !areDisjoint(list, root, typesOf(parts)));
  const keysOf = (lists: readonly Json[], root: Json): string[] =>
    lists.map((list) => keyOf({ oneOf: list }, root));
  const [was, is] = [overlaps(old, pair.before), overlaps(fresh, pair.after)];
  if (exact(keysOf(was, pair.before)) === exact(keysOf(is, pair.after))) return [];
  const rule = "a value may match only one alternative";
  if (was.length === 0) return [{ change: "condition-added", path: "", was: null, is: rule }];
  if (is.length === 0) return [{ change: "condition-removed", path: "", was: rule, is: null }];
  const textOf = (lists: readonly Json[]): string => lists.map((list) => `oneOf ${exact(list)}`).join("; ");
  return [{ change: "condition-changed", path: "", was: textOf(was), is: textOf(is) }];
}

/**
 * True if the types of the alternatives, their constants or their required constant members show that no value
 * matches two. Values have one of the types `outer`.
 */
function areDisjoint(list: readonly Json[], root: Json, outer: ReadonlySet<string>): boolean {
  const alternatives = list.map((schema) => {
    const parts = partsOf(schema, root);
    const possible = [...typesOf(parts)].filter((type) => outer.has(type));
    const types = new Set(possible.map((type) => (type === "integer" ? "number" : type)));
    return { types, values: valuesOf(parts)?.map(exact) ?? null, tags: requiredConstants(parts) };
  });
  return alternatives.every((one, i) =>
    alternatives.slice(i + 1).every((other) => {
      const shared = [...one.types].filter((type) => other.types.has(type));
      if (shared.length === 0) return true;
      if (one.values !== null && other.values !== null)
        return !one.values.some((value) => other.values?.includes(value));
      const isTagged = [...one.tags].some(([name, value]) => (other.tags.get(name) ?? value) !== value);
      return isTagged && shared.every((type) => type === "object");
    }),
  );
}

/** Required members with exactly one value. */
function requiredConstants(parts: Parts): ReadonlyMap<string, string> {
  const required = new Set(valuesIn(parts, "required").flatMap((names) => (isList(names) ? names : [])));
  const members = valuesIn(parts, "properties").flatMap((properties) =>
    Object.entries(isRecord(properties) ? properties : {}),
  );
  return new Map(
    members.flatMap(([name, schema]) => {
      const value = isRecord(schema) && required.has(name) ? schema["const"] : undefined;
      return value === undefined ? [] : [[name, exact(value)] as const];
    }),
  );
}

/** Compares alternatives in pairs: first equal ones, then similar ones, in their order. */
function match(
  pair: Pair,
  was: readonly Json[],
  is: readonly Json[],
  depth: number,
  compare: Compare,
): Delta[] {
  const deltas: Delta[] = [];
  let [old, fresh] = [[...was], [...is]];
  const join = (keyBefore: (schema: Json) => string, keyAfter: (schema: Json) => string): void => {
    for (const before of old) {
      const key = keyBefore(before);
      const after = fresh.find((schema) => keyAfter(schema) === key);
      if (after === undefined) continue;
      const path = is.length > 1 || was.length > 1 ? `<${label(after, pair.after)}>` : "";
      for (const each of under(path, compare(pair, before, after, depth + 1))) deltas.push(each);
      old = old.filter((schema) => schema !== before);
      fresh = fresh.filter((schema) => schema !== after);
    }
  };
  join(
    (schema) => keyOf(schema, pair.before),
    (schema) => keyOf(schema, pair.after),
  );
  join(
    (schema) => similarityKey(schema, pair.before),
    (schema) => similarityKey(schema, pair.after),
  );
  return [
    ...deltas,
    ...old
      .filter((schema) => !isCovered(schema, pair.before, is))
      .map((schema): Delta => {
        return { change: "alternative-removed", path: "", was: label(schema, pair.before), is: null };
      }),
    ...fresh
      .filter((schema) => !isCovered(schema, pair.after, was))
      .map((schema): Delta => {
        return { change: "alternative-added", path: "", was: null, is: label(schema, pair.after) };
      }),
  ];
}

/** True for a list of values of a type that another alternative accepts completely. */
function isCovered(schema: Json, root: Json, others: readonly Json[]): boolean {
  if (valuesOf(partsOf(schema, root)) === null) return false;
  const types = [...typesOf(partsOf(schema, root))];
  const bareTypes = others.filter(
    (other) =>
      isRecord(other) && Object.keys(other).every((name) => name === "type" || annotations.has(name)),
  );
  return bareTypes.some((other) => {
    const accepted = typesOf([other as JsonRecord]);
    return types.every((type) => accepted.has(type));
  });
}

/** A key that is equal for similar alternatives: those with the same types, constants and constant members. */
function similarityKey(schema: Json, root: Json): string {
  const parts = partsOf(schema, root);
  return JSON.stringify([showTypes(typesOf(parts)), valuesIn(parts, "const").map(exact), tagsOf(parts)]);
}

function tagsOf(parts: Parts): readonly string[] {
  const tags = valuesIn(parts, "properties").flatMap((properties) =>
    Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) => {
      return isRecord(schema) && schema["const"] !== undefined ? [`${name}: ${exact(schema["const"])}`] : [];
    }),
  );
  return tags.sort();
}

function label(schema: Json, root: Json): string {
  const parts = partsOf(schema, root);
  const [only] = valuesIn(parts, "const");
  if (only !== undefined) return exact(only);
  const tags = tagsOf(parts);
  const types = showTypes(typesOf(parts));
  return tags.length === 0 ? types : `${types} with ${tags.join(", ")}`;
}
