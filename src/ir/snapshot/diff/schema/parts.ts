import { byCodePoint, sorted } from "../../canonical.js";
import type { Json, JsonRecord } from "../../model.js";
import { isList, isRecord } from "../../value.js";
import { listOf, memberOf } from "../json.js";
import { dataKeywords, targetOf } from "./reference.js";

/** Schemas that apply together: a schema with its references resolved and its `allOf` expanded. */
export type Parts = readonly JsonRecord[];

/** Keywords that restrict no value. */
export const annotations: ReadonlySet<string> = new Set([
  "$anchor",
  "$comment",
  "$id",
  "$schema",
  "$vocabulary",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

/** Keywords with an object of schemas by name. */
const mapKeywords: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);
/** Keywords whose value is a list without an order. */
const setKeywords: ReadonlySet<string> = new Set(["allOf", "anyOf", "enum", "oneOf", "required", "type"]);

export function partsOf(schema: Json, root: Json): Parts {
  const parts: JsonRecord[] = [];
  const visited = new Set<Json>();
  const open: Json[] = [schema];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (next === false) parts.push({ not: {} });
    if (!isRecord(next) || visited.has(next)) continue;
    visited.add(next);
    const target = targetOf(next["$ref"], root);
    // In the older drafts, a reference replaces all keywords next to it.
    const replacesSiblings = target !== undefined && isOldDraft(root);
    const entries = Object.entries(next).filter(([name]) => {
      if (name === "allOf") return false;
      return target === undefined || (name !== "$ref" && (!replacesSiblings || annotations.has(name)));
    });
    if (entries.length > 0) parts.push(Object.fromEntries(entries));
    if (target !== undefined) open.push(target);
    if (!replacesSiblings) for (const each of listOf(next["allOf"])) open.push(each);
  }
  return parts;
}

/** The values of a keyword in all parts that have it. */
export function valuesIn(parts: Parts, keyword: string): readonly Json[] {
  return parts.flatMap((part) => {
    const value = memberOf(part, keyword);
    return value === undefined ? [] : [value];
  });
}

/** True for a draft before 2019-09, in which `$ref` and `items` have other rules. */
export function isOldDraft(root: Json): boolean {
  return /draft-0[4-7]/.test(String(memberOf(root, "$schema") ?? ""));
}

const keys = new WeakMap<object, string>();

/**
 * A text that is equal for equal conditions, whatever their order and annotations. It includes the targets of
 * references.
 */
export function keyOf(schema: Json, root: Json): string {
  const cached = typeof schema === "object" && schema !== null ? keys.get(schema) : undefined;
  if (cached !== undefined) return cached;
  const texts: string[] = [];
  const visited = new Set<string>();
  const open: Json[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const references: string[] = [];
    texts.push(JSON.stringify(withoutAnnotations(next, references)));
    for (const reference of references.sort(byCodePoint)) {
      if (visited.has(reference)) continue;
      visited.add(reference);
      const target = targetOf(reference, root);
      texts.push(reference);
      if (target !== undefined) open.push(target);
    }
  }
  const key = texts.join("\n");
  if (typeof schema === "object" && schema !== null) keys.set(schema, key);
  return key;
}

/** A schema without annotations. Recursive; the reader of the snapshot limits the depth. */
function withoutAnnotations(schema: Json, references: string[]): Json {
  if (isList(schema)) return schema.map((item) => withoutAnnotations(item, references));
  if (!isRecord(schema)) return schema;
  const members = Object.entries(schema).flatMap(([name, value]): [string, Json][] => {
    if (annotations.has(name) || name === "$defs" || name === "definitions") return [];
    if (name === "$ref" && typeof value === "string") references.push(value);
    if (dataKeywords.has(name))
      return [[name, setKeywords.has(name) ? inOrder(sorted(value)) : sorted(value)]];
    if (mapKeywords.has(name) && isRecord(value)) {
      const inner = Object.entries(value).map(
        ([key, member]) => [key, withoutAnnotations(member, references)] as const,
      );
      return [[name, sorted(Object.fromEntries(inner))]];
    }
    const inner = withoutAnnotations(value, references);
    return [[name, setKeywords.has(name) ? inOrder(inner) : inner]];
  });
  return sorted(Object.fromEntries(members));
}

function inOrder(value: Json): Json {
  if (!isList(value)) return value;
  const keyed = value.map((item): [string, Json] => [JSON.stringify(item), item]);
  return keyed.sort(([a], [b]) => byCodePoint(a, b)).map(([, item]) => item);
}
