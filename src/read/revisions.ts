import type { Scope } from "../diagnostics.js";
import { bundled } from "./load.js";
import { nearest } from "./nearest.js";

/** The names of the bundled revisions, oldest first. */
export async function revisionNames(): Promise<string[]> {
  return (await bundled()).map(({ revision }) => revision);
}

/** The revision that `latest` means: the last dated one. A folder without a date, such as a draft, is never it. */
export function latestOf(names: readonly string[]): string | null {
  return names.filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name)).at(-1) ?? null;
}

/** What else may be written where a revision is expected. */
export interface Alternatives {
  /** Words that are suggested too. */
  readonly words: readonly string[];
  /** The end of a hint: how to name a schema that is not bundled. */
  readonly otherwise: string;
}

const aPath: Alternatives = { words: [], otherwise: "a path has a dot or a slash" };

/** The bundled revision that a word names, which may be `latest`; null after a report. */
export function namedRevision(
  word: string,
  names: readonly string[],
  scope: Scope,
  { words, otherwise }: Alternatives = aPath,
): string | null {
  const found = word === "latest" ? latestOf(names) : word;
  if (found !== null && names.includes(found)) return found;
  const near = nearest(word, [...names, "latest", ...words]);
  const hint = near === null ? `bundled are ${names.join(", ")}; ${otherwise}` : `did you mean ${near}?`;
  scope.error("MG704", null, `there is no revision "${word}"`, hint);
  return null;
}
