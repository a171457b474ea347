import { parseOrUndefined } from "../../ir/json/value.js";
import type { Snapshot } from "../../ir/snapshot/model.js";
import {
  member,
  show,
  stringOf,
  toJson,
  type JsonNode,
  type JsonObject,
  type Locations,
} from "../json/text/tree.js";
import type { Scope } from "../../diagnostics.js";

/** The members of a file that say which revisions its server has. */
const members = ["format", "revision", "revisions"] as const;

/**
 * The revisions of the server that a file describes. `mcpgen pull` writes
 * `format`, so a file without it is of a person who designs a server: with the
 * revisions that it names, the newest first, or with all. Null for a snapshot.
 * Ignores what is not a name.
 */
function revisionsIn(file: {
  readonly [member in (typeof members)[number]]?: unknown;
}): Snapshot["revisions"] {
  if (Object.hasOwn(file, "format")) return null;
  const { revision, revisions = [revision] } = file;
  const names = (
    Array.isArray(revisions) ? (revisions as unknown[]) : []
  ).filter((name) => typeof name === "string");
  return names.length === 0 ? "all" : [...new Set(names)].sort().reverse();
}

/**
 * The revisions of the server that the text of a file describes, without
 * reading more of it.
 */
export function revisionsInText(text: string): Snapshot["revisions"] {
  // `mcpgen pull` writes this member first.
  if (/^\s*\{\s*"format"/.test(text)) return null;
  const file = parseOrUndefined(text);
  return file === undefined ? null : revisionsIn(Object(file) as object);
}

/**
 * Reads the members, and reports those that are malformed or exclude each
 * other.
 */
export function readRevisions(
  root: JsonObject,
  at: Locations,
  scope: Scope,
): Snapshot["revisions"] {
  const list = member(root, "revisions");
  const fault = list && faultOf(list, root);
  if (list && fault) scope.error("MG302", at(list.at), ...fault);
  const values = members.flatMap((name) => {
    const node = member(root, name);
    return node === null ? [] : [[name, toJson(node)] as const];
  });
  return revisionsIn(Object.fromEntries(values));
}

/** What is wrong with the member `revisions`, and advice. */
function faultOf(
  list: JsonNode,
  { members }: JsonObject,
): readonly [message: string, hint: string] | null {
  if (
    list.kind !== "array" ||
    list.items.length === 0 ||
    !list.items.every((item) => stringOf(item) !== null)
  )
    return [
      `"revisions" is ${show(list)}, expected a list with at least one revision`,
      "name them, or remove it",
    ];
  if (members.has("format"))
    return [
      '"revisions" is for the file of a server that you design, and a file with "format" is a snapshot of `mcpgen pull`',
      'remove "format", or "revisions"',
    ];
  if (!members.has("revision")) return null;
  return [
    '"revision" and "revisions" exclude each other',
    'keep "revisions" for several, "revision" for one',
  ];
}
