import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Diagnostics, type Diagnostic, type Location } from "../../diagnostics.js";
import { parseJson } from "../../read/json/text/parse.js";
import { places } from "../../read/json/text/place.js";
import { member, type JsonNode, type JsonObject } from "../../read/json/text/tree.js";
import { toJson } from "../../read/snapshot/value.js";
import { bareJson } from "../destination/jsonc.js";
import { readEntry, type ClientEntry } from "./entry.js";

export type { ClientEntry, HttpEntry, StdioEntry } from "./entry.js";

/** Where clients keep the servers of a project, the ones that teams commit first. */
export const clientFiles = [
  ".mcp.json",
  ".cursor/mcp.json",
  ".vscode/mcp.json",
  "claude_desktop_config.json",
] as const;

/** What the files of clients say. */
export interface ClientFiles {
  /** In the order of the files and of what stands in them; a name may come from several files. */
  readonly entries: readonly ClientEntry[];
  /** Warnings: files and entries that cannot be used. None of them quotes a value. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the configuration files of MCP clients in a folder. Expands nothing, starts nothing and asks nobody. */
export async function readClientFiles(directory: string): Promise<ClientFiles> {
  const read = await Promise.all(clientFiles.map((file) => readClientFile(directory, file)));
  return {
    entries: read.flatMap(({ entries }) => entries),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

/**
 * Reads one such file by its path from the folder; where there is none, it says nothing. Comments and trailing commas are
 * let pass: the editors do.
 */
export async function readClientFile(directory: string, file: string): Promise<ClientFiles> {
  const diagnostics = new Diagnostics();
  const warn = (message: string, hint: string, location: Location | null): void => {
    diagnostics.add({ code, severity: "warning", message, hint, location, within: [] });
  };
  const entries: ClientEntry[] = [];
  let text: string;
  try {
    text = await readFile(join(directory, file), "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "";
    const location = { file, line: 1, column: 1 };
    if (!missing.has(reason)) warn(`the file cannot be read (${reason})`, "see who may read it", location);
    return { entries, diagnostics: diagnostics.list };
  }
  const at = places(text, file);
  const servers = serversOf(bareJson(text));
  if ("fault" in servers) {
    warn(servers.fault, "see what the client's own documentation says", at(servers.at));
    return { entries, diagnostics: diagnostics.list };
  }
  for (const [name, { at: offset, value }] of servers.members) {
    const entry = readEntry(name, file, toJson(value));
    if (typeof entry !== "string") entries.push(entry);
    else warn(`the server ${JSON.stringify(name)} cannot be used: ${entry}`, "mend the entry", at(offset));
  }
  return { entries, diagnostics: diagnostics.list };
}

const code = "MG734";
const missing = new Set(["ENOENT", "ENOTDIR"]);

/** The servers of a file by name. One editor calls the member otherwise, and a file of settings may have it further down. */
function serversOf(text: string): JsonObject | { readonly fault: string; readonly at: number } {
  const faults = new Diagnostics();
  let last = 0;
  const place = (offset: number): Location => {
    last = offset;
    return { file: "", line: 1, column: 1 };
  };
  // What the parser says may quote the text, so that only the place is told.
  const whole = parseJson(text, place, faults.root);
  if (whole?.kind !== "object") return { fault: "the file is no JSON object", at: last };
  const inside = member(whole, "mcp");
  const found =
    member(whole, "mcpServers") ??
    member(whole, "servers") ??
    (inside === null ? null : member(inside, "servers"));
  if (found === null) return { fault: 'the file has neither "mcpServers" nor "servers"', at: whole.at };
  return isObject(found) ? found : { fault: "what the file calls its servers is no object", at: found.at };
}

function isObject(node: JsonNode): node is JsonObject {
  return node.kind === "object";
}
