import { exact, type Json } from "../../../ir/json.js";
import type { Location } from "../../../diagnostics.js";

/** A JSON value with its offset in the text, in UTF-16 code units. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

export interface JsonObject {
  readonly kind: "object";
  readonly at: number;
  /**
   * The members in the order of the text. A map, so that `__proto__` needs no
   * special case.
   */
  readonly members: ReadonlyMap<string, JsonMember>;
}

export interface JsonMember {
  /** The offset of the name. */
  readonly at: number;
  readonly value: JsonNode;
}

export interface JsonArray {
  readonly kind: "array";
  readonly at: number;
  readonly items: readonly JsonNode[];
}

interface JsonScalar {
  readonly kind: "scalar";
  readonly at: number;
  readonly value: string | number | boolean | null;
}

/**
 * The value of a member; null if the node is not an object or has no such
 * member.
 */
export function member(node: JsonNode, name: string): JsonNode | null {
  return node.kind === "object"
    ? (node.members.get(name)?.value ?? null)
    : null;
}

/** The value of a string node; null for other nodes. */
export function stringOf(node: JsonNode | null): string | null {
  return node?.kind === "scalar" && typeof node.value === "string"
    ? node.value
    : null;
}

/** The value of a node that is true or false; null for other nodes. */
export function flagOf(node: JsonNode | null): boolean | null {
  return node?.kind === "scalar" && typeof node.value === "boolean"
    ? node.value
    : null;
}

/** The plain value of a node. A member called `__proto__` stays a member. */
export function toJson(node: JsonNode): Json {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(toJson);
  const entries = [...node.members].map(
    ([name, { value }]) => [name, toJson(value)] as const,
  );
  return Object.fromEntries(entries);
}

/**
 * A text that is equal for the same JSON values, whatever their offsets and the
 * order of members.
 */
export function keyOf(node: JsonNode): string {
  return exact(toJson(node));
}

/**
 * A copy in which all nodes have one offset, for a fragment that replaces
 * another.
 */
export function placedAt(node: JsonNode, at: number): JsonNode {
  if (node.kind === "scalar") return { ...node, at };
  if (node.kind === "array")
    return { ...node, at, items: node.items.map((item) => placedAt(item, at)) };
  const members = new Map<string, JsonMember>();
  for (const [name, { value }] of node.members)
    members.set(name, { at, value: placedAt(value, at) });
  return { ...node, at, members };
}

const maxLength = 60;

/** A node as JSON on one line, shortened for a message. */
export function show(node: JsonNode): string {
  const text = write(node, maxLength);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}

/** Writes no more than about `budget` characters. */
function write(node: JsonNode, budget: number): string {
  if (node.kind === "scalar") return JSON.stringify(node.value);
  let text = "";
  if (node.kind === "array") {
    for (const item of node.items) {
      if (text.length > budget) break;
      text += `${text === "" ? "" : ","}${write(item, budget - text.length)}`;
    }
    return `[${text}]`;
  }
  for (const [name, { value }] of node.members) {
    if (text.length > budget) break;
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${write(value, budget - text.length)}`;
  }
  return `{${text}}`;
}

/** Turns offsets of one text into lines and columns, which count from 1. */
export type Locations = (offset: number) => Location;

/**
 * Returns a function that finds the line and column of an offset by binary
 * search.
 */
export function locationsIn(text: string, file: string): Locations {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1))
    starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** The path from the top of a file to a value. */
export type Path = readonly string[];

/**
 * The position of a value in its file, or of the name of its member; null if it
 * is not known.
 */
export type LocationOfPath = (path: Path, isKey: boolean) => Location | null;

/**
 * The positions in a parsed text: of a value or of a member's name, or of the
 * nearest value around it.
 */
export function positionsIn(root: JsonNode, at: Locations): LocationOfPath {
  return (path, isKey) => {
    let node = root;
    for (const [i, name] of path.entries()) {
      const member =
        node.kind === "object" ? node.members.get(name) : undefined;
      if (member !== undefined && isKey && i === path.length - 1)
        return at(member.at);
      const next =
        node.kind === "array" ? node.items[Number(name)] : member?.value;
      if (next === undefined) break;
      node = next;
    }
    return at(node.at);
  };
}
