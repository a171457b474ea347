import { Diagnostics, schemaError, type Diagnostic } from "../diagnostics.js";
import { nearest } from "../read/nearest.js";
import { isDated, latestOf } from "../read/revisions.js";
import type { Lock } from "../sources/lock.js";
import type { FetchedSchemas } from "./schemas.js";

/** The revisions of a source that an update compares with those of the project. */
export interface Choice {
  /** Revisions that the source has. */
  readonly names: readonly string[];
  /** Pinned revisions that the source no longer has. */
  readonly missing: readonly string[];
}

/** The value of `--revision`: names, everything, or by default all dated revisions and those that are already pinned. */
export type RevisionSelection = "default" | "all" | readonly string[];

/**
 * Chooses revisions of a source.
 *
 * @throws SchemaError MG752 if the source has no schemas, or lacks a selected one
 */
export function choose(
  selection: RevisionSelection,
  { names }: FetchedSchemas,
  source: string,
  lock: Lock,
): Choice {
  if (names.length === 0) {
    const layout = "schemas are expected in schema/<revision>/schema.ts";
    throw schemaError("MG752", `${source} has no schemas`, layout);
  }
  const pinned = pinsOf(lock, source);
  if (selection === "all") return { names, missing: pinned.filter((name) => !names.includes(name)) };
  if (selection === "default") {
    return {
      names: names.filter((name) => isDated(name) || pinned.includes(name)),
      missing: pinned.filter((name) => !names.includes(name)),
    };
  }
  const words = selection.map((word) => (word === "latest" ? (latestOf(names) ?? word) : word));
  const unknown = words.filter((word) => !names.includes(word));
  if (unknown.length > 0) throw unknownRevision(unknown[0] ?? "", names, source);
  return { names: [...new Set(words)].sort(), missing: [] };
}

/** The names of the revisions that are pinned from a source. */
export function pinsOf({ revisions }: Lock, source: string): string[] {
  return [...revisions].filter(([, pin]) => pin.source === source).map(([name]) => name);
}

function unknownRevision(word: string, names: readonly string[], source: string): Error {
  const near = nearest(word, [...names, "latest", "all"]);
  const hint = near === null ? `it has ${names.join(", ")}` : `did you mean ${near}?`;
  return schemaError("MG752", `${source} has no revision "${word}"`, hint);
}

/** The warning for each pinned revision that a source no longer has. */
export function missingWarning(name: string, source: string): Diagnostic {
  const diagnostics = new Diagnostics();
  const hint = "remove its entry from mcpgen.lock.json and its file if nothing uses it";
  diagnostics.root.warn("MG755", null, `${source} no longer has revision ${name}, which stays pinned`, hint);
  return diagnostics.list[0] as Diagnostic;
}
