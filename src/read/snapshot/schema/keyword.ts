import { stringOf, type JsonNode, type JsonObject } from "../../json/text/tree.js";
import { malformed, type Reading } from "./reading.js";

/** The value of a keyword, undefined without one. */
export function keyword(node: JsonObject, name: string): JsonNode | undefined {
  return node.members.get(name)?.value;
}

export function numberIn(reading: Reading, node: JsonObject, name: string): number | null {
  const value = keyword(node, name);
  if (value === undefined) return null;
  if (value.kind === "scalar" && typeof value.value === "number") return value.value;
  malformed(reading, value, name, "a number");
  return null;
}

/** A keyword that counts something. */
export function countIn(reading: Reading, node: JsonObject, name: string): number | null {
  const value = keyword(node, name);
  if (value === undefined) return null;
  if (value.kind === "scalar" && Number.isInteger(value.value) && Number(value.value) >= 0)
    return Number(value.value);
  malformed(reading, value, name, "a whole number that is not negative");
  return null;
}

export function textIn(reading: Reading, node: JsonObject, name: string): string | null {
  const value = keyword(node, name);
  if (value === undefined) return null;
  const text = stringOf(value);
  if (text === null) malformed(reading, value, name, "a text");
  return text;
}

/** A keyword that lists names, each kept once. */
export function namesIn(reading: Reading, value: JsonNode | undefined, name: string): readonly string[] {
  if (value === undefined) return [];
  const names = value.kind === "array" ? value.items.map(stringOf) : [null];
  if (names.every((entry) => entry !== null)) return [...new Set(names)];
  malformed(reading, value, name, "a list of names");
  return [];
}

/** The members of a keyword that is an object of schemas by name. */
export function membersIn(
  reading: Reading,
  node: JsonObject,
  name: string,
): readonly (readonly [name: string, value: JsonNode])[] {
  const value = keyword(node, name);
  if (value === undefined) return [];
  if (value.kind === "object") return [...value.members].map(([key, member]) => [key, member.value]);
  malformed(reading, value, name, "an object of schemas by name");
  return [];
}

/** The items of a keyword that is a list of schemas. */
export function listIn(reading: Reading, node: JsonObject, name: string): readonly JsonNode[] {
  const value = keyword(node, name);
  if (value === undefined) return [];
  if (value.kind === "array" && value.items.length > 0) return value.items;
  malformed(reading, value, name, "a list of at least one schema");
  return [];
}
