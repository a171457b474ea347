// A pasted text as a snapshot of a server, which is what the generator reads.
import { jsonText } from "../../../src/generator/ir/json/text.ts";
import { isRecord } from "../../../src/generator/ir/json/value.ts";
import { parseJson } from "../../../src/generator/read/json/text/parse.ts";
import {
  locationsIn,
  show,
  toJson,
} from "../../../src/generator/read/json/text/tree.ts";

/** The name of the snapshot in the generated files and in messages about it. */
export const snapshotFile = "playground.mcp.json";

/**
 * The snapshot that a text is, or one with the tools that it has: the result of
 * `tools/list` or the response with it, a list of tools, a tool, or the schema
 * of its arguments. Null after an error.
 */
export function snapshotTextOf(text, revision, scope) {
  const at = locationsIn(text, "the pasted text");
  const tree = parseJson(text, at, scope);
  if (tree === null) return null;
  const value = toJson(tree);
  if (isRecord(value) && Object.hasOwn(value, "format")) return text;
  const tools = toolsIn(value);
  if (tools !== null) return jsonText({ ...snapshot, revision, tools });
  const message = `found ${show(tree)}, expected the schema of a tool, a tool, a list of tools or a snapshot`;
  scope.error(
    "MG301",
    at(tree.at),
    message,
    "paste what the server answers to tools/list, for example",
  );
  return null;
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

function toolsIn(value) {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return null;
  const { jsonrpc, result, tools, name } = value;
  if (Array.isArray(tools)) return tools;
  if (isRecord(result) && Array.isArray(result.tools)) return result.tools;
  // JSON Schema has no keyword "name".
  if (name !== undefined || Object.hasOwn(value, "inputSchema")) return [value];
  // A message without a list of tools, such as an error.
  return jsonrpc === undefined ? [{ name: "tool", inputSchema: value }] : null;
}
