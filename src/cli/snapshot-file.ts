import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { pathProblem } from "../generator/emit/write/paths.js";

/** The file extension of a snapshot. */
const ending = ".mcp.json";

/**
 * The maximum length of a file name that is made from a server's name, in
 * characters.
 */
const maxLength = 60;

/** The file of a snapshot. */
interface Target {
  /** The path in reports: as the user wrote it, or the default. */
  readonly shown: string;
  readonly path: string;
}

/**
 * The file that `-o` names. If it names a folder, or by default, the file is
 * named after the server.
 */
export async function targetOf(
  out: string | null,
  directory: string,
  server: string,
): Promise<Target> {
  if (out !== null && !(await isFolder(out, directory))) {
    return { shown: out, path: resolve(directory, out) };
  }
  const name = `${stemOf(server)}${ending}`;
  const shown =
    out === null ? name : `${out.replace(/(^|[^/\\])[/\\]+$/, "$1")}/${name}`;
  return { shown, path: join(resolve(directory, out ?? ""), name) };
}

/** The name of a snapshot's file without its extension. */
export const stemIn = (path: string): string =>
  basename(path).replace(/(?:\.mcp)?\.json$/, "");

/**
 * The name of a server in file names. Names are not trusted: only their letters
 * and digits are used. Never empty.
 */
export function stemOf(server: string): string {
  const stem = server
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, maxLength)
    .replace(/-$/, "");
  return stem !== "" && pathProblem(`${stem}${ending}`) === null
    ? stem
    : `server${stem === "" ? "" : `-${stem}`}`;
}

/**
 * True for the path of a folder; one with a slash at its end may be missing.
 */
export async function isFolder(
  path: string,
  directory: string,
): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  const found = await stat(resolve(directory, path)).catch(() => null);
  return found?.isDirectory() === true;
}

/** Words of a command between its program and what that one starts. */
const starters = /^(?:run|exec|dlx|x|tool|tsx|ts-node)$/;

/**
 * A name for a server, from its address: `https://mcp.example.com/` is
 * `example`, `npx -y @scope/server-files` is `files`, `node src/desk.js` is
 * `desk`. Null if the address says nothing.
 */
export function nameFor(address: string, isUrl: boolean): string | null {
  const name = isUrl ? hostName(address) : programName(address);
  const own = name.replace(before, "").replace(after, "");
  return general.test(own) ? null : stemOf(own);
}

/** What many names begin and end with. */
const before = /^(?:mcp[-_]server|server|mcp)[-_](?=.)/i;
const after = /(?<=.)[-_](?:mcp[-_]server|server|mcp)$/i;
/** What every server could be called does not name one. */
const general = /^(?:server|main|index|mcp|localhost|)$/i;

function hostName(address: string): string {
  const { hostname } = new URL(address);
  if (/^[\d.]+$|^\[/.test(hostname)) return "";
  const labels = hostname.split(".");
  return labels.at(-2) ?? "";
}

function programName(command: string): string {
  const words = command.split(/\s+/).filter((word) => !word.startsWith("-"));
  const [program = "", ...others] = words;
  const started = others.find((word) => !starters.test(word));
  const path = started ?? program;
  const file = basename(path.replaceAll("\\", "/"));
  const version = file.slice(1).search(/[@#]/);
  const unversioned = version === -1 ? file : file.slice(0, version + 1);
  return unversioned.replace(/\.(?:[cm]?[jt]sx?|py)$/, "");
}
