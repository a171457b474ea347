import type { Doc } from "../../ir/model.js";
import {
  annotations,
  withoutAnnotations,
} from "../../ir/constraint/annotations.js";
import {
  anything,
  type Check,
  type Note,
  type Schema,
  typeNames,
  type TypeName,
} from "../../ir/constraint.js";
import { bounds, checkKinds, keywordsFor } from "../../ir/constraint/kinds.js";
import {
  flagOf,
  stringOf,
  type JsonNode,
  type JsonObject,
  toJson,
} from "../json/text/tree.js";
import { readArrayChecks } from "./array.js";
import {
  ownContext,
  reportUnchecked,
  inside,
  isDraft,
  type SchemaContext,
  type Dialect,
} from "./context.js";
import { keyword, listIn, numberIn, typesOf, valueIn } from "./keyword.js";
import { readMemberChecks } from "./members.js";
import { resourceOf } from "./reference.js";
import { readStringChecks } from "./string.js";
import { distinct } from "../../ir/groups.js";
import { exact } from "../../ir/json.js";

const never: Schema = { doc: anything.doc, checks: [{ kind: "never" }] };

/**
 * Reads a schema as conditions. The policy of the context reports what cannot
 * be read.
 */
export function readSchema(outer: SchemaContext, node: JsonNode): Schema {
  const part = outer.policy.prepare(outer, node);
  if (typeof part === "boolean") return part ? anything : never;
  if ("checks" in part) return part;
  const context = ownContext(outer, resourceOf(outer, node));
  const checks = readChecks(context, part);
  const notes = [...readNotes(context, part), ...context.own.unchecked];
  const schema: Schema = {
    doc: readDoc(part),
    checks,
    ...(notes.length === 0 ? {} : { notes }),
  };
  return context.policy.afterRead(context, part, schema);
}

type KeywordReader = (
  context: SchemaContext,
  node: JsonObject,
) => readonly Check[];

const branchKinds = ["all", "any", "one", "not", "when"] as const;

/** The functions that read keywords, in the order of the checks. */
const readers: readonly (readonly [
  read: KeywordReader,
  keywords: readonly string[],
])[] = [
  [reportDynamicReferences, ["$dynamicRef", "$recursiveRef"]],
  [readReference, checkKinds.reference.keywords],
  [readTypes, checkKinds.type.keywords],
  [readValues, checkKinds.values.keywords],
  [readNumberChecks, keywordsFor("number")],
  [readStringChecks, keywordsFor("string")],
  [readArrayChecks, keywordsFor("array")],
  [readMemberChecks, keywordsFor("object")],
  [readBranches, branchKinds.flatMap((kind) => checkKinds[kind].keywords)],
];

const readerOf: ReadonlyMap<string, KeywordReader> = new Map(
  readers.flatMap(([reader, keywords]) =>
    keywords.map((name): [string, KeywordReader] => [name, reader]),
  ),
);

/**
 * The type of the values that a keyword applies to, if it does not apply to
 * all.
 */
export const keywordsOfTypes: ReadonlyMap<string, TypeName> = new Map([
  ...(["number", "string", "array", "object"] as const).flatMap((type) =>
    keywordsFor(type).map((name) => [name, type] as const),
  ),
  ["format", "string"],
]);

/** What the reader does with a keyword. */
export function keywordUse(
  dialect: Dialect,
  name: string,
): "read" | "described" | "unchecked" | "unknown" {
  if (describing.includes(name) || annotations.has(name)) return "described";
  if (uncheckedIn(dialect).has(name)) return "unchecked";
  return readerOf.has(name) || auxiliary.has(name) ? "read" : "unknown";
}

function readChecks(
  context: SchemaContext,
  node: JsonObject,
): readonly Check[] {
  if (isDraft(context.dialect) && node.members.has("$ref"))
    return readReference(context, node);
  const activeReaders = new Set<KeywordReader | undefined>();
  for (const name of node.members.keys()) activeReaders.add(readerOf.get(name));
  const checks: Check[] = [];
  for (const [reader] of readers)
    if (activeReaders.has(reader)) checks.push(...reader(context, node));
  return checks;
}

/** Keywords that other keywords read, or that only name a schema. */
const auxiliary: ReadonlySet<string> = new Set([
  "$anchor",
  "$defs",
  "$id",
  "$schema",
  "$vocabulary",
  "additionalItems",
  "definitions",
  "else",
  "maxContains",
  "minContains",
  "nullable",
  "then",
]);

/** Keywords that describe values and that no validator checks. */
const describing = [
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "format",
];

/**
 * Conditions that are not checked: those above, and keywords of the other
 * dialect, which other validators may check.
 */
