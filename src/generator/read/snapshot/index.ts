import type { Diagnostics, Scope } from "../../diagnostics.js";
import type { JsonRecord, Snapshot } from "../../ir/snapshot/model.js";
import { jsonDigestOf } from "../digest.js";
import { parseJson } from "../json/text/parse.js";
import {
  member,
  show,
  stringOf,
  type JsonObject,
  toJson,
  locationsIn,
  type Locations,
} from "../json/text/tree.js";
import { withoutDepths } from "./depth.js";
import { readRevisions } from "./revisions.js";
import {
  readPrompts,
  readResources,
  readTemplates,
  readTools,
  type Entries,
} from "./entries.js";

/** The version of the snapshot that this program reads and writes. */
const format = 1;

/** The nesting is checked later, separately for each part. */
const textBudget = { depth: Infinity, nodes: 2_000_000 } as const;

interface ReadSnapshotOptions {
  /** The path in diagnostics. */
  readonly file: string;
  /** The path in the result: relative to the project, with forward slashes. */
  readonly name: string;
  /** The newest revision, which is that of a file that names none. */
  readonly newest: string | null;
}

/**
 * Reads a snapshot of a server. The structure of the snapshot must be valid.
 * Invalid schemas of the server become `unknown`, with a diagnostic that names
 * the tool. Returns null after an error.
 *
 * Without `format`, which `mcpgen pull` writes, it is the file of a person who
 * designs a server. There, `revision` names one revision, `revisions` several,
 * and without both the server has all. Without `capabilities`, they follow from
 * the lists.
 */
export function readSnapshot(
  text: string,
  { file, name, newest }: ReadSnapshotOptions,
  diagnostics: Diagnostics,
): Snapshot | null {
  const hasErrors = diagnostics.watch();
  const at = locationsIn(text, file);
  const scope = diagnostics.root;
  const tree = parseJson(text, at, scope, textBudget);
  const root = tree && withoutDepths(tree, at, scope);
  if (root === null) return null;
  if (root.kind !== "object") {
    scope.error("MG301", at(root.at), `expected a snapshot, got ${show(root)}`);
    return null;
  }
  if (!isSnapshot(root, at, scope)) return null;
  const entries: Entries = { root, at, scope, definitions: [] };
  const server = readServer(entries);
  const revisions = readRevisions(root, at, scope);
  const capabilities = root.members.has("capabilities")
    ? readRecord(entries, "capabilities")
    : capabilitiesOf(root);
  const instructions = root.members.has("instructions")
    ? readText(entries, "instructions")
    : null;
  const snapshot = {
    revision: revisionOf(entries, revisions, newest) ?? "",
    revisions,
    source: { name, sha256: jsonDigestOf(text) },
    name: typeof server["name"] === "string" ? server["name"] : "",
    server,
    capabilities,
    instructions,
    tools: readTools(entries),
    prompts: readPrompts(entries),
    resources: readResources(entries),
    templates: readTemplates(entries),
  };
  reportUnknownMembers(entries);
  if (hasErrors()) return null;
  return { ...snapshot, definitions: entries.definitions };
}

function isSnapshot(root: JsonObject, at: Locations, scope: Scope): boolean {
  const version = member(root, "format");
  if (version?.kind === "scalar" && version.value === format) return true;
  if (version === null && root.members.has("server")) return true;
  const message =
    version === null
      ? 'this is not a snapshot: the member "server" is missing'
      : `this snapshot has format ${show(version)}, and this version of mcpgen reads format ${format}`;
  const hint =
    version === null
      ? `${ownServer}, or create the snapshot`
      : "update mcpgen, or create it again";
  scope.error(
    "MG301",
    at(version?.at ?? root.at),
    message,
    `${hint} with \`mcpgen pull\``,
  );
  return false;
}

const ownServer =
  'write "server": { "name": "…", "version": "0.1.0" } for a server of your own';

/**
 * The revision of a snapshot, or the newest one of a server that a person
 * designs.
 */
function revisionOf(
  entries: Entries,
  revisions: Snapshot["revisions"],
  newest: string | null,
): string | null | undefined {
  const { members } = entries.root;
  // Without `revision`, a snapshot of an earlier version has the newest one.
  if (members.has("revision")) return readText(entries, "revision");
  return Array.isArray(revisions) ? revisions[0] : newest;
}

/**
 * The capabilities of a server that has these lists. Templates belong to the
 * resources.
 */
function capabilitiesOf({ members }: JsonObject): JsonRecord {
  const names = ["tools", "prompts", "resources"].filter(
    (name) =>
      members.has(name) ||
      (name === "resources" && members.has("resourceTemplates")),
  );
  return Object.fromEntries(names.map((name) => [name, {}]));
}

/** The members of a snapshot, in the order in which they are written. */
export const snapshotMembers = [
  "format",
  "revision",
  "revisions",
  "server",
  "capabilities",
  "instructions",
  "tools",
  "prompts",
  "resources",
  "resourceTemplates",
] as const;

function reportUnknownMembers({ root, at, scope }: Entries): void {
  for (const [name, { at: start }] of root.members) {
    if (name === "$schema" || snapshotMembers.some((member) => member === name))
      continue;
    scope.error(
      "MG302",
      at(start),
      `unknown member "${name.slice(0, 80)}" of a snapshot`,
      "remove it",
    );
  }
}

function readText(entries: Entries, name: string): string | null {
  const text = stringOf(member(entries.root, name));
  if (text === null) reportInvalid(entries, name, "a string");
  return text;
}

/**
 * The `serverInfo`. What a person writes has the members that each revision
 * requires.
 */
function readServer(entries: Entries): JsonRecord {
  const { root, at, scope } = entries;
  const server = readRecord(entries, "server");
  const node = member(root, "server");
  if (root.members.has("format") || node?.kind !== "object") return server;
  for (const name of ["name", "version"].filter(
    (name) => stringOf(member(node, name)) === null,
  ))
    scope.error(
      "MG302",
      at(node.at),
      `the member "${name}" of "server" is missing or not a string`,
      "add it",
    );
  return server;
}

function readRecord(entries: Entries, name: string): JsonRecord {
  const node = member(entries.root, name);
  if (node?.kind === "object") return toJson(node) as JsonRecord;
  reportInvalid(entries, name, "an object");
  return {};
}

function reportInvalid(
  { root, at, scope }: Entries,
  name: string,
  expected: string,
): void {
  const node = member(root, name);
  const message =
    node === null
      ? `the member "${name}" is missing`
      : `"${name}" is ${show(node)}, expected ${expected}`;
  const hint = `${node === null ? "add it" : "correct it"}, or create the snapshot again with \`mcpgen pull\``;
  scope.error("MG302", at(node?.at ?? root.at), message, hint);
}
