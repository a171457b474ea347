import type { Scope } from "../diagnostics.js";
import { bundled } from "./load.js";
import { nearest } from "./nearest.js";

/** The names of the bundled revisions, oldest first. */
export async function revisionNames(): Promise<string[]> {
  return (await bundled()).map(({ revision }) => revision);
}

/**
 * The revision that `latest` means: the last one with a date as its name. A folder without a date, such as a draft, does
 * not count.
 */
export function latestOf(names: readonly string[]): string | null {
  return names.filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name)).at(-1) ?? null;
}

/** Other values that are allowed in place of a revision. */
export interface Alternatives {
  /** Further words to suggest. */
  readonly words: readonly string[];
  /** The end of a hint that says how to name a schema that is not bundled. */
  readonly otherwise: string;
}

const aPath: Alternatives = { words: [], otherwise: "a path has a dot or a slash" };

/** The bundled revision with a name, or `latest`. Null after an error. */
export function namedRevision(
  word: string,
  names: readonly string[],
  scope: Scope,
  { words, otherwise }: Alternatives = aPath,
): string | null {
  const revision = word === "latest" ? latestOf(names) : word;
  if (revision !== null && names.includes(revision)) return revision;
  const near = nearest(word, [...names, "latest", ...words]);
  const hint = near === null ? `bundled are ${names.join(", ")}; ${otherwise}` : `did you mean ${near}?`;
  scope.error("MG704", null, `unknown revision "${word}"`, hint);
  return null;
}
