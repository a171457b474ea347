import type { Scope } from "../../diagnostics.js";
import { leftOut, maxLevels, toolSchemas } from "../../ir/snapshot/depth.js";
import type { Places } from "../json/text/place.js";
import { member, stringOf, type JsonArray, type JsonNode, type JsonObject } from "../json/text/tree.js";

/** Deep enough for all that a snapshot holds, and shallow enough for whatever walks it. */
const mostInText = maxLevels + 100;

/**
 * The snapshot without schemas that are nested too deeply: each costs its tool that schema and no more. Null, with a
 * report, when anything else is. Recurses on nothing.
 */
export function withoutDepths(root: JsonNode, at: Places, scope: Scope): JsonNode | null {
  if (isShallow(root)) return root;
  const tools = member(root, "tools");
  const shallow =
    root.kind === "object" && tools?.kind === "array"
      ? withMember(root, "tools", { ...tools, items: tools.items.map(withoutDeepSchemas) } as JsonArray)
      : root;
  const place = deeperThan(shallow, mostInText);
  if (place === null) return shallow;
  scope.error("MG201", at(place), `the text is nested more than ${mostInText} levels deep`, "flatten it");
  return null;
}

/** Is nothing nested deeper than the schema of a tool may be by itself? Goes down level by level. */
function isShallow(root: JsonNode): boolean {
  let nodes = [root];
  for (let levels = 0; nodes.length > 0; levels += 1) {
    if (levels === maxLevels) return false;
    const inner: JsonNode[] = [];
    for (const node of nodes) {
      if (node.kind === "array") for (const item of node.items) addContainer(inner, item);
      else if (node.kind === "object")
        for (const { value } of node.members.values()) addContainer(inner, value);
    }
    nodes = inner;
  }
  return true;
}

function addContainer(nodes: JsonNode[], node: JsonNode): void {
  if (node.kind !== "scalar") nodes.push(node);
}

/** Does this stand where a schema was nested too deeply? */
export function isLeftOut(schema: JsonNode): boolean {
  return stringOf(member(schema, "$comment")) === leftOut["$comment"];
}

function withoutDeepSchemas(tool: JsonNode): JsonNode {
  let found = tool;
  for (const name of toolSchemas) {
    const schema = member(found, name);
    if (found.kind !== "object" || schema === null || deeperThan(schema, maxLevels - 1) === null) continue;
    found = withMember(found, name, leftOutAt(schema.at));
  }
  return found;
}

function withMember(node: JsonObject, name: string, value: JsonNode): JsonObject {
  const at = node.members.get(name)?.at ?? node.at;
  return { ...node, members: new Map([...node.members, [name, { at, value }]]) };
}

function leftOutAt(at: number): JsonNode {
  const members = Object.entries(leftOut).map(
    ([name, value]) => [name, { at, value: { kind: "scalar", at, value: value as string } }] as const,
  );
  return { kind: "object", at, members: new Map(members) };
}

/** The place of the first object or list that lies deeper than that; null when none does. */
function deeperThan(node: JsonNode, levels: number): number | null {
  const open: [node: JsonNode, above: number][] = [[node, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [found, above] = next;
    if (found.kind === "scalar") continue;
    if (above >= levels) return found.at;
    const inner =
      found.kind === "array" ? found.items : [...found.members.values()].map(({ value }) => value);
    for (const value of inner) open.push([value, above + 1]);
  }
  return null;
}
