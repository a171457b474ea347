import type { Diagnostics } from "../diagnostics.js";
import { tokensDigestOf } from "../read/tokens.js";
import { type Lock, type Pin, type SourceVersion } from "../sources/lock.js";
import { loadIfIntact } from "../sources/pins.js";
import type { ExtensionSource } from "../sources/extensions.js";
import { pinnedSource, type Source } from "../sources/schemas.js";
import { keepSeen, seenVersion } from "./cache.js";
import { compareRevision, type Candidate, type Folders } from "./candidate.js";
import { choose, pinsOf, type RevisionSelection } from "./choose.js";
import type { Requests } from "./http.js";
import { readChanges, type RevisionChange } from "./read.js";
import { openSource } from "./source.js";
import type { StoredFile } from "./store.js";

/** The schemas to fetch, and where to store them. */
export interface UpdateRequest extends Folders {
  /** A source, as `--from` and `--extension` take it. */
  readonly from: string;
  readonly selection: RevisionSelection;
  /** The directory that a relative path of `from` starts from. */
  readonly directory: string;
  readonly requests: Requests;
}

/** The compared schemas of one source, as `--json` prints them. */
export interface UpdateResult {
  readonly source: string;
  readonly version: SourceVersion;
  readonly revisions: readonly RevisionUpdate[];
  readonly extensions: readonly RevisionUpdate[];
}

/** The schemas of an update and the files to write. Everything is fetched and read, and nothing is written yet. */
export interface UpdatePlan {
  readonly result: UpdateResult;
  /** The schemas to write. */
  readonly pinned: Schemas;
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

/** The result for one revision or extension. */
export interface RevisionUpdate {
  readonly name: string;
  /**
   * Compared with the pinned schema, or else with the bundled one: "new" is known to neither, and "gone" is pinned and no
   * longer in the source. A bundled schema is unchanged if only comments differ, unless `--revision` names the revision.
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
  const { from, selection, project, requests } = request;
  const source = await openSource(from, request, requests);
  const isDefault = selection === "default";
  const pinnedVersion = await knownVersion(lock, source.name, selection, project);
  const seen = isDefault && pinnedVersion !== null ? await seenVersion(source.name, lock, project) : null;
  const known = seen ?? pinnedVersion;
  const fetched = await source.fetch(known);
  if (fetched === null) {
    const revisions = pinsOf(lock, source.name).map((pin) => unchangedRow(...pin));
    const result = { source: source.name, version: known ?? {}, revisions, extensions: [] };
    return { result, pinned: noSchemas, files: [], lock };
  }
  const { names, missing } = choose(selection, fetched.schemas, source.name, lock);
  for (const [name] of missing) {
    const message = `${source.name} no longer has revision ${name}, which stays pinned`;
    const hint = "remove its entry from mcpgen.lock.json and its file if nothing uses it";
    diagnostics.root.warn("MG755", null, message, hint);
  }
  const compared: Candidate[] = [];
  for (const name of names) {
    compared.push(await compareRevision(name, fetched.schemas.load(name), selection, lock, request));
  }
  const changes = await readChanges(compared, project, requests.status, diagnostics);
  const candidates = compared.map((candidate) => {
    const isSame = changes.get(candidate.name)?.comparison?.differences.length === 0;
    // A bundled schema stays in use if that of the source has other comments and is the same otherwise.
    return isDefault && candidate.pin === null && candidate.state === "changed" && isSame
      ? { ...candidate, state: "unchanged" as const, isSelected: false }
      : candidate;
  });
  const pins = candidates.filter(({ isSelected }) => isSelected);
  if (isDefault && pins.length + missing.length === 0)
    await keepSeen(source.name, fetched.version, lock, project);
  for (const { pin, file, loaded } of pins) {
    if (pin?.sha256 !== loaded.sha256) continue;
    const message = `the pinned schema ${file} is missing; mcpgen update writes it again`;
    diagnostics.root.note("MG754", null, message);
  }
  const rows = [
    ...candidates.map((candidate) => rowOf(candidate, changes)),
    ...missing.map((pin): RevisionUpdate => ({ ...unchangedRow(...pin), state: "gone", after: null })),
  ];
  const revisions = rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  const pinned = pins.map(({ name, file, loaded }) => [name, pinnedSource(name, file, loaded)] as const);
  return {
    result: { source: source.name, version: fetched.version, revisions, extensions: [] },
    pinned: { ...noSchemas, revisions: new Map(pinned) },
    files: pins.map(({ file, loaded }) => ({ path: file, text: loaded.text })),
    lock: lockAfter(lock, pins, source.name, fetched.version, selection),
  };
}

/**
 * The version of a source of which every selected revision is pinned, and every file is as it was pinned. Null if the
 * schemas must be fetched to know what to do.
 */
async function knownVersion(
  lock: Lock,
  source: string,
  selection: RevisionSelection,
  project: string,
): Promise<SourceVersion | null> {
  if (selection === "all") return null;
  const isDefault = selection === "default";
  const pins = isDefault
    ? pinsOf(lock, source).map(([, pin]) => pin)
    : selection.map((name) => lock.revisions.get(name));
  const versions: SourceVersion[] = [];
  for (const pin of pins) {
    if (pin?.source !== source || typeof (await loadIfIntact(pin, project)) === "string") return null;
    versions.push(versionOfPin(pin));
  }
  if (isDefault) return lock.sources.get(source) ?? null;
  const [first = null, ...others] = versions;
  return others.every(({ commit, etag }) => commit === first?.commit && etag === first?.etag) ? first : null;
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
  selection: RevisionSelection,
): Lock {
  const hasVersion = Object.keys(version).length > 0 && typeof selection === "string";
  // A source that only got other commits does not change the lock file.
  if (pins.length === 0 && (lock.sources.has(source) || !hasVersion)) return lock;
  const revisions = new Map(lock.revisions);
  for (const { name, file, loaded } of pins)
    revisions.set(name, { file, source, ...version, sha256: loaded.sha256, tokens: tokensDigestOf(loaded) });
  const sources = hasVersion ? new Map([...lock.sources, [source, version]]) : lock.sources;
  return { ...lock, sources, revisions };
}

function rowOf(
  { name, state, pin, file, before, loaded, isSelected }: Candidate,
  changes: ReadonlyMap<string, RevisionChange>,
): RevisionUpdate {
  const change = isSelected ? (changes.get(name) ?? null) : null;
  return { name, state, file: isSelected ? file : (pin?.file ?? null), before, after: loaded.sha256, change };
}

/** The row of a pinned schema that stays as it is. */
export function unchangedRow(name: string, { file, sha256 }: Pin): RevisionUpdate {
  return { name, state: "unchanged", file, before: sha256, after: sha256, change: null };
}
