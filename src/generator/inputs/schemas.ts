import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { Diagnostics, SchemaError } from "../diagnostics.js";
import type { Protocol } from "../ir/model.js";
import { type Loaded, revisionNames } from "../read/load.js";
import {
  isDated,
  namedRevision,
  type Alternatives,
} from "../read/revisions.js";
import { loadOrThrow } from "./load.js";
import { packageRoot } from "./package.js";
import { schemaName, shownPath } from "./paths.js";
import { loadPinned, pinnedRevisions } from "./pins.js";

/** A schema that is loaded and not parsed yet. */
export interface Source {
  readonly loaded: Loaded;
  /**
   * Its name in generated files: a path relative to the package or to the
   * working directory.
   */
  readonly name: string;
  /** The name of the revision; null if the schema itself names it. */
  readonly revision: string | null;
  readonly isBundled: boolean;
}

/**
 * Schemas by the name of their revision that are used before those of a
 * directory, such as schemas that are not pinned yet.
 */
export type Replacements = ReadonlyMap<string, Source>;

const noReplacements: Replacements = new Map();

/**
 * The revisions that a directory knows, bundled and pinned: dates first, oldest
 * first.
 */
export async function knownRevisions(
  directory: string,
  replacements = noReplacements,
): Promise<string[]> {
  const pins = await pinnedRevisions(directory);
  return [
    ...new Set([
      ...(await revisionNames()),
      ...pins.keys(),
      ...replacements.keys(),
    ]),
  ].sort();
}

/**
 * The revisions that words name: a name, `latest` or `all`. Each once, oldest
 * first.
 */
export async function namedRevisions(
  words: readonly string[],
  directory: string,
  replacements = noReplacements,
): Promise<string[]> {
  const names = await knownRevisions(directory, replacements);
  const selected = new Set<string>();
  for (const word of words) {
    if (word === "all") names.forEach((name) => selected.add(name));
    else selected.add(knownRevision(word, names, forFlag));
  }
  return names.filter((name) => selected.has(name));
}

/** Other values of `--version`, and the flag for a path. */
const forFlag: Alternatives = {
  words: ["all"],
  otherwise: "--schema <path> reads any other schema",
};

function knownRevision(
  word: string,
  names: readonly string[],
  others?: Alternatives,
): string {
  const diagnostics = new Diagnostics();
  const name = namedRevision(word, names, diagnostics.root, others);
  if (name === null) throw new SchemaError(diagnostics.list);
  return name;
}

/**
 * The schema of a revision: its replacement, otherwise the pinned one,
 * otherwise the bundled one.
 */
export async function revisionSource(
  revision: string,
  directory: string,
  replacements = noReplacements,
): Promise<Source> {
  const replacement = replacements.get(revision);
  if (replacement !== undefined) return replacement;
  const pin = (await pinnedRevisions(directory)).get(revision);
  if (pin === undefined) return await bundledSource(revision);
  return pinnedSource(revision, pin.file, await loadPinned(pin, directory));
}

/**
 * The schema of a pin. A draft names the revision that is sent on the wire; the
 * name of its pin is not a revision.
 */
export function pinnedSource(
  pin: string,
  file: string,
  loaded: Loaded,
): Source {
  return {
    loaded,
    name: file,
    revision: isDated(pin) ? pin : null,
    isBundled: false,
  };
}

/** The schema of a bundled revision. */
export async function bundledSource(revision: string): Promise<Source> {
  const name = `schema/${revision}/schema.ts`;
  const loaded = await loadOrThrow(join(packageRoot(), name));
  return { loaded, name, revision, isBundled: true };
}

/**
 * The pinned or bundled schema of a revision with this sha256; null if there is
 * none.
 */
export async function sourceWith(
  sha256: string,
  directory: string,
): Promise<Source | null> {
  for (const [name, pin] of await pinnedRevisions(directory))
    if (pin.sha256 === sha256) return await revisionSource(name, directory);
  for (const name of await revisionNames()) {
    const source = await bundledSource(name);
    if (source.loaded.sha256 === sha256) return source;
  }
  return null;
}

/**
 * The schema at a path, which is relative to a directory: the working
 * directory, or that of a configuration.
 *
 * @throws SchemaError if it cannot be loaded
 */
export async function pathSource(
  path: string,
  revision: string | null,
  directory: string,
): Promise<Source> {
  const loaded = await loadOrThrow(shownPath(path, directory));
  // The name in generated files must not depend on the directory in which a job
  // is started.
  const isHere = resolve(directory) === process.cwd();
  const file = isHere
    ? loaded.file
    : relative(directory, loaded.file).replaceAll("\\", "/");
  return { loaded, name: schemaName(file), revision, isBundled: false };
}

/**
 * A pinned or bundled revision by its name, or a schema by its path. A word
 * with a slash or a dot is a path.
 */
export async function namedSource(
  word: string,
  directory: string,
): Promise<Source> {
  if (/[/\\.]/.test(word)) return await pathSource(word, null, directory);
  return await revisionSource(
    knownRevision(word, await knownRevisions(directory)),
    directory,
  );
}

/**
 * Reads a source. The build has read each bundled schema; its result is used if
 * the hash of the schema is still the same. Returns null, and adds diagnostics,
 * if the schema has errors.
 */
export async function readSource(
  source: Source,
  diagnostics: Diagnostics,
): Promise<Protocol | null> {
  const { loaded, name, revision, isBundled } = source;
  const built = isBundled
    ? await readBuilt<Protocol>(`${revision}.json`, loaded.sha256)
    : null;
  if (built !== null) return built;
  const { readLoaded } = await import("../read/index.js");
  return await readLoaded(
    loaded,
    revision === null ? { name } : { name, revision },
    diagnostics,
  );
}

/**
 * What the build has read of a bundled schema; null if nothing, or if the
 * schema has another hash since.
 */
export async function readBuilt<
  Built extends { readonly source: { readonly sha256: string } },
>(file: string, sha256: string): Promise<Built | null> {
  try {
    const built = JSON.parse(
      await readFile(join(packageRoot(), "dist/ir", file), "utf8"),
    ) as Built;
    return built.source.sha256 === sha256 ? built : null;
  } catch {
    // The package is not built yet. The schema itself is always there.
    return null;
  }
}
