import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Diagnostics, type Diagnostic } from "../../diagnostics.js";
import { parseJsonc } from "../destination/jsonc.js";
import { isRecord, readEntry, type ClientEntry } from "./entry.js";

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

/** Reads one such file by its path from the folder; where there is none, it says nothing. */
export async function readClientFile(directory: string, file: string): Promise<ClientFiles> {
  const diagnostics = new Diagnostics();
  const warn = (message: string, hint: string): void => {
    diagnostics.add({ code, severity: "warning", message, hint, location, within: [] });
  };
  const location = { file, line: 1, column: 1 };
  const entries: ClientEntry[] = [];
  let text: string;
  try {
    text = await readFile(join(directory, file), "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!missing.has(reason)) warn(`the file cannot be read (${reason})`, "see who may read it");
    return { entries, diagnostics: diagnostics.list };
  }
  const servers = serversOf(parseJsonc(text));
  if (typeof servers === "string") warn(servers, "see what the client's own documentation says");
  else {
    for (const [name, value] of Object.entries(servers)) {
      const entry = readEntry(name, file, value);
      if (typeof entry !== "string") entries.push(entry);
      else warn(`the server ${JSON.stringify(name)} cannot be used: ${entry}`, "mend the entry");
    }
  }
  return { entries, diagnostics: diagnostics.list };
}

const code = "MG734";
const missing = new Set(["ENOENT", "ENOTDIR"]);

/** The servers of a file by name. One editor calls the member otherwise, and a file of settings may have it further down. */
function serversOf(value: unknown): Readonly<Record<string, unknown>> | string {
  if (!isRecord(value)) return "the file is no JSON object";
  const inside = isRecord(value["mcp"]) ? value["mcp"] : {};
  const found = value["mcpServers"] ?? value["servers"] ?? inside["servers"];
  if (found === undefined) return 'the file has neither "mcpServers" nor "servers"';
  return isRecord(found) ? found : "what the file calls its servers is no object";
}
