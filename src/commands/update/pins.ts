import { extname, join } from "node:path";
import { schemaError } from "../../generator/diagnostics.js";
import { kindOf } from "../../generator/emit/write/disk.js";
import type { Comparison } from "../../generator/ir/change/model.js";
import { type Loaded, revisionNames } from "../../generator/read/load.js";
import { tokensDigestOf } from "../../generator/read/digest.js";
import { bundledExtension } from "../../generator/inputs/extensions.js";
import { loadOrThrow, withFactsAt } from "../../generator/inputs/load.js";
import { FromFile } from "../../generator/inputs/from-file.js";
import type { Lock, Pin, SourceVersion } from "../../generator/inputs/lock.js";
import { shownPath } from "../../generator/inputs/paths.js";
import { loadIfIntact } from "../../generator/inputs/pins.js";
import { bundledSource } from "../../generator/inputs/schemas.js";
import type { Requests } from "./http.js";

/**
 * The value of `--revision`: names, everything, or by default all dated
 * revisions and those that are already pinned.
 */
export type RevisionSelection = "default" | "all" | readonly string[];

/** The schemas to fetch, and where to store them. */
export interface UpdateRequest {
  /** A source, as `--from` and `--extension` take it. */
  readonly from: string | FromFile;
  readonly selection: RevisionSelection;
  /** The directory that a relative path of `from` starts from. */
  readonly directory: string;
  /** The folder of the lock file, an absolute path. */
  readonly project: string;
  /**
   * The folder of the schemas, relative to the project, with forward slashes.
   */
  readonly folder: string;
  /** The id that the user gives an extension; absent if its file says it. */
  readonly id?: string | undefined;
  readonly requests: Requests;
}

/**
 * The schemas of an update. Everything is fetched and read, and nothing is
 * written yet.
 */
export interface UpdatePlan {
  readonly result: UpdateResult;
  /** The schemas to write. */
  readonly pins: readonly Candidate[];
  /** The lock file afterwards; the same object if nothing is pinned. */
  readonly lock: Lock;
}

/** The compared schemas of one source, as `--json` prints them. */
export interface UpdateResult {
  readonly source: string;
  readonly version: SourceVersion;
  readonly revisions: readonly RevisionUpdate[];
  readonly extensions: readonly RevisionUpdate[];
}

/** The result for one revision or extension. */
export interface RevisionUpdate {
  readonly name: string;
  /**
   * Compared with the pinned schema, or else with the bundled one: "new" is
   * known to neither, and "gone" is pinned and no longer in the source. A
   * bundled schema is unchanged if only comments differ, unless `--revision`
   * names the revision.
   */
  readonly state: "new" | "changed" | "unchanged" | "gone";
  /**
   * The pinned file, relative to the project; null if the bundled schema stays
   * in use.
   */
  readonly file: string | null;
  /** The sha256 of the schema before and after; null if there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /**
   * The changes of a revision that was read because it is new or changed: from
   * the same revision before, or from the one before a new revision. Null if
   * there is none that can be read.
   */
  readonly comparison: Comparison | null;
}

/** A schema of a source, compared with what the project has of it. */
export interface Candidate {
  readonly kind: "revisions" | "extensions";
  readonly name: string;
  /** What the project has pinned under this name. */
  readonly pin: Pin | null;
  /** True if the pinned file is as it was pinned. */
  readonly isIntact: boolean;
  /** The schema of the source. */
  readonly loaded: Loaded;
  /** Where it is pinned, relative to the project. */
  readonly file: string;
  /**
   * The sha256 of the pinned schema, otherwise of the bundled one; null if
   * there is none.
   */
  readonly before: string | null;
  readonly state: "new" | "changed" | "unchanged";
  /**
   * True if the bundled schema has the same text, so that it need not be read.
   */
  readonly isBundled: boolean;
}

/**
 * Compares a schema of a source with what the project has.
 *
 * @throws SchemaError MG754 or MG756 if a file of the user would be overwritten
 */
