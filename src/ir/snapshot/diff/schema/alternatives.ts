import type { Json } from "../../model.js";
import { isList, isRecord } from "../../value.js";
import { exact } from "../../canonical.js";
import { under } from "../../../diff/place.js";
import type { Finding } from "../judge.js";
import type { Compare, Pair } from "./pair.js";
import { annotations, keyOf, partsOf, said, type Parts } from "./parts.js";
import { showTypes, typesOf } from "./values.js";

/** What may stand beside a choice without restricting it. */
const silent: ReadonlySet<string> = new Set([...annotations, "$defs", "anyOf", "definitions", "oneOf"]);

/** A schema's alternatives, when it consists of nothing else. */
function pureUnion(parts: Parts): readonly Json[] | null {
  const unions = unionsIn(parts);
  const isPure = parts.every((part) => Object.keys(part).every((name) => silent.has(name)));
  return isPure && unions.length === 1 ? (unions[0] ?? null) : null;
}

function unionsIn(parts: Parts): readonly (readonly Json[])[] {
  return [...said(parts, "anyOf"), ...said(parts, "oneOf")].filter(isList);
}

/**
 * A schema that becomes one of several alternatives, or was one of them: what both sides are told as. Null when neither
 * side is a bare choice, or both are.
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
  return match(pair, before ?? split(was, old), after ?? split(is, fresh), depth, compare);
}

/** `type: [a, b]` is a choice too. The words around a choice are compared where they stand. */
function split(schema: Json, parts: Parts): readonly Json[] {
  const [types, ...others] = said(parts, "type");
  if (!isRecord(schema) || schema["$ref"] !== undefined) return [schema];
  const bare = Object.fromEntries(Object.entries(schema).filter(([name]) => !annotations.has(name)));
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
    return match(pair, before, after, depth, compare);
  const [texts, others] = [
    was.map((list) => keyOf({ anyOf: list }, pair.before)),
    is.map((list) => keyOf({ anyOf: list }, pair.after)),
  ];
  const told = (list: readonly Json[]): string => `anyOf ${exact(list)}`;
  return [
    ...was
      .filter((_, i) => !others.includes(texts[i] ?? ""))
      .map((list): Finding => ({ change: "condition-removed", path: "", was: told(list), is: null })),
    ...is
      .filter((_, i) => !texts.includes(others[i] ?? ""))
      .map((list): Finding => ({ change: "condition-added", path: "", was: null, is: told(list) })),
  ];
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
    ...old.map((schema): Finding => {
      return { change: "alternative-removed", path: "", was: label(schema, pair.before), is: null };
    }),
    ...fresh.map((schema): Finding => {
      return { change: "alternative-added", path: "", was: null, is: label(schema, pair.after) };
    }),
  ];
}

/** Alternatives are alike when their types are, and the members that have one value only. */
function likeness(schema: Json, root: Json): string {
  const parts = partsOf(schema, root);
  return JSON.stringify([showTypes(typesOf(parts)), tagsOf(parts)]);
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
