// A pasted text as a snapshot of a server, which is what the generator reads.
import { jsonText } from "../../../src/generator/ir/json/text.ts";
import { Diagnostics } from "../../../src/generator/diagnostics.ts";
import { kindOfJson } from "../../../src/generator/read/json-kind.ts";
import { parseJson } from "../../../src/generator/read/json/text/parse.ts";
import { resolve } from "../../../src/generator/read/json/text/pointer.ts";
import {
  locationsIn,
  member,
  show,
  toJson,
} from "../../../src/generator/read/json/text/tree.ts";

/** The name of the snapshot in the generated files and in messages about it. */
export const snapshotFile = "playground.mcp.json";

/**
 * The snapshot that a text is, or one with the tools that it has: the result of
 * `tools/list` or the response with it, a list of tools, a tool, or the schema
 * of its arguments; and a function that finds a place of the snapshot in the
 * text. Null after an error.
 */
export function snapshotOf(text, revision, scope) {
  const at = locationsIn(text, "the pasted text");
  const tree = parseJson(text, at, scope);
  if (tree === null) return null;
  const kind = kindOfJson(toJson(tree));
  if (kind === "snapshot")
    return { written: text, placed: (location) => location };
  const part = others[kind] === undefined ? partOf(tree) : null;
  if (part !== null) {
    const [steps, node] = part;
    const [, , inputSchema] = steps;
    const own = toJson(node);
    const tool = inputSchema ? { name: "tool", inputSchema: own } : own;
    const tools = steps.length === 1 ? own : [tool];
    const written = jsonText({ ...snapshot, revision, tools });
    const places = placesOf(written, steps, node, at);
    const placed = (location) => places.get(keyOf(location)) ?? location;
    return { written, placed };
  }
  const found = others[kind] ?? show(tree);
  const message = `found ${found}, expected the schema of a tool, a tool, a list of tools or a snapshot`;
  scope.error(
    "MG301",
    at(tree.at),
    message,
    "paste what the server answers to tools/list, for example",
  );
  return null;
}

/** What has no tools, and what it is called. */
const others = {
  clients: "the configuration of a client",
  ir: "the representation of a revision",
  openapi: "an OpenAPI document",
};

const keyOf = ({ line, column }) => `${line}:${column}`;

/**
 * The places in the pasted text of all values and names below a node, by their
 * places in the snapshot, where the steps lead to the same node.
 */
function placesOf(written, steps, node, at) {
  const atWritten = locationsIn(written, snapshotFile);
  const tree = parseJson(written, atWritten, new Diagnostics().root);
  const places = new Map();
  const pairs = [[resolve(tree, steps), node]];
  for (const [copy, original] of pairs) {
    places.set(keyOf(atWritten(copy.at)), at(original.at));
    if (copy.kind === "array")
      copy.items.forEach((item, i) => pairs.push([item, original.items[i]]));
    if (copy.kind !== "object") continue;
    for (const [name, { at: nameAt, value }] of copy.members) {
      const other = original.members.get(name);
      places.set(keyOf(atWritten(nameAt)), at(other.at));
      pairs.push([value, other.value]);
    }
  }
  return places;
}

const snapshot = {
  format: 1,
  revision: "",
  server: { name: "playground", version: "1.0.0" },
  capabilities: { tools: {} },
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
};

/** What a text has of a snapshot: where it stands there, and its node. */
function partOf(tree) {
  if (tree.kind === "array") return [["tools"], tree];
  if (tree.kind !== "object") return null;
  const result = member(tree, "result");
  for (const tools of [
    member(tree, "tools"),
    result && member(result, "tools"),
  ])
    if (tools?.kind === "array") return [["tools"], tools];
  // JSON Schema has no keyword "name".
  if (tree.members.has("name") || tree.members.has("inputSchema"))
    return [["tools", "0"], tree];
  // A message without a list of tools, such as an error.
  if (tree.members.has("jsonrpc")) return null;
  return [["tools", "0", "inputSchema"], tree];
}
