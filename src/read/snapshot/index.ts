import type { Diagnostics, Scope } from "../../diagnostics.js";
import type { JsonRecord, Snapshot } from "../../ir/snapshot/model.js";
import { digestOf } from "../digest.js";
import { parseJson } from "../json/text/parse.js";
import { places, type Places } from "../json/text/place.js";
import { member, show, stringOf, type JsonNode, type JsonObject } from "../json/text/tree.js";
import { withoutDepths } from "./depth.js";
import { readPrompts, readResources, readTemplates, readTools, type Entries } from "./entries.js";
import { withTypes } from "./types/index.js";
import { toJson } from "../json/text/value.js";

/** The version of the snapshot that this program reads and writes. */
export const format = 1;

/** How deep a text may be nested is asked of its parts, once they can be told apart. */
const textBudget = { depth: Infinity, nodes: 2_000_000 } as const;

export interface ReadSnapshotOptions {
  /** The path to name in reports. */
  readonly file: string;
  /** The path to keep in the result: relative to the project, with forward slashes. */
  readonly name: string;
}

/**
 * Reads a snapshot of what a server offers. Its own shape must be right; what a server says inside it need not be, and
 * becomes `unknown`, with a diagnostic that names the tool. Null after an error.
 */
export async function readSnapshot(
  text: string,
  { file, name }: ReadSnapshotOptions,
  diagnostics: Diagnostics,
): Promise<Snapshot | null> {
  const before = diagnostics.list.length;
  const failed = (): boolean => diagnostics.list.slice(before).some(({ severity }) => severity === "error");
  const at = places(text, file);
  const scope = diagnostics.root;
  const parsed = parseJson(text, at, scope, textBudget);
  const root = parsed && withoutDepths(parsed, at, scope);
  if (root === null) return null;
  if (root.kind !== "object" || !isSnapshot(root, at, scope)) {
    if (root.kind !== "object")
      scope.error("MG301", at(root.at), `found ${show(root)} where a snapshot was expected`);
    return null;
  }
  const entries: Entries = { root, at, scope, definitions: [] };
  const server = readRecord(entries, "server");
  const snapshot = {
    revision: readText(entries, "revision") ?? "",
    source: { name, sha256: digestOf(text) },
    name: typeof server["name"] === "string" ? server["name"] : "",
    server,
    capabilities: readRecord(entries, "capabilities"),
    instructions: root.members.has("instructions") ? readText(entries, "instructions") : null,
    tools: readTools(entries),
    prompts: readPrompts(entries),
    resources: readResources(entries),
    templates: readTemplates(entries),
  };
  reportStrange(entries);
  if (failed()) return null;
  return { ...snapshot, definitions: await withTypes(entries.definitions, scope) };
}

function isSnapshot(root: JsonObject, at: Places, scope: Scope): boolean {
  const version = member(root, "format");
  if (version?.kind === "scalar" && version.value === format) return true;
  const found = version === null ? "no format" : `format ${show(version)}`;
  const message = `this snapshot has ${found}, and this version of mcpgen reads format ${format}`;
  scope.error("MG301", at(version?.at ?? root.at), message, "take it anew with `mcpgen pull`");
  return false;
}

/** The members of a snapshot, in the order in which they are written. */
export const snapshotMembers = [
  "format",
  "revision",
  "server",
  "capabilities",
  "instructions",
  "tools",
  "prompts",
  "resources",
  "resourceTemplates",
] as const;

function reportStrange({ root, at, scope }: Entries): void {
  for (const [name, { at: start }] of root.members) {
    if (name === "$schema" || snapshotMembers.some((known) => known === name)) continue;
    scope.error("MG302", at(start), `a snapshot has no member "${name.slice(0, 80)}"`, "remove it");
  }
}

function readText({ root, at, scope }: Entries, name: string): string | null {
  const node = member(root, name);
  const text = stringOf(node);
  if (text === null) fault(root, node, at, scope, name, "a text");
  return text;
}

function readRecord({ root, at, scope }: Entries, name: string): JsonRecord {
  const node = member(root, name);
  if (node?.kind === "object") return toJson(node) as JsonRecord;
  fault(root, node, at, scope, name, "an object");
  return {};
}

function fault(
  root: JsonObject,
  node: JsonNode | null,
  at: Places,
  scope: Scope,
  name: string,
  expected: string,
): void {
  const message =
    node === null ? `the member "${name}" is missing` : `"${name}" is ${show(node)}, expected ${expected}`;
  scope.error("MG302", at(node?.at ?? root.at), message, "take the snapshot anew with `mcpgen pull`");
}