const newUnchecked: ReadonlySet<string> = new Set([
  ...describing,
  "additionalItems",
  "dependencies",
]);
const oldUnchecked: ReadonlySet<string> = new Set([
  ...describing,
  "dependentRequired",
  "dependentSchemas",
  "prefixItems",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const uncheckedIn = (dialect: Dialect): ReadonlySet<string> =>
  isDraft(dialect) ? oldUnchecked : newUnchecked;

/** Tests for `additionalItems` beside a list of items, which is read. */
export function isOldTuple(node: JsonObject, name: string): boolean {
  return name === "additionalItems" && keyword(node, "items")?.kind === "array";
}

/** The keywords that no reader reads. */
function readNotes({ dialect }: SchemaContext, node: JsonObject): Note[] {
  const isReference = isDraft(dialect) && node.members.has("$ref");
  const notes: Note[] = [];
  for (const [name, { value }] of node.members) {
    const isCondition =
      uncheckedIn(dialect).has(name) && !isOldTuple(node, name);
    const isRead = !isCondition && (readerOf.has(name) || auxiliary.has(name));
    // In draft-07, a reference replaces all conditions next to it.
    if (isRead || (isReference && isCondition)) continue;
    const json = toJson(value);
    notes.push({
      keyword: name,
      value: isCondition ? withoutAnnotations(json) : json,
      isCondition,
    });
  }
  return notes;
}

/** `description` as text and `deprecated` as a tag. */
function readDoc(node: JsonObject): Doc {
  const text = stringOf(keyword(node, "description") ?? null) ?? "";
  const isDeprecated = flagOf(keyword(node, "deprecated") ?? null) === true;
  return {
    text: text.trim(),
    tags: isDeprecated ? [{ name: "deprecated", text: "" }] : [],
  };
}

function readReference(
  context: SchemaContext,
  node: JsonObject,
): readonly Check[] {
  const value = keyword(node, "$ref");
  const ref = valueIn(
    context,
    value,
    "$ref",
    "a string that starts with #",
    stringOf,
  );
  return value === undefined || ref === null
    ? []
    : context.policy.reference(context, value, ref);
}

/**
 * The target of these references depends on the schemas through which they are
 * reached.
 */
function reportDynamicReferences(
  context: SchemaContext,
  node: JsonObject,
): readonly Check[] {
  for (const name of ["$dynamicRef", "$recursiveRef"]) {
    const value = keyword(node, name);
    if (value !== undefined)
      reportUnchecked(
        context,
        name,
        value,
        `"${name}" is not checked`,
        'use "$ref"',
      );
  }
  return [];
}

function readTypes(context: SchemaContext, node: JsonObject): Check[] {
  const expected = `one of ${typeNames.join(", ")}, or a list of them`;
  const types = valueIn(
    context,
    keyword(node, "type"),
    "type",
    expected,
    (value) => {
      const names = typesOf(value);
      return names.length > 0 && names.every((name) => name !== null)
        ? [...names]
        : null;
    },
  );
  if (types === null) return [];
  if (!types.includes("null") && isNullable(context, node)) types.push("null");
  // With "number", "integer" is redundant.
  const distinct = types.filter(
    (type) => type !== "integer" || !types.includes("number"),
  );
  return [{ kind: "type", types: [...new Set(distinct)] }];
}

/**
 * True if the schema is `nullable`, a keyword of OpenAPI 3.0 that many
 * generators write.
 */
function isNullable(context: SchemaContext, node: JsonObject): boolean {
  const nullable = keyword(node, "nullable");
  if (nullable === undefined || flagOf(nullable) !== true) return false;
  const message =
    '"nullable" is a keyword of OpenAPI; "null" is added to "type"';
  context.scope.note(
    "MG314",
    context.locationAt(nullable.at),
    message,
    'add "null" to "type" instead',
  );
  return true;
}

function readValues(context: SchemaContext, node: JsonObject): Check[] {
  const checks: Check[] = [];
  const only = keyword(node, "const");
  if (only !== undefined)
    checks.push({ kind: "values", values: [toJson(only)] });
  const listed = listIn(context, node, "enum", "value").map(toJson);
  const values = distinct(listed, exact);
  if (values.length > 0) checks.push({ kind: "values", values });
  return checks;
}

function readNumberChecks(context: SchemaContext, node: JsonObject): Check[] {
  const checks: Check[] = [];
  // In draft-04, a flag beside a bound says that the bound itself is excluded.
  const flagIn = (name: string): boolean | null =>
    context.dialect === "draft-04" ? flagOf(keyword(node, name) ?? null) : null;
  for (const [name, side, isOpen] of bounds) {
    if (flagIn(name) !== null) continue;
    const value = numberIn(context, node, name);
    const flag = side === "low" ? "exclusiveMinimum" : "exclusiveMaximum";
    const open = isOpen || flagIn(flag) === true;
    if (value !== null) checks.push({ kind: "bound", side, value, open });
  }
  const of = numberIn(context, node, "multipleOf");
  const value = keyword(node, "multipleOf");
  if (of === null || value === undefined) return checks;
  if (of > 0) checks.push({ kind: "multiple", of });
  else
    context.policy.malformed(
      context,
      value,
      "multipleOf",
      "a number greater than 0",
    );
  return checks;
}

const lists = [
  ["allOf", "all"],
  ["anyOf", "any"],
  ["oneOf", "one"],
] as const;

/** Reads the keywords that combine schemas or apply them under a condition. */
function readBranches(context: SchemaContext, node: JsonObject): Check[] {
  const checks: Check[] = [];
  for (const [name, kind] of lists) {
    const items = listIn(context, node, name);
    if (items.length === 0) continue;
    const schemas = items.map((item, index) =>
      readSchema(inside(context, `${name} ${index}`), item),
    );
    checks.push({ kind, schemas });
  }
  const schemaAt = (name: string): Schema | null => {
    const value = keyword(node, name);
    return value === undefined
      ? null
      : readSchema(inside(context, name), value);
  };
  const not = schemaAt("not");
  if (not !== null) checks.push({ kind: "not", schema: not });
  const test = schemaAt("if");
  const then = test === null ? null : schemaAt("then");
  const otherwise = test === null ? null : schemaAt("else");
  if (test !== null && (then !== null || otherwise !== null))
    checks.push({ kind: "when", test, then, otherwise });
  return checks;
}
