import { typeNames, type TypeName } from "../../ir/constraint.js";
import { stringOf, type JsonNode, type JsonObject } from "../json/text/tree.js";
import type { SchemaContext } from "./context.js";

/** The value of a keyword; undefined without it. */
export function keyword(node: JsonObject, name: string): JsonNode | undefined {
  return node.members.get(name)?.value;
}

/**
 * Reads the value of a keyword. Returns null if the keyword is absent. Reports
 * the value and returns null if `read` returns null for it.
 */
export function valueIn<T>(
  context: SchemaContext,
  value: JsonNode | undefined,
  name: string,
  expected: string,
  read: (value: JsonNode) => T | null,
): T | null {
  const result = value === undefined ? null : read(value);
  if (value !== undefined && result === null)
    context.policy.malformed(context, value, name, expected);
  return result;
}

export function numberIn(
  context: SchemaContext,
  node: JsonObject,
  name: string,
): number | null {
  return valueIn(context, keyword(node, name), name, "a number", numberOf);
}

/** The value of a keyword whose value is a count. */
export function countIn(
  context: SchemaContext,
  node: JsonObject,
  name: string,
): number | null {
  return valueIn(
    context,
    keyword(node, name),
    name,
    "an integer of at least 0",
    (value) => {
      const count = numberOf(value) ?? -1;
      return Number.isInteger(count) && count >= 0 ? count : null;
    },
  );
}

/** The names in the value of a keyword, without duplicates. */
export function namesIn(
  context: SchemaContext,
  value: JsonNode | undefined,
  name: string,
): readonly string[] {
  const names = valueIn(context, value, name, "a list of names", (list) => {
    const texts = list.kind === "array" ? list.items.map(stringOf) : [null];
    return texts.every((text) => text !== null) ? texts : null;
  });
  return [...new Set(names)];
}

/** The members of a keyword whose value is an object of schemas by name. */
export function membersIn(
  context: SchemaContext,
  node: JsonObject,
  name: string,
): readonly (readonly [name: string, value: JsonNode])[] {
  const members = valueIn(
    context,
    keyword(node, name),
    name,
    "an object of schemas by name",
    (value) => (value.kind === "object" ? value.members : null),
  );
  return [...(members ?? [])].map(([key, { value }]) => [key, value]);
}

/**
 * The items of a keyword whose value is a list with at least one of something.
 */
export function listIn(
  context: SchemaContext,
  node: JsonObject,
  name: string,
  what = "schema",
): readonly JsonNode[] {
  const read = (value: JsonNode): readonly JsonNode[] | null =>
    value.kind === "array" && value.items.length > 0 ? value.items : null;
  return (
    valueIn(
      context,
      keyword(node, name),
      name,
      `a list of at least one ${what}`,
      read,
    ) ?? []
  );
}

/**
 * The names of types in the value of the keyword `type`, and what is not one as
 * null.
 */
export function typesOf(value: JsonNode): readonly (TypeName | null)[] {
  const names = (value.kind === "array" ? value.items : [value]).map(stringOf);
  return names.map((name) => typeNames.find((type) => type === name) ?? null);
}

function numberOf(value: JsonNode): number | null {
  return value.kind === "scalar" && typeof value.value === "number"
    ? value.value
    : null;
}
