import { byText } from "../../common/by-text.js";
import { reasonOf } from "../emit/write/disk.js";
import { isRecord } from "../ir/json/value.js";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { schemaError } from "../diagnostics.js";
import { textWithOwned } from "../ir/json/owned.js";
import { isExtensionId } from "../read/extension-id.js";
import { FromFile } from "./from-file.js";
import { isLaterFormat, recordOfFormat1 } from "../emit/write.js";
import { pathProblem } from "../emit/write/paths.js";
import { shownPath } from "./paths.js";

/** The file with the pinned schemas of a project, beside the configuration. */
export const lockName = "mcpgen.lock.json";

/**
 * The state of a source: the commit of a repository, or the entity tag of a
 * file. A folder has neither.
 */
export interface SourceVersion {
  readonly commit?: string;
  readonly etag?: string;
}

/** A schema that `mcpgen update` has copied into the project. */
export interface Pin extends SourceVersion {
  /** Relative to the lock file, with forward slashes. */
  readonly file: string;
  /** The repository, file or folder that it was copied from. */
  readonly source: FromFile;
  /** The result of `digestOf`. */
  readonly sha256: string;
  /**
   * The result of `tokensDigestOf`, which formatting does not change; absent in
   * lock files of older versions.
   */
  readonly tokens?: string;
  /**
   * For an extension: the revision of its source, if `--revision` named one;
   * absent for the newest.
   */
  readonly revision?: string;
  /** For an extension: the id that the user gave it, if the file has none. */
  readonly id?: string;
}

/** The content of the lock file. */
export interface Lock {
  /**
   * The last version of each source of which every selected revision was
   * pinned.
   */
  readonly sources: ReadonlyMap<string, SourceVersion>;
  /** By name: a date, or the name of its folder, such as draft. */
  readonly revisions: ReadonlyMap<string, Pin>;
  readonly extensions: ReadonlyMap<string, Pin>;
}

const emptyLock: Lock = {
  sources: new Map(),
  revisions: new Map(),
  extensions: new Map(),
};

/**
 * Reads the lock file of a directory. Empty without a file.
 *
 * @throws SchemaError MG753 if it cannot be used
 */
export async function readLock(directory: string): Promise<Lock> {
  let text: string;
  try {
    text = await readFile(join(directory, lockName), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return emptyLock;
    throw unusable(directory, reasonOf(error));
  }
  const lock = parseLock(text);
  if (typeof lock !== "string") return lock;
  throw unusable(directory, lock);
}

function unusable(directory: string, reason: string): Error {
  const update =
    "restore it from version control, or delete it and run mcpgen update";
  return schemaError(
    "MG753",
    `${shownPath(lockName, directory)} cannot be used: ${reason}`,
    isLaterFormat(reason) ? "update mcpgen" : update,
  );
}

/**
 * The text of a lock file. It keeps the members that others have written into
 * the text before. Equal locks give equal bytes.
 */
export function renderLock(
  { sources, revisions, extensions }: Lock,
  before: string | null,
): string {
  const owned = {
    format: 1,
    sources: record(sources, versionOf),
    revisions: record(revisions, pinOf),
    extensions: record(extensions, pinOf),
  };
  return textWithOwned(before, owned) ?? "";
}

/** Parses a lock file. Returns the reason as text if it is not one. */
function parseLock(text: string): Lock | string {
  const value = recordOfFormat1(text);
  if (typeof value === "string") return value;
  for (const name of ["sources", "revisions", "extensions"])
    if (!isRecord(value[name] ?? {})) return `its ${name} are not an object`;
  const sources = new Map<string, SourceVersion>();
  for (const [name, entry] of Object.entries(recordIn(value["sources"]))) {
    const version = parseVersion(entry);
    if (version === null)
      return `the source ${JSON.stringify(name)} has no valid commit or etag`;
    sources.set(name, version);
  }
  const revisions = parsePins(recordIn(value["revisions"]));
  if (typeof revisions === "string") return revisions;
  const extensions = parsePins(recordIn(value["extensions"]));
  if (typeof extensions === "string") return extensions;
  return { sources, revisions, extensions };
}

/**
 * True for a name of a revision or an extension: a word of `--version` or
 * `--extension` that is not a path.
 */
export function isPinName(name: string): boolean {
  const isReserved =
    ["all", "extensions", "latest"].includes(name) ||
    pathProblem(name) !== null;
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name) && !isReserved;
}

function parsePins(
  entries: Readonly<Record<string, unknown>>,
): Map<string, Pin> | string {
  const pins = new Map<string, Pin>();
  for (const [name, entry] of Object.entries(entries)) {
    const shown = JSON.stringify(name.slice(0, 80));
    if (!isPinName(name))
      return `${shown} is not a name of a revision or an extension`;
    if (!isRecord(entry)) return `the entry ${shown} is not an object`;
    const { file, source, sha256 } = entry;
    if (typeof file !== "string") return `the entry ${shown} has no file`;
    // The lock file is untrusted, because anyone can edit it in a pull request.
    const problem = pathProblem(file);
    if (problem !== null)
      return `the file of ${shown} cannot be used: ${problem}`;
    if (!/\.(ts|json)$/.test(file))
      return `the file of ${shown} is not a .ts or .json file`;
    if (typeof source !== "string") return `the entry ${shown} has no source`;
    if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256))
      return `the entry ${shown} has no valid sha256`;
    if (parseVersion(entry) === null)
      return `the entry ${shown} has no valid commit or etag`;
    const { id, revision, tokens } = entry;
    if (id !== undefined && !(typeof id === "string" && isExtensionId(id)))
      return `the id of ${shown} is not that of an extension`;
    if (
      tokens !== undefined &&
      !(typeof tokens === "string" && /^[0-9a-f]{64}$/.test(tokens))
    )
      return `the entry ${shown} has no valid digest of its tokens`;
    if (
      revision !== undefined &&
      !(typeof revision === "string" && isPinName(revision))
    )
      return `the revision of ${shown} is not a name`;
    const pin = { ...(entry as object), source: new FromFile(source) };
    pins.set(name, pinOf(pin as Pin));
  }
  return pins;
}

/** Parses a version. Returns null if it is not one. */
function parseVersion(entry: unknown): SourceVersion | null {
  if (!isRecord(entry)) return null;
  const { commit, etag } = entry;
  if (commit !== undefined && !(typeof commit === "string" && isCommit(commit)))
    return null;
  if (etag !== undefined && !(typeof etag === "string" && isEtag(etag)))
    return null;
  return versionOf(entry as SourceVersion);
}

/** The id of a commit, SHA-1 or SHA-256. */
export function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** An entity tag as HTTP allows it; it is sent in a header. */
export function isEtag(text: string): boolean {
  return /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(text);
}

/** The version in an entry, such as that of the source at the time of a pin. */
export const versionOf = ({ commit, etag }: SourceVersion): SourceVersion => ({
  ...(commit !== undefined && { commit }),
  ...(etag !== undefined && { etag }),
});

/** The members of a pin in an entry. */
const pinOf = ({
  file,
  source,
  sha256,
  tokens,
  revision,
  id,
  ...version
}: Pin): Pin => ({
  file,
  source,
  ...versionOf(version),
  sha256,
  ...(tokens !== undefined && { tokens }),
  ...(revision !== undefined && { revision }),
  ...(id !== undefined && { id }),
});

function record<T>(
  map: ReadonlyMap<string, T>,
  pick: (value: T) => T,
): Record<string, T> {
  const entries = [...map].sort(([a], [b]) => byText(a, b));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, pick(value)]),
  );
}

function recordIn(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