export async function compareSchema(
  kind: Candidate["kind"],
  name: string,
  loaded: Loaded,
  lock: Lock,
  { project, folder }: UpdateRequest,
): Promise<Candidate> {
  const pin = lock[kind].get(name) ?? null;
  const bundled = await bundledDigest(kind, name);
  const before = pin?.sha256 ?? bundled;
  const ending = extname(loaded.file);
  const path = `${folder}/${kind === "extensions" ? "extensions/" : ""}${name}/schema${ending}`;
  // A pinned schema stays where it is.
  const file = pin !== null && extname(pin.file) === ending ? pin.file : path;
  const isIntact = await checkFile(file, pin, loaded, project);
  const complete = await withFactsAt(loaded, shownPath(file, project));
  const state =
    before === null
      ? "new"
      : before === loaded.sha256
        ? "unchanged"
        : "changed";
  const isBundled = bundled === loaded.sha256;
  return {
    kind,
    name,
    pin,
    isIntact,
    loaded: complete,
    file,
    before,
    state,
    isBundled,
  };
}

async function bundledDigest(
  kind: Candidate["kind"],
  name: string,
): Promise<string | null> {
  if (kind === "extensions")
    return (await bundledExtension(name))?.loaded.sha256 ?? null;
  return (await revisionNames()).includes(name)
    ? (await bundledSource(name)).loaded.sha256
    : null;
}

/**
 * Checks the file that an update would write. Returns true if it is as it was
 * pinned.
 *
 * @throws SchemaError if it was edited, or was not written by an update; the
 *   text of the source is not an edit
 */
async function checkFile(
  file: string,
  pin: Pin | null,
  { sha256 }: Loaded,
  project: string,
): Promise<boolean> {
  const pinned = pin === null ? null : await loadIfIntact(pin, project);
  const isIntact = pinned !== null && typeof pinned !== "string";
  if (isIntact && pin?.file === file) return true;
  const kind = kindOf(join(project, file));
  if (kind === null) return isIntact;
  const path = shownPath(file, project);
  if (kind === "file" && (await loadOrThrow(path)).sha256 === sha256)
    return isIntact;
  if (pin?.file !== file) {
    const hint =
      "move it away, or choose another folder with update.folder in the configuration";
    throw schemaError(
      "MG756",
      `${path} exists already and was not written by mcpgen update`,
      hint,
    );
  }
  throw schemaError(
    "MG754",
    `the pinned schema ${path} ${typeof pinned === "string" ? pinned : ""}`,
    "restore it from version control, or delete it and run mcpgen update",
  );
}

/**
 * True if each of these schemas is pinned from a source, and its file is as it
 * was pinned.
 */
export async function areIntact(
  pins: readonly (Pin | undefined)[],
  source: string,
  project: string,
): Promise<boolean> {
  for (const pin of pins)
    if (
      pin?.source.is(source) !== true ||
      typeof (await loadIfIntact(pin, project)) === "string"
    )
      return false;
  return true;
}

/** The lock file with new pins from a source; the same object without any. */
export function lockWith(
  pins: readonly Candidate[],
  {
    source,
    ...version
  }: SourceVersion & {
    readonly source: string;
    readonly revision?: string;
    readonly id?: string;
  },
  lock: Lock,
): Lock {
  if (pins.length === 0) return lock;
  const after = {
    ...lock,
    revisions: new Map(lock.revisions),
    extensions: new Map(lock.extensions),
  };
  for (const { kind, name, file, loaded } of pins)
    after[kind].set(name, {
      ...version,
      source: new FromFile(source),
      file,
      sha256: loaded.sha256,
      tokens: tokensDigestOf(loaded),
    });
  return after;
}

/** The row of a schema that is pinned. */
export function pinnedRow(
  { name, state, file, before, loaded }: Candidate,
  comparison: Comparison | null = null,
): RevisionUpdate {
  return { name, state, file, before, after: loaded.sha256, comparison };
}

/** The row of a pinned schema that stays as it is. */
export function unchangedRow(
  name: string,
  { file, sha256 }: Pin,
): RevisionUpdate {
  return {
    name,
    state: "unchanged",
    file,
    before: sha256,
    after: sha256,
    comparison: null,
  };
}
