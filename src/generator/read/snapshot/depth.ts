import type { Scope } from "../../diagnostics.js";
import { deepSchema, maxLevels, toolSchemas } from "../../ir/snapshot/depth.js";
import {
  member,
  stringOf,
  type JsonArray,
  type JsonNode,
  type JsonObject,
  type Locations,
} from "../json/text/tree.js";

/**
 * The maximum nesting of a whole snapshot, which functions can walk
 * recursively.
 */
const maxTextLevels = maxLevels + 100;

/**
 * Replaces schemas that are nested too deeply with one that accepts every
 * object. Reports a snapshot that is nested too deeply elsewhere and returns
 * null. Not recursive.
 */
export function withoutDepths(
  root: JsonNode,
  at: Locations,
  scope: Scope,
): JsonNode | null {
  if (deeperThan(root, maxLevels) === null) return root;
  const tools = member(root, "tools");
  const shallow =
    root.kind === "object" && tools?.kind === "array"
      ? withMember(root, "tools", {
          ...tools,
          items: tools.items.map(withoutDeepSchemas),
        } as JsonArray)
      : root;
  const offset = deeperThan(shallow, maxTextLevels);
  if (offset === null) return shallow;
  scope.error(
    "MG201",
    at(offset),
    `the text is nested more than ${maxTextLevels} levels deep`,
    "flatten it",
  );
  return null;
}

/** True for the replacement of a schema that is nested too deeply. */
export function isDeepSchema(schema: JsonNode): boolean {
  return stringOf(member(schema, "$comment")) === deepSchema["$comment"];
}

function withoutDeepSchemas(tool: JsonNode): JsonNode {
  let part = tool;
  for (const name of toolSchemas) {
    const schema = member(part, name);
    if (
      part.kind !== "object" ||
      schema === null ||
      deeperThan(schema, maxLevels - 1) === null
    )
      continue;
    part = withMember(part, name, deepSchemaAt(schema.at));
  }
  return part;
}

function withMember(
  node: JsonObject,
  name: string,
  value: JsonNode,
): JsonObject {
  const at = node.members.get(name)?.at ?? node.at;
  return {
    ...node,
    members: new Map([...node.members, [name, { at, value }]]),
  };
}

function deepSchemaAt(at: number): JsonNode {
  const members = Object.entries(deepSchema).map(
    ([name, value]) =>
      [
        name,
        { at, value: { kind: "scalar", at, value: value as string } },
      ] as const,
  );
  return { kind: "object", at, members: new Map(members) };
}

/**
 * The offset of the first object or array below this depth; null if there is
 * none.
 */
function deeperThan(node: JsonNode, levels: number): number | null {
  const open: [node: JsonNode, above: number][] = [];
  const add = (node: JsonNode, above: number): void => {
    if (node.kind !== "scalar") open.push([node, above]);
  };
  add(node, 0);
  for (const [node, above] of open) {
    if (above >= levels) return node.at;
    if (node.kind === "array")
      for (const value of node.items) add(value, above + 1);
    else if (node.kind === "object")
      for (const { value } of node.members.values()) add(value, above + 1);
  }
  return null;
}
