import { byCodePoint, sorted } from "../../canonical.js";
import type { Json, JsonRecord } from "../../model.js";
import { isList, isRecord } from "../../value.js";
import { listOf, memberOf } from "../json.js";
import { data, targetOf } from "./reference.js";

/** Schemas that must all hold: one schema with its references followed and its `allOf` spread. */
export type Parts = readonly JsonRecord[];

/** Keywords that restrict nothing: words for a reader, names, and schemas that wait to be referred to. */
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

/** Keywords that hold schemas by names of the server's own. */
const named: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);
/** Keywords whose value is a list without an order. */
const sets: ReadonlySet<string> = new Set(["allOf", "anyOf", "enum", "oneOf", "required", "type"]);

export function partsOf(schema: Json, root: Json): Parts {
  const found: JsonRecord[] = [];
  const seen = new Set<Json>();
  const open: Json[] = [schema];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (next === false) found.push({ not: {} });
    if (!isRecord(next) || seen.has(next)) continue;
    seen.add(next);
    const target = targetOf(next["$ref"], root);
    // In the older drafts a reference stands alone, whatever is written beside it.
    const isAlone = target !== undefined && isOld(root);
    const left = Object.entries(next).filter(([name]) => {
      if (name === "allOf") return false;
      return target === undefined || (name !== "$ref" && (!isAlone || annotations.has(name)));
    });
    if (left.length > 0) found.push(Object.fromEntries(left));
    if (target !== undefined) open.push(target);
    if (!isAlone) for (const each of listOf(next["allOf"])) open.push(each);
  }
  return found;
}

/** What a keyword says in each of the parts that have it. */
export function said(parts: Parts, keyword: string): readonly Json[] {
  return parts.flatMap((part) => {
    const value = memberOf(part, keyword);
    return value === undefined ? [] : [value];
  });
}

export function isOld(root: Json): boolean {
  return /draft-0[4-7]/.test(String(memberOf(root, "$schema") ?? ""));
}

const keys = new WeakMap<object, string>();

/**
 * Equal texts mean the same conditions: words aside, in whatever order. What a reference leads to is part of it.
 */
export function keyOf(schema: Json, root: Json): string {
  const known = typeof schema === "object" && schema !== null ? keys.get(schema) : undefined;
  if (known !== undefined) return known;
  const texts: string[] = [];
  const seen = new Set<string>();
  const open: Json[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const references: string[] = [];
    texts.push(JSON.stringify(bare(next, references)));
    for (const reference of references.sort(byCodePoint)) {
      if (seen.has(reference)) continue;
      seen.add(reference);
      const target = targetOf(reference, root);
      texts.push(reference);
      if (target !== undefined) open.push(target);
    }
  }
  const key = texts.join("\n");
  if (typeof schema === "object" && schema !== null) keys.set(schema, key);
  return key;
}

/** A schema without its words. Recursion is as deep as the snapshot, which its reader bounds. */
function bare(schema: Json, references: string[]): Json {
  if (isList(schema)) return schema.map((item) => bare(item, references));
  if (!isRecord(schema)) return schema;
  const members = Object.entries(schema).flatMap(([name, value]): [string, Json][] => {
    if (annotations.has(name) || name === "$defs" || name === "definitions") return [];
    if (name === "$ref" && typeof value === "string") references.push(value);
    if (data.has(name)) return [[name, sets.has(name) ? inOrder(sorted(value)) : sorted(value)]];
    if (named.has(name) && isRecord(value)) {
      const inner = Object.entries(value).map(([key, member]) => [key, bare(member, references)] as const);
      return [[name, sorted(Object.fromEntries(inner))]];
    }
    const inner = bare(value, references);
    return [[name, sets.has(name) ? inOrder(inner) : inner]];
  });
  return sorted(Object.fromEntries(members));
}

function inOrder(value: Json): Json {
  if (!isList(value)) return value;
  const keyed = value.map((item): [string, Json] => [JSON.stringify(item), item]);
  return keyed.sort(([a], [b]) => byCodePoint(a, b)).map(([, item]) => item);
}
