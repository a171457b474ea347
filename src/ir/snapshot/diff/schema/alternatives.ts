import type { Json, JsonRecord } from "../../model.js";
import { isList, isRecord } from "../../value.js";
import { exact } from "../../canonical.js";
import { under } from "../../../diff/place.js";
import type { Finding } from "../judge.js";
import type { Compare, Pair } from "./pair.js";
import { annotations, keyOf, partsOf, said, type Parts } from "./parts.js";
import { showTypes, typesOf, valuesOf } from "./values.js";

/** Keywords beside a union that do not restrict it. */
const silent: ReadonlySet<string> = new Set([...annotations, "$defs", "anyOf", "definitions", "oneOf"]);

/** The alternatives of a schema that consists of nothing else; a list of constants may also have a type. */
function pureUnion(parts: Parts): readonly Json[] | null {
  const [union, ...others] = unionsIn(parts);
  if (union === undefined || others.length > 0) return null;
  const hasOnly = (isSilent: (name: string) => boolean): boolean =>
    parts.every((part) => Object.keys(part).every(isSilent));
  if (hasOnly((name) => silent.has(name))) return union;
  const types = said(parts, "type");
  return union.every(isConstant) && hasOnly((name) => silent.has(name) || name === "type")
    ? union.map((schema) => ({ allOf: [...types.map((type) => ({ type })), schema] }))
    : null;
}

function isConstant(schema: Json): boolean {
  return isRecord(schema) && Object.hasOwn(schema, "const");
}

function unionsIn(parts: Parts): readonly (readonly Json[])[] {
  return [...said(parts, "anyOf"), ...said(parts, "oneOf")].filter(isList);
}

/**
 * Compares a union with a schema that is none, as with a union of one alternative, or of one for each of its types or values. Null
 * unless exactly one side is a union and nothing else.
 */
export function compareLifted(
  pair: Pair,
  was: Json,
  is: Json,
  old: Parts,
  fresh: Parts,
  depth: number,
  compare: Compare,
): Finding[] | null {
  const [before, after] = [pureUnion(old), pureUnion(fresh)];
  if ((before === null) === (after === null)) return null;
  if (before === null && unionsIn(old).length > 0) return null;
  if (after === null && unionsIn(fresh).length > 0) return null;
  return [
    ...compareExclusion(pair, old, fresh),
    ...match(pair, before ?? split(was, old), after ?? split(is, fresh), depth, compare),
  ];
}

/** The alternatives that `type: [a, b]` and `enum: [a, b]` stand for, without the annotations of the whole schema. */
function split(schema: Json, parts: Parts): readonly Json[] {
  if (!isRecord(schema) || schema["$ref"] !== undefined) return [schema];
  const bare = Object.fromEntries(Object.entries(schema).filter(([name]) => !annotations.has(name)));
  const values = bare["enum"];
  if (isList(values)) {
    const { enum: _, ...rest } = bare;
    return values.map((value) => (rest["const"] === undefined ? { ...rest, const: value } : bare));
  }
  const [types, ...others] = said(parts, "type");
  return isList(types) && others.length === 0 ? types.map((type) => ({ ...bare, type })) : [bare];
}

export function compareAlternatives(
  pair: Pair,
  old: Parts,
  fresh: Parts,
  depth: number,
  compare: Compare,
): Finding[] {
  const [was, is] = [unionsIn(old), unionsIn(fresh)];
  const [before, after] = [was[0], is[0]];
  if (was.length === 1 && is.length === 1 && before !== undefined && after !== undefined)
    return [...compareExclusion(pair, old, fresh), ...match(pair, before, after, depth, compare)];
  // Several unions must hold at once: each is compared as a whole.
  const [texts, others] = [wholeUnions(old, pair.before), wholeUnions(fresh, pair.after)];
  return [
    ...[...texts]
      .filter(([key]) => !others.has(key))
      .map(([, text]): Finding => ({ change: "condition-removed", path: "", was: text, is: null })),
    ...[...others]
      .filter(([key]) => !texts.has(key))
      .map(([, text]): Finding => ({ change: "condition-added", path: "", was: null, is: text })),
  ];
}

/** The text of each union by its key. */
function wholeUnions(parts: Parts, root: Json): ReadonlyMap<string, string> {
  return new Map(
    ["anyOf", "oneOf"].flatMap((keyword) =>
      said(parts, keyword)
        .filter(isList)
        .map((list) => [keyOf({ [keyword]: list }, root), `${keyword} ${exact(list)}`] as const),
    ),
  );
}

