import type { Diagnostic, Diagnostics } from "../diagnostics.js";
import type { Surface } from "../ir/surface/model.js";
import { load } from "../read/load.js";
import { readSnapshot } from "../read/snapshot/index.js";
import { Fault, usageFault } from "./fault.js";
import { shownPath, snapshotName } from "./paths.js";

/** A snapshot's text, and what to call it. */
export interface SnapshotText {
  readonly text: string;
  /** As reports show it. */
  readonly file: string;
  /** As generated files call it. */
  readonly name: string;
}

/** Loads the snapshot at a path, which is relative to a directory. Throws a fault that says why not. */
export async function loadSnapshot(
  path: string,
  directory: string,
  diagnostics: Diagnostics,
): Promise<SnapshotText> {
  const file = shownPath(path, directory);
  const loaded = await load(file, diagnostics.root);
  if (loaded === null) throw new Fault(diagnostics.list.map(withAdvice));
  return { text: loaded.text, file, name: snapshotName(path) };
}

/** Says how to come by a snapshot that is not there. The nearest name is often that of a client's own file. */
function withAdvice(diagnostic: Diagnostic): Diagnostic {
  const { code, hint } = diagnostic;
  if (code !== "MG001") return diagnostic;
  const near = hint === null || /[ /]\.mcp\.json\?$/.test(hint) ? "" : `${hint} Otherwise `;
  return {
    ...diagnostic,
    hint: `${near}take it first: mcpgen pull --url <url> or --stdio <command>, and -o <file>`,
  };
}

/** Reads a snapshot's text. Throws a fault with everything that is wrong with it. */
export async function surfaceOf(
  { text, file, name }: SnapshotText,
  diagnostics: Diagnostics,
): Promise<Surface> {
  const surface = await readSnapshot(text, { file, name }, diagnostics);
  if (surface === null) throw new Fault(diagnostics.list);
  return surface;
}

/** Is the text a snapshot, of whatever format, rather than a schema? */
export function isSnapshot(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "format" in value && "tools" in value;
  } catch {
    return false;
  }
}

/** Refuses to hold a server against the protocol: of the words of a command line, all or none are to name snapshots. */
export function refuseMixture(areSnapshots: readonly boolean[], words: readonly string[]): void {
  const snapshot = words[areSnapshots.indexOf(true)];
  const other = words[areSnapshots.indexOf(false)];
  if (snapshot === undefined || other === undefined) return;
  throw usageFault(
    "MG705",
    `${snapshot} is a snapshot of a server, and ${other} is a schema of the protocol`,
    "compare two snapshots, or two schemas",
  );
}
