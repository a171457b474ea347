import { typeNames, type TypeName } from "../../ir/constraint.js";
import { stringOf, type JsonNode, type JsonObject } from "../json/text/tree.js";
import type { SchemaContext } from "./context.js";

export function isTypeName(name: string | null): name is TypeName {
  return typeNames.some((typeName) => typeName === name);
}

/** The value of a keyword; undefined without it. */
export function keyword(node: JsonObject, name: string): JsonNode | undefined {
  return node.members.get(name)?.value;
}

export function numberIn(context: SchemaContext, node: JsonObject, name: string): number | null {
  const value = keyword(node, name);
  if (value === undefined) return null;
  if (value.kind === "scalar" && typeof value.value === "number") return value.value;
  context.policy.malformed(context, value, name, "a number");
  return null;
}

/** The value of a keyword whose value is a count. */
export function countIn(context: SchemaContext, node: JsonObject, name: string): number | null {
  const value = keyword(node, name);
  if (value === undefined) return null;
  if (value.kind === "scalar" && Number.isInteger(value.value) && Number(value.value) >= 0)
    return Number(value.value);
  context.policy.malformed(context, value, name, "an integer of at least 0");
  return null;
}

export function textIn(context: SchemaContext, node: JsonObject, name: string): string | null {
  const value = keyword(node, name);
  if (value === undefined) return null;
  const text = stringOf(value);
  if (text === null) context.policy.malformed(context, value, name, "a string");
  return text;
}

/** The names in the value of a keyword, without duplicates. */
export function namesIn(
  context: SchemaContext,
  value: JsonNode | undefined,
  name: string,
): readonly string[] {
  if (value === undefined) return [];
  const names = value.kind === "array" ? value.items.map(stringOf) : [null];
  if (names.every((entry) => entry !== null)) return [...new Set(names)];
  context.policy.malformed(context, value, name, "a list of names");
  return [];
}

/** The members of a keyword whose value is an object of schemas by name. */
export function membersIn(
  context: SchemaContext,
  node: JsonObject,
  name: string,
): readonly (readonly [name: string, value: JsonNode])[] {
  const value = keyword(node, name);
  if (value === undefined) return [];
  if (value.kind === "object") return [...value.members].map(([key, member]) => [key, member.value]);
  context.policy.malformed(context, value, name, "an object of schemas by name");
  return [];
}

/** The items of a keyword whose value is a list of schemas. */
export function listIn(context: SchemaContext, node: JsonObject, name: string): readonly JsonNode[] {
  const value = keyword(node, name);
  if (value === undefined) return [];
  if (value.kind === "array" && value.items.length > 0) return value.items;
  context.policy.malformed(context, value, name, "a list of at least one schema");
  return [];
}