/** `oneOf` rejects what two of its alternatives accept: a difference unless no value fits two of them. */
function compareExclusion(pair: Pair, old: Parts, fresh: Parts): Finding[] {
  const overlapping = (parts: Parts, root: Json): string[] =>
    said(parts, "oneOf")
      .filter((list) => isList(list) && !areApart(list, root, typesOf(parts)))
      .map((list) => keyOf({ oneOf: list }, root));
  const [was, is] = [overlapping(old, pair.before), overlapping(fresh, pair.after)];
  if (was.length + is.length === 0 || exact(was) === exact(is)) return [];
  const words = "only one alternative may fit";
  if (was.length === 0) return [{ change: "condition-added", path: "", was: null, is: words }];
  if (is.length === 0) return [{ change: "condition-removed", path: "", was: words, is: null }];
  return [{ change: "condition-changed", path: "", was: words, is: words }];
}

/**
 * Do the types of the alternatives, their constants or the constant members that they require show that no value fits two?
 * Values have one of the types `outer`.
 */
function areApart(list: readonly Json[], root: Json, outer: ReadonlySet<string>): boolean {
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

/** Members that are required and have one value only. */
function requiredConstants(parts: Parts): ReadonlyMap<string, string> {
  const required = new Set(said(parts, "required").flatMap((names) => (isList(names) ? names : [])));
  const members = said(parts, "properties").flatMap((properties) =>
    Object.entries(isRecord(properties) ? properties : {}),
  );
  return new Map(
    members.flatMap(([name, schema]) => {
      const value = isRecord(schema) && required.has(name) ? schema["const"] : undefined;
      return value === undefined ? [] : [[name, exact(value)] as const];
    }),
  );
}

/** Pairs of alternatives: those that are the same, then those that are alike, in their order. */
function match(
  pair: Pair,
  was: readonly Json[],
  is: readonly Json[],
  depth: number,
  compare: Compare,
): Finding[] {
  const findings: Finding[] = [];
  let [old, fresh] = [[...was], [...is]];
  const join = (keyBefore: (schema: Json) => string, keyAfter: (schema: Json) => string): void => {
    for (const before of old) {
      const key = keyBefore(before);
      const after = fresh.find((schema) => keyAfter(schema) === key);
      if (after === undefined) continue;
      const path = is.length > 1 || was.length > 1 ? `<${label(after, pair.after)}>` : "";
      for (const each of under(path, compare(pair, before, after, depth + 1))) findings.push(each);
      old = old.filter((schema) => schema !== before);
      fresh = fresh.filter((schema) => schema !== after);
    }
  };
  join(
    (schema) => keyOf(schema, pair.before),
    (schema) => keyOf(schema, pair.after),
  );
  join(
    (schema) => likeness(schema, pair.before),
    (schema) => likeness(schema, pair.after),
  );
  return [
    ...findings,
    ...old
      .filter((schema) => !isCovered(schema, pair.before, is))
      .map((schema): Finding => {
        return { change: "alternative-removed", path: "", was: label(schema, pair.before), is: null };
      }),
    ...fresh
      .filter((schema) => !isCovered(schema, pair.after, was))
      .map((schema): Finding => {
        return { change: "alternative-added", path: "", was: null, is: label(schema, pair.after) };
      }),
  ];
}

/** True for listed values of which another alternative accepts every one, because it only names their type. */
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

/** Alternatives are alike when their types are, their constants, and the members that have one value only. */
function likeness(schema: Json, root: Json): string {
  const parts = partsOf(schema, root);
  return JSON.stringify([showTypes(typesOf(parts)), said(parts, "const").map(exact), tagsOf(parts)]);
}

function tagsOf(parts: Parts): readonly string[] {
  const tags = said(parts, "properties").flatMap((properties) =>
    Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) => {
      return isRecord(schema) && schema["const"] !== undefined ? [`${name}: ${exact(schema["const"])}`] : [];
    }),
  );
  return tags.sort();
}

function label(schema: Json, root: Json): string {
  const parts = partsOf(schema, root);
  const [only] = said(parts, "const");
  if (only !== undefined) return exact(only);
  const tags = tagsOf(parts);
  const types = showTypes(typesOf(parts));
  return tags.length === 0 ? types : `${types} with ${tags.join(", ")}`;
}
