import type { TypeName } from "../../ir/constraint.js";
import { isOf } from "../../ir/json/value.js";
import type { SchemaContext } from "../json-schema/context.js";
import { isTypeName, typeNames } from "../json-schema/keyword.js";
import { sameValue, show, stringOf, type JsonNode, type JsonObject } from "./text/tree.js";
import { annotations, byType, typeOf } from "./keywords.js";
import { reportKeywords } from "./report.js";

/** Reports a keyword whose value has the wrong type. */
export function malformed(context: SchemaContext, node: JsonNode, keyword: string, expected: string): void {
  const { scope, locationAt: locations } = context;
  scope.error("MG203", locations(node.at), `"${keyword}": expected ${expected}, got ${show(node)}`, null);
}

/** Warns of a condition that the model cannot express, so that more values are accepted. */
export function reportWidening(
  context: SchemaContext,
  node: JsonNode,
  message: string,
  hint: string | null = null,
): void {
  context.scope.warn("MG206", context.locationAt(node.at), message, hint);
}

/** Reports what the model cannot express of a schema, and returns the schema without it. */
export function prepare(context: SchemaContext, node: JsonNode): JsonObject | boolean {
  if (node.kind === "object") return prepareObject(context, node);
  if (node.kind === "scalar" && node.value === true) return true;
  if (node.kind === "scalar" && node.value === false) {
    const message = "the model cannot express the schema false, which accepts no value";
    reportWidening(context, node, message, "remove the member");
    return true;
  }
  const { scope, locationAt: locations } = context;
  scope.error("MG203", locations(node.at), `expected a schema, got ${show(node)}`, "a schema is an object");
  return true;
}

function prepareObject(context: SchemaContext, node: JsonObject): JsonObject {
  const isReference = context.dialect === "draft-07" && node.members.has("$ref");
  reportKeywords(context, node, isReference ? "ignored" : "read");
  if (isReference) return readablePart(context, node, isReadNextToReference);
  const typeNames = readTypes(context, node);
  const values = readValues(context, node, typeNames);
  // Values make all conditions about single types redundant.
  if (values !== null && values.length > 0) {
    const name = node.members.has("const") ? "const" : "enum";
    const part = readablePart(context, node, (keyword) => keyword === name || isAlwaysRead(keyword));
    return withTypes(part, typeNames ?? []);
  }
  const types = typeNames ?? impliedTypes(context, node);
  const isTyped = (keyword: string): boolean => types.some((type) => byType[type].includes(keyword));
  const part = readablePart(context, node, (keyword) => isAlwaysRead(keyword) || isTyped(keyword));
  return withTypes(part, types);
}

function isReadNextToReference(keyword: string): boolean {
  return keyword === "$ref" || annotations.has(keyword);
}

const independent: ReadonlySet<string> = new Set(["type", "allOf", "anyOf", "oneOf", "nullable"]);

/** True for the keywords that are read whatever the type is. */
function isAlwaysRead(keyword: string): boolean {
  return independent.has(keyword) || isReadNextToReference(keyword);
}

/** The schema without the keywords that are not read, and without those whose value the model cannot express. */
function readablePart(
  context: SchemaContext,
  node: JsonObject,
  isRead: (keyword: string) => boolean,
): JsonObject {
  const omissions: string[] = [];
  for (const [keyword, { value }] of node.members) {
    if (!isRead(keyword) || checks.get(keyword)?.(context, value, node) === false) omissions.push(keyword);
  }
  if (omissions.length === 0) return node;
  const members = new Map(node.members);
  for (const keyword of omissions) members.delete(keyword);
  return { ...node, members };
}

/** The schema with these names in `type`, which are those that the schema implies, or the valid ones. */
function withTypes(node: JsonObject, types: readonly TypeName[]): JsonObject {
  const type = node.members.get("type")?.value;
  if (type === undefined && types.length === 0) return node;
  const count = type?.kind === "array" ? type.items.length : 1;
  if (type !== undefined && types.length > 0 && count === types.length) return node;
  const { at } = node;
  const items = types.map((value): JsonNode => ({ kind: "scalar", at, value }));
  const members = new Map(node.members);
  if (types.length === 0) members.delete("type");
  else members.set("type", { at, value: { kind: "array", at, items } });
  return { ...node, members };
}

/** Returns the names in `type`; null without the keyword. */
function readTypes(context: SchemaContext, node: JsonObject): readonly TypeName[] | null {
  const type = node.members.get("type")?.value;
  if (type === undefined) return null;
  const items: readonly JsonNode[] = type.kind === "array" ? type.items : [type];
  if (items.length === 0) malformed(context, type, "type", "at least one name");
  const names: TypeName[] = [];
  for (const entry of items) {
    const name = stringOf(entry);
    if (isTypeName(name)) names.push(name);
    else malformed(context, entry, "type", `one of ${typeNames.join(", ")}`);
  }
  return [...new Set(names)];
}

