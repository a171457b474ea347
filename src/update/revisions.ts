import type { Diagnostics } from "../diagnostics.js";
import { type Lock, type Pin, type SourceVersion } from "../sources/lock.js";
import { tryPinned } from "../sources/pins.js";
import type { ExtensionSource } from "../sources/extensions.js";
import { pinnedSource, type Source } from "../sources/schemas.js";
import { compareRevision, type Candidate, type Folders } from "./candidate.js";
import { choose, goneWarning, pinsOf, type Wanted } from "./choose.js";
import type { Requests } from "./http.js";
import { readChanges, type RevisionChange } from "./read.js";
import { openSource } from "./source.js";
import type { StoredFile } from "./store.js";

/** What an update fetches and where it stores it. */
export interface UpdateRequest extends Folders {
  /** A source, as `--from` and `--extension` take it. */
  readonly from: string;
  readonly wanted: Wanted;
  /** The directory that a relative path of `from` starts from. */
  readonly directory: string;
  readonly requests: Requests;
}

export interface UpdateResult {
  readonly source: string;
  readonly version: SourceVersion;
  readonly revisions: readonly RevisionUpdate[];
  readonly extensions: readonly RevisionUpdate[];
}

/** A part of an update that is fetched and read completely, and not written yet. */
export interface UpdatePlan {
  readonly result: UpdateResult;
  /** The schemas that it pins, without those of which only comments change. */
  readonly changed: Schemas;
  readonly files: readonly StoredFile[];
  /** The lock file afterwards; the same object if nothing is pinned. */
  readonly lock: Lock;
}

/** Schemas by name. */
export interface Schemas {
  readonly revisions: ReadonlyMap<string, Source>;
  readonly extensions: ReadonlyMap<string, ExtensionSource>;
}

export const noSchemas: Schemas = { revisions: new Map(), extensions: new Map() };

/** A revision, or an extension. */
export interface RevisionUpdate {
  readonly name: string;
  /**
   * Compared with the pinned schema, or else with the bundled one: "new" is known to neither, and "gone" is pinned and no
   * longer in the source. A bundled schema is unchanged if only comments differ, unless the revision was asked for.
   */
  readonly state: "new" | "changed" | "unchanged" | "gone";
  /** The pinned file, relative to the project; null if the bundled schema stays in use. */
  readonly file: string | null;
  /** The sha256 of the schema before and after; null if there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** Only of a revision that was read because it is new or changed. */
  readonly change: RevisionChange | null;
}

/**
 * Fetches the schemas of a source, and reads what is new or changed completely. Adds notes and warnings.
 *
 * @throws SchemaError with all diagnostics of schemas that cannot be read
 * @throws UnreachableError
 */
export async function planRevisions(
  request: UpdateRequest,
  lock: Lock,
  diagnostics: Diagnostics,
): Promise<UpdatePlan> {
  const { from, wanted, project, requests } = request;
  const source = await openSource(from, request, requests);
  const known = await knownVersion(lock, source.name, wanted, project);
  const fetched = await source.fetch(known);
  if (fetched === null) {
    const revisions = pinsOf(lock, source.name).map((name) => unchangedRow(name, lock));
    const result = { source: source.name, version: known ?? {}, revisions, extensions: [] };
    return { result, changed: noSchemas, files: [], lock };
  }
  const { names, gone } = choose(wanted, fetched.schemas, source.name, lock);
  for (const name of gone) diagnostics.add(goneWarning(name, source.name));
  const compared: Candidate[] = [];
  for (const name of names) {
    compared.push(await compareRevision(name, fetched.schemas.load(name), wanted, lock, request));
  }
  const changes = await readChanges(compared, project, requests.status, diagnostics);
  const candidates = compared.map((candidate) => withoutComments(candidate, wanted, lock, changes));
  const pins = candidates.filter(({ isWanted }) => isWanted);
  const rows = [
    ...candidates.map((candidate) => rowOf(candidate, lock, changes)),
    ...gone.map((name): RevisionUpdate => ({ ...unchangedRow(name, lock), state: "gone", after: null })),
  ];
  const revisions = rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  const changed = pins
    .filter(({ name }) => changes.get(name)?.comparison?.differences.length !== 0)
    .map(({ name, file, loaded }) => [name, pinnedSource(name, file, loaded)] as const);
  return {
    result: { source: source.name, version: fetched.version, revisions, extensions: [] },
    changed: { ...noSchemas, revisions: new Map(changed) },
    files: pins.map(({ file, loaded }) => ({ path: file, text: loaded.text })),
    lock: lockAfter(lock, pins, source.name, fetched.version, wanted),
  };
}

