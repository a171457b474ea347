import type { Scope } from "../diagnostics.js";
import { suggestion } from "./nearest.js";

/**
 * The revision that `latest` means: the last one with a date as its name. A
 * folder without a date, such as a draft, does not count.
 */
export function latestOf(names: readonly string[]): string | null {
  return names.filter(isDated).at(-1) ?? null;
}

/**
 * True if the name of a revision is a date, so that it is released and not a
 * draft.
 */
export function isDated(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(name);
}

/**
 * The revision itself if it is known, otherwise the latest one; null without
 * one.
 */
export function nearestRevision(
  revision: string,
  names: readonly string[],
): string | null {
  return names.includes(revision) ? revision : latestOf(names);
}

/**
 * The revision in which a client of a snapshot is generated. Warns if it is not
 * that of the snapshot.
 */
export function clientRevision(
  revision: string,
  names: readonly string[],
  scope: Scope,
): string {
  const name = nearestRevision(revision, names);
  if (name === null)
    throw new Error("The package is incomplete: it has no revision.");
  if (name !== revision) {
    scope.warn(
      "MG311",
      null,
      `the snapshot was taken in revision "${revision.slice(0, 40)}", which is neither pinned nor bundled; ${name} is used`,
      "mcpgen update pins the revisions that the protocol has now",
    );
  }
  return name;
}

/** Other values that are allowed in place of a revision. */
export interface Alternatives {
  /** Further words to suggest. */
  readonly words: readonly string[];
  /** The end of a hint that says how to name a schema that is not bundled. */
  readonly otherwise: string;
}

const pathAlternative: Alternatives = {
  words: [],
  otherwise: "a path has a dot or a slash",
};

/** The revision with a name, or `latest`. Null after an error. */
export function namedRevision(
  word: string,
  names: readonly string[],
  scope: Scope,
  { words, otherwise }: Alternatives = pathAlternative,
): string | null {
  const revision = word === "latest" ? latestOf(names) : word;
  if (revision !== null && names.includes(revision)) return revision;
  const hint =
    suggestion(word, [...names, "latest", ...words]) ??
    `the known revisions are ${names.join(", ")}; ${otherwise}`;
  scope.error("MG704", null, `unknown revision "${word}"`, hint);
  return null;
}
