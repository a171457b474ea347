import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { Diagnostics } from "../diagnostics.js";
import type { Protocol } from "../ir/model.js";
import { load, type Loaded } from "../read/load.js";
import { namedRevision, revisionNames, type Alternatives } from "../read/revisions.js";
import { Fault } from "./fault.js";
import { packageRoot } from "./package.js";
import { schemaName, shownPath } from "./paths.js";

/** A schema that was found and loaded, but not yet read. */
export interface Source {
  readonly loaded: Loaded;
  /** What the generated files call it: relative to the package or to where the user stands. */
  readonly name: string;
  /** What to call the revision; null when the schema decides. */
  readonly revision: string | null;
  readonly isBundled: boolean;
}

/** The revisions that `--version` asks for: a name, `latest`, `all`, or several with commas; each once, oldest first. */
export async function namedRevisions(text: string): Promise<string[]> {
  const names = await revisionNames();
  const found = new Set<string>();
  for (const part of text.split(",").map((word) => word.trim())) {
    if (part === "") continue;
    if (part === "all") names.forEach((name) => found.add(name));
    else found.add(knownRevision(part, names, forFlag));
  }
  return names.filter((name) => found.has(name));
}

/** What `--version` takes besides, and where a path goes. */
const forFlag: Alternatives = { words: ["all"], otherwise: "--schema takes any other" };

function knownRevision(word: string, names: readonly string[], others?: Alternatives): string {
  const diagnostics = new Diagnostics();
  const name = namedRevision(word, names, diagnostics.root, others);
  if (name === null) throw new Fault(diagnostics.list);
  return name;
}

/** The schema of a bundled revision. */
export async function bundledSource(revision: string): Promise<Source> {
  const name = `schema/${revision}/schema.ts`;
  const loaded = await loadOrThrow(join(packageRoot(), name));
  return { loaded, name, revision, isBundled: true };
}

/** The schema at a path from a directory: that of the user, where reports show it as it was written, or that of a job. */
export async function pathSource(
  path: string,
  revision: string | null,
  directory: string = process.cwd(),
): Promise<Source> {
  const loaded = await loadOrThrow(shownPath(path, directory));
  // What generated files call it must not depend on where a job was started from.
  const isHere = resolve(directory) === process.cwd();
  const file = isHere ? loaded.file : relative(directory, loaded.file).replaceAll("\\", "/");
  return { loaded, name: schemaName(file), revision, isBundled: false };
}

/** A revision by its name, or a schema by its path: what has a slash or a dot is a path. */
export async function namedSource(word: string): Promise<Source> {
  if (/[/\\.]/.test(word)) return await pathSource(word, null);
  return await bundledSource(knownRevision(word, await revisionNames()));
}

/** Two of them. Where neither can be loaded, the fault tells of both. */
export async function namedPair(a: string, b: string): Promise<readonly [Source, Source]> {
  const [first, second] = await Promise.allSettled([namedSource(a), namedSource(b)]);
  if (first.status === "fulfilled" && second.status === "fulfilled") return [first.value, second.value];
  const reasons = [first, second].flatMap((one): unknown[] =>
    one.status === "rejected" ? [one.reason] : [],
  );
  const faults = reasons.filter((reason) => reason instanceof Fault);
  if (faults.length < reasons.length) throw reasons.find((reason) => !(reason instanceof Fault));
  throw new Fault(faults.flatMap(({ diagnostics }) => diagnostics));
}

/**
 * Reads a source. A bundled one was read when the package was built; that result is taken as long as the schema is still
 * the one it was made from.
 */
export async function readSource(source: Source, diagnostics: Diagnostics): Promise<Protocol | null> {
  if (source.isBundled) {
    const ready = await readyMade(source);
    if (ready !== null) return ready;
  }
  const { readLoaded } = await import("../read/index.js");
  const { loaded, name, revision } = source;
  return await readLoaded(loaded, revision === null ? { name } : { name, revision }, diagnostics);
}

async function readyMade({ loaded, revision }: Source): Promise<Protocol | null> {
  try {
    const text = await readFile(join(packageRoot(), "dist", "ir", `${revision}.json`), "utf8");
    const protocol = JSON.parse(text) as Protocol;
    return protocol.source.sha256 === loaded.sha256 ? protocol : null;
  } catch {
    // Not built yet, or only half: the schema itself is always there.
    return null;
  }
}

/** A schema file or folder; throws a fault that says why there is none. */
export async function loadOrThrow(path: string): Promise<Loaded> {
  const diagnostics = new Diagnostics();
  const loaded = await load(path, diagnostics.root);
  if (loaded === null) throw new Fault(diagnostics.list);
  return loaded;
}
