import { schemaError } from "../diagnostics.js";
import { nearest } from "../read/nearest.js";
import { isDated, latestOf } from "../read/revisions.js";
import type { Lock, Pin } from "../sources/lock.js";
import type { FetchedSchemas } from "./schemas.js";

type PinEntry = readonly [name: string, pin: Pin];

/** The revisions of a source that an update compares with those of the project. */
export interface Choice {
  /** Revisions that the source has. */
  readonly names: readonly string[];
  /** Pinned revisions that the source no longer has, with their pins. */
  readonly missing: readonly PinEntry[];
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
  if (typeof selection === "string") {
    const isPinned = (name: string): boolean => lock.revisions.get(name)?.source === source;
    return {
      names: names.filter((name) => selection === "all" || isDated(name) || isPinned(name)),
      missing: pinsOf(lock, source).filter(([name]) => !names.includes(name)),
    };
  }
  const words = selection.map((word) => (word === "latest" ? (latestOf(names) ?? word) : word));
  for (const word of words.filter((name) => !names.includes(name))) {
    const near = nearest(word, [...names, "latest", "all"]);
    const hint = near === null ? `it has ${names.join(", ")}` : `did you mean ${near}?`;
    throw schemaError("MG752", `${source} has no revision "${word}"`, hint);
  }
  return { names: [...new Set(words)].sort(), missing: [] };
}

/** The revisions that are pinned from a source. */
export function pinsOf({ revisions }: Lock, source: string): PinEntry[] {
  return [...revisions].filter(([, pin]) => pin.source === source);
}
