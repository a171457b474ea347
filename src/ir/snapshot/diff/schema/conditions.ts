import type { Json, JsonRecord } from "../../model.js";
import { isList } from "../../value.js";
import { show } from "../json.js";
import type { Delta } from "../classify.js";
import type { Pair } from "./pair.js";
import { annotations, keyOf, valuesIn, type Parts } from "./parts.js";
import { boundKeywords } from "./values.js";

/** Keywords that other files compare in detail. */
const detailed: ReadonlySet<string> = new Set([
  ...boundKeywords,
  "$defs",
  "additionalProperties",
  "anyOf",
  "const",
  "definitions",
  "enum",
  "items",
  "oneOf",
  "prefixItems",
  "properties",
  "required",
  "type",
]);

/** Keywords that only have a meaning together, by the first of them. */
const groups: ReadonlyMap<string, readonly string[]> = new Map([
  ["if", ["if", "then", "else"]],
  ["contains", ["contains", "minContains", "maxContains"]],
]);
const groupMembers: ReadonlySet<string> = new Set([...groups.values()].flatMap((group) => group.slice(1)));

/** Keywords that are compared as a whole: an added one restricts, a removed one allows more. */
const conditions: ReadonlySet<string> = new Set([
  "$dynamicRef",
  "$recursiveRef",
  "$ref",
  "additionalItems",
  "contains",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "dependencies",
  "dependentRequired",
  "dependentSchemas",
  "format",
  "if",
  "multipleOf",
  "not",
  "pattern",
  "patternProperties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "uniqueItems",
]);

interface Condition {
  readonly keyword: string;
  readonly key: string;
  readonly text: string;
}

export function compareConditions({ before, after }: Pair, old: Parts, fresh: Parts): Delta[] {
  const [was, is] = [conditionsIn(old, before), conditionsIn(fresh, after)];
  const missing = (from: readonly Condition[], other: readonly Condition[]): Condition[] =>
    from.filter(({ key }) => !other.some((condition) => condition.key === key));
  const [removed, added] = [missing(was, is), missing(is, was)];
  const keywords = new Set([...removed, ...added].map(({ keyword }) => keyword));
  return [...keywords].flatMap((keyword): Delta[] => {
    const [oldConditions, newConditions] = [removed, added].map((list) =>
      list.filter((condition) => condition.keyword === keyword),
    );
    const text = (list: readonly Condition[] = []): string | null =>
      list.length === 0 ? null : list.map((condition) => condition.text).join("; ");
    const [before, after] = [text(oldConditions), text(newConditions)];
    const change =
      before === null ? "condition-added" : after === null ? "condition-removed" : "condition-changed";
    return [{ change, path: "", was: before, is: after }];
  });
}

function conditionsIn(parts: Parts, root: Json): Condition[] {
  return parts.flatMap((part) =>
    Object.entries(part).flatMap(([keyword, value]): Condition[] => {
      if (!conditions.has(keyword) || (keyword === "uniqueItems" && value === false)) return [];
      const group = (groups.get(keyword) ?? [keyword]).filter((name) => Object.hasOwn(part, name));
      const whole: JsonRecord = Object.fromEntries(group.map((name) => [name, part[name] ?? null]));
      const text = group.map((name) => `${name} ${show(part[name]) ?? ""}`).join(", ");
      return [{ keyword, key: keyOf(whole, root), text }];
    }),
  );
}

/** Compares the annotations of a schema. */
export function compareWords({ descriptions }: Pair, old: Parts, fresh: Parts): Delta[] {
  const keywords = new Set([...old, ...fresh].flatMap((part) => Object.keys(part)).filter(isWord));
  return [...keywords].sort().flatMap((keyword): Delta[] => {
    const [was, is] = [old, fresh].map((parts) => show(valuesIn(parts, keyword).map(unordered)[0]));
    if (was === is || was === undefined || is === undefined) return [];
    const base: Delta = { change: "words-changed", path: "", was, is };
    if (keyword === "description") {
      const isForModels = descriptions === "caution";
      return [{ ...base, change: isForModels ? "text-for-models-changed" : "description-changed" }];
    }
    if (keyword === "default") return [{ ...base, change: "default-changed" }];
    if (keyword === "deprecated") return [{ ...base, change: "deprecation-changed" }];
    const textOf = (value: string | null): string | null => (value === null ? null : `${keyword} ${value}`);
    return [{ ...base, was: textOf(was), is: textOf(is) }];
  });
}

const identifiers: ReadonlySet<string> = new Set(["$anchor", "$id", "$schema", "$vocabulary"]);

function isWord(keyword: string): boolean {
  if (annotations.has(keyword)) return !identifiers.has(keyword);
  return !conditions.has(keyword) && !detailed.has(keyword) && !groupMembers.has(keyword);
}

/** Lists of examples have no order. */
function unordered(value: Json): Json {
  return isList(value) ? value.map((item) => show(item) ?? "").sort() : value;
}