/** Returns the values of `const` or `enum`, none without them, or null if the model cannot express one of them. */
function readValues(
  context: SchemaContext,
  node: JsonObject,
  types: readonly TypeName[] | null,
): readonly JsonNode[] | null {
  const only = node.members.get("const")?.value;
  const list = node.members.get("enum")?.value;
  const items = list?.kind === "array" ? list.items : [];
  if (list !== undefined && (list.kind !== "array" || items.length === 0))
    malformed(context, list, "enum", "a list of at least one value");
  const values = only === undefined ? items : [only];
  if (only !== undefined && items.length > 0 && !items.some((value) => sameValue(value, only))) {
    malformed(context, only, "const", 'a value that the "enum" beside it lists');
  }
  for (const value of values) {
    if (value.kind !== "scalar") {
      const message = `the value ${show(value)} is not checked`;
      reportWidening(context, value, message, 'describe it with "properties" or "items"');
      return null;
    }
    if (types !== null && !types.some((type) => isOf(type, value.value))) {
      const expected = types.map((type) => `"${type}"`).join(" or ");
      malformed(context, value, only === undefined ? "enum" : "const", `a value of type ${expected}`);
    }
  }
  return values;
}

/** Strictly, `{ properties }` without a type also accepts strings. It is read as an object, with a diagnostic. */
function impliedTypes(context: SchemaContext, node: JsonObject): readonly TypeName[] {
  for (const [keyword, { at }] of node.members) {
    const name = typeOf.get(keyword);
    if (name === undefined) continue;
    const message = `"${keyword}" has no "type" next to it; the schema is read as type "${name}"`;
    context.scope.note("MG207", context.locationAt(at), message, `write "type": "${name}"`);
    return [name];
  }
  return [];
}

/** True for `true`, `{}` and a schema with annotations only. */
function acceptsAll(node: JsonNode): boolean {
  if (node.kind === "scalar") return node.value === true;
  return node.kind === "object" && [...node.members.keys()].every((keyword) => annotations.has(keyword));
}

/** Reports what the model cannot express of a keyword's value. Returns false if the keyword is not read at all. */
type KeywordCheck = (context: SchemaContext, value: JsonNode, node: JsonObject) => boolean;

const checks: ReadonlyMap<string, KeywordCheck> = new Map(
  Object.entries<KeywordCheck>({
    description: (context, value) => {
      if (stringOf(value) === null) malformed(context, value, "description", "a string");
      return true;
    },
    format: (context, value) => {
      if (stringOf(value) === null) malformed(context, value, "format", "a string");
      return true;
    },
    nullable: (context, value) => {
      if (value.kind !== "scalar" || typeof value.value !== "boolean")
        malformed(context, value, "nullable", "true or false");
      return true;
    },
    items: (context, value) => {
      if (value.kind !== "array") return true;
      const message = "a list of schemas, one for each position, is not checked";
      reportWidening(context, value, message, "use one schema for all items");
      return false;
    },
    required: (context, value) => {
      if (value.kind !== "array") return true;
      const names = new Set<string>();
      for (const item of value.items) {
        const name = stringOf(item);
        if (name === null) malformed(context, item, "required", "a list of names");
        else if (names.has(name)) malformed(context, item, "required", "each name once");
        else names.add(name);
      }
      return value.items.every((item) => stringOf(item) !== null);
    },
    additionalProperties: (context, value, node) => {
      if (value.kind === "scalar" && value.value === false) {
        const message = `"additionalProperties" is false, but objects are never closed: unknown members are accepted`;
        reportWidening(context, value, message);
        return false;
      }
      // `{ properties: {}, additionalProperties: true }` means "any object", not a map.
      const properties = node.members.get("properties")?.value;
      const required = node.members.get("required")?.value;
      const hasNames = required?.kind === "array" && required.items.length > 0;
      return properties?.kind !== "object" || properties.members.size > 0 || hasNames || !acceptsAll(value);
    },
    allOf: (context, value) => {
      if (value.kind === "array" && value.items.length > 0) return true;
      malformed(context, value, "allOf", "a list of schemas");
      return false;
    },
    oneOf: (context, value) => {
      if (value.kind !== "array" || value.items.length < 2) return true;
      const message = '"oneOf" is read as "anyOf": a value that matches two of its schemas is accepted';
      context.scope.note("MG207", context.locationAt(value.at), message, null);
      return true;
    },
  }),
);