/** Keeps a bundled schema in use if the one of the source has other comments and is the same otherwise. */
function withoutComments(
  candidate: Candidate,
  wanted: Wanted,
  lock: Lock,
  changes: ReadonlyMap<string, RevisionChange>,
): Candidate {
  const { name, state } = candidate;
  if (wanted !== "default" || state !== "changed" || lock.revisions.has(name)) return candidate;
  const isSame = changes.get(name)?.comparison?.differences.length === 0;
  return isSame ? { ...candidate, state: "unchanged", isWanted: false } : candidate;
}

/**
 * The version of a source of which everything that is wanted is pinned, and every file is as it was pinned. Null if the
 * schemas must be fetched to know what to do.
 */
async function knownVersion(
  lock: Lock,
  source: string,
  wanted: Wanted,
  project: string,
): Promise<SourceVersion | null> {
  if (wanted === "all") return null;
  const names = wanted === "default" ? pinsOf(lock, source) : wanted;
  const pins = names.map((name) => lock.revisions.get(name));
  for (const pin of pins) {
    if (pin?.source !== source || typeof (await tryPinned(pin, project)) === "string") return null;
  }
  if (wanted === "default") return lock.sources.get(source) ?? null;
  const [first, ...others] = pins.map((pin) => versionOfPin(pin as Pin));
  const isOne = others.every((other) => other.commit === first?.commit && other.etag === first?.etag);
  return isOne ? (first ?? null) : null;
}

/** The version of the source at the time of a pin. */
export const versionOfPin = ({ commit, etag }: Pin): SourceVersion => ({
  ...(commit !== undefined && { commit }),
  ...(etag !== undefined && { etag }),
});

/** The lock file with new pins; the same object if nothing changes. */
function lockAfter(
  lock: Lock,
  pins: readonly Candidate[],
  source: string,
  version: SourceVersion,
  wanted: Wanted,
): Lock {
  const isComplete = wanted === "default" || wanted === "all";
  const isKnown = lock.sources.has(source) || Object.keys(version).length === 0;
  // A source that only got other commits does not change the lock file.
  if (pins.length === 0 && (isKnown || !isComplete)) return lock;
  const revisions = new Map(lock.revisions);
  for (const { name, file, loaded } of pins) {
    revisions.set(name, { file, source, ...version, sha256: loaded.sha256 });
  }
  const sources = new Map(lock.sources);
  if (isComplete && Object.keys(version).length > 0) sources.set(source, version);
  return { ...lock, sources, revisions };
}

function rowOf(
  { name, state, file, before, loaded, isWanted }: Candidate,
  lock: Lock,
  changes: ReadonlyMap<string, RevisionChange>,
): RevisionUpdate {
  const pinned = isWanted ? file : (lock.revisions.get(name)?.file ?? null);
  const change = isWanted ? (changes.get(name) ?? null) : null;
  return { name, state, file: pinned, before, after: loaded.sha256, change };
}

function unchangedRow(name: string, lock: Lock): RevisionUpdate {
  const { file, sha256 } = lock.revisions.get(name) as Pin;
  return { name, state: "unchanged", file, before: sha256, after: sha256, change: null };
}
