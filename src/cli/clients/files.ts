import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "../../generator/emit/write/disk.js";
import {
  Diagnostics,
  type Diagnostic,
  type Location,
} from "../../generator/diagnostics.js";
import { parseJson } from "../../generator/read/json/text/parse.js";
import {
  member,
  type JsonObject,
  toJson,
  locationsIn,
} from "../../generator/read/json/text/tree.js";
import { bareJson } from "../destination/tsconfig.js";
import { plainForm, readEntry, type ClientEntry } from "./entry.js";

export type { ClientEntry, HttpEntry, StdioEntry } from "./entry.js";

/**
 * The files in which clients configure the servers of a project; those that
 * teams commit come first.
 */
export const clientFiles = [
  ".mcp.json",
  ".cursor/mcp.json",
  ".vscode/mcp.json",
  ".gemini/settings.json",
  ".zed/settings.json",
  "opencode.json",
  "opencode.jsonc",
  "claude_desktop_config.json",
] as const;

/** Files with all settings of a client, which need not name a server. */
const isSettings = (file: string): boolean =>
  /(?:^|[/\\])(?:settings\.json|opencode\.jsonc?)$/.test(file);

/** The contents of the clients' files. */
interface ClientFiles {
  /**
   * In the order of the files and their entries; several files may use the same
   * name.
   */
  readonly entries: readonly ClientEntry[];
  /**
   * Warnings about files and entries that cannot be used. None of them quotes a
   * value.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the configuration files of MCP clients in a folder. Expands no
 * variables, starts no server and asks no questions.
 */
export async function readClientFiles(directory: string): Promise<ClientFiles> {
  const files = await Promise.all(
    clientFiles.map((file) => readClientFile(directory, file)),
  );
  return {
    entries: files.flatMap(({ entries }) => entries),
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  };
}

/**
 * Reads one file by its path from the folder; ignores a missing file. As in
 * editors, comments and trailing commas are allowed.
 */
export async function readClientFile(
  directory: string,
  file: string,
): Promise<ClientFiles> {
  const diagnostics = new Diagnostics();
  const warn = (
    message: string,
    hint: string,
    location: Location | null,
  ): void => {
    diagnostics.add({
      code,
      severity: "warning",
      message,
      hint,
      location,
      within: [],
    });
  };
  const entries: ClientEntry[] = [];
  let text: string;
  try {
    text = await readFile(join(directory, file), "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const location = { file, line: 1, column: 1 };
    if (!missing.has(code))
      warn(
        `the file cannot be read: ${reasonOf(error)}`,
        "check its permissions",
        location,
      );
    return { entries, diagnostics: diagnostics.list };
  }
  const at = locationsIn(text, file);
  const servers = serversOf(bareJson(text));
  if ("problem" in servers) {
    if (servers.isMissing && isSettings(file))
      return { entries, diagnostics: [] };
    warn(
      servers.problem,
      "see the documentation of the client",
      at(servers.at),
    );
    return { entries, diagnostics: diagnostics.list };
  }
  for (const [name, { at: offset, value }] of servers.members) {
    const entry = readEntry(
      name,
      file,
      plainForm(toJson(value), join(directory, file)),
    );
    if (typeof entry !== "string") entries.push(entry);
    else
      warn(
        `the server ${JSON.stringify(name)} cannot be used: ${entry}`,
        "fix the entry",
        at(offset),
      );
  }
  return { entries, diagnostics: diagnostics.list };
}

const code = "MG734";
const missing = new Set(["ENOENT", "ENOTDIR"]);

interface Problem {
  readonly problem: string;
  readonly at: number;
  /** True if no member has servers. */
  readonly isMissing: boolean;
}

/**
 * The servers of a file by name. Some clients use another member, and a
 * settings file may nest it.
 */
function serversOf(text: string): JsonObject | Problem {
  const diagnostics = new Diagnostics();
  let last = 0;
  const locationAt = (offset: number): Location => {
    last = offset;
    return { file: "", line: 1, column: 1 };
  };
  // The parser's message may quote the text, so only its position is reported.
  const whole = parseJson(text, locationAt, diagnostics.root);
  if (whole?.kind !== "object")
    return {
      problem: "the file is not a JSON object",
      at: last,
      isMissing: false,
    };
  const inside = member(whole, "mcp");
  const servers =
    member(whole, "mcpServers") ??
    member(whole, "servers") ??
    member(whole, "context_servers") ??
    (inside === null ? null : (member(inside, "servers") ?? inside));
  if (servers === null)
    return {
      problem: 'the file has neither "mcpServers" nor "servers"',
      at: whole.at,
      isMissing: true,
    };
  return servers.kind === "object"
    ? servers
    : {
        problem: "the member with the servers is not an object",
        at: servers.at,
        isMissing: false,
      };
}
