import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathProblem } from "../../../emit/write/paths.js";

/** The ending of a snapshot's name. */
const ending = ".mcp.json";

/** Longest name of a file that a server's own name makes, in characters. */
const longest = 60;

/** Where a snapshot goes. */
export interface Target {
  /** As it is told: what the user has said, or what follows from it. */
  readonly shown: string;
  readonly path: string;
}

/** The file that `-o` names; in the folder that it names, or in the user's own, one that is called after the server. */
export async function targetOf(out: string | null, directory: string, server: string): Promise<Target> {
  if (out !== null && !/[/\\]$/.test(out) && !(await isFolder(resolve(directory, out)))) {
    return { shown: out, path: resolve(directory, out) };
  }
  const name = fileNameOf(server);
  const shown = out === null ? name : `${out.replace(/[/\\]+$/, "")}/${name}`;
  return { shown, path: join(resolve(directory, out ?? ""), name) };
}

/** A server says what it likes of itself: only plain letters and figures of it become part of a name. */
function fileNameOf(server: string): string {
  const slug = server
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, longest)
    .replace(/-+$/, "");
  const name = `${slug}${ending}`;
  return slug !== "" && pathProblem(name) === null ? name : `server${slug === "" ? "" : `-${slug}`}${ending}`;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
