import {
  type Diagnostic,
  Diagnostics,
  oneForEachCode,
  SchemaError,
} from "../diagnostics.js";
import { parseOrUndefined } from "../ir/json/value.js";
import type { Snapshot } from "../ir/snapshot/model.js";
import { kindOfJson } from "../read/json-kind.js";
import { load, revisionNames } from "../read/load.js";
import { latestOf } from "../read/revisions.js";
import { readSnapshot } from "../read/snapshot/index.js";
import { shownPath, snapshotName } from "./paths.js";

/** The text of a snapshot, with its names. */
export interface SnapshotText {
  readonly text: string;
  /** Its path in diagnostics. */
  readonly file: string;
  /** Its name in generated files. */
  readonly name: string;
  /**
   * What is said of the faults in a snapshot that `mcpgen pull` took: each, or
   * one of each kind with the number of the others. By default nothing, because
   * `pull` has said it, and its author is another person.
   */
  readonly says?: "each" | "kinds";
}

/**
 * Loads the snapshot at a path, which is relative to a directory. Throws a
 * SchemaError if it cannot be loaded.
 */
export async function loadSnapshot(
  path: string,
  directory: string,
  diagnostics: Diagnostics,
): Promise<SnapshotText> {
  const file = shownPath(path, directory);
  const loaded = await load(file, diagnostics.root);
  if (loaded === null) throw new SchemaError(diagnostics.list.map(withAdvice));
  return { text: loaded.text, file, name: snapshotName(path) };
}

/**
 * Adds a hint on how to create a snapshot. The nearest file name is often a
 * client's configuration.
 */
function withAdvice(diagnostic: Diagnostic): Diagnostic {
  const { code, hint } = diagnostic;
  if (code !== "MG001") return diagnostic;
  const near =
    hint === null || /[ /]\.mcp\.json\?$/.test(hint)
      ? ""
      : `${hint} Otherwise `;
  return {
    ...diagnostic,
    hint: `${near}create it first: mcpgen pull --url <url> or --stdio <command>, and -o <file>`,
  };
}

/** Reads the text of a snapshot. Returns null after an error. */
export async function snapshotIn(
  { text, file, name, says }: SnapshotText,
  diagnostics: Diagnostics,
): Promise<Snapshot | null> {
  const found = new Diagnostics();
  const newest = latestOf(await revisionNames());
  const snapshot = readSnapshot(text, { file, name, newest }, found);
  const isWhole = snapshot?.revisions !== null || says === "each";
  const hint = "mcpgen lint lists all of them";
  const kinds = says === undefined ? [] : oneForEachCode(found.list, hint);
  for (const one of isWhole ? found.list : kinds) diagnostics.add(one);
  return snapshot;
}

/**
 * Reads the text of a snapshot. Throws a SchemaError with all its diagnostics.
 */
export async function parseSnapshot(
  text: SnapshotText,
  diagnostics: Diagnostics,
): Promise<Snapshot> {
  const snapshot = await snapshotIn(text, diagnostics);
  if (snapshot === null) throw new SchemaError(diagnostics.list);
  return snapshot;
}

/**
 * True if the text is a snapshot of any format version, or one that a person
 * wrote without it.
 */
export function isSnapshot(text: string): boolean {
  return kindOfJson(parseOrUndefined(text)) === "snapshot";
}
