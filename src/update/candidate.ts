import { extname } from "node:path";
import { schemaError } from "../diagnostics.js";
import { kindOf } from "../emit/write/disk.js";
import { diskPath } from "../emit/write/paths.js";
import { revisionNames } from "../read/revisions.js";
import type { Loaded } from "../read/load.js";
import { loadOrThrow, withFactsAt } from "../sources/load.js";
import type { Lock, Pin } from "../sources/lock.js";
import { shownPath } from "../sources/paths.js";
import { loadIfIntact } from "../sources/pins.js";
import { bundledSource } from "../sources/schemas.js";
import type { RevisionSelection } from "./choose.js";

/** A revision of a source, compared with what the project has of it. */
export interface Candidate {
  readonly name: string;
  /** What the project has pinned under this name. */
  readonly pin: Pin | null;
  /** The schema of the source. */
  readonly loaded: Loaded;
  /** Where it is pinned, relative to the project. */
  readonly file: string;
  /** The sha256 of the pinned schema, otherwise of the bundled one; null if there is none. */
  readonly before: string | null;
  readonly state: "new" | "changed" | "unchanged";
  /** True if it is written and pinned by an update. */
  readonly isSelected: boolean;
  /** True if the bundled schema has the same text, so that it need not be read. */
  readonly isBundled: boolean;
}

/** The folders of an update. */
export interface Folders {
  /** An absolute path. */
  readonly project: string;
  /** The folder of the schemas, relative to the project, with forward slashes. */
  readonly folder: string;
}

/**
 * Compares a revision of a source with what the project has.
 *
 * @throws SchemaError MG754 or MG756 if a file of the user would be overwritten
 */
export async function compareRevision(
  name: string,
  loaded: Loaded,
  selection: RevisionSelection,
  lock: Lock,
  folders: Folders,
): Promise<Candidate> {
  const pin = lock.revisions.get(name) ?? null;
  const bundled = (await revisionNames()).includes(name) ? (await bundledSource(name)).loaded.sha256 : null;
  const before = pin?.sha256 ?? bundled;
  const file = pinnedFile(pin, `${folders.folder}/${name}/schema`, loaded);
  const isIntact = await checkFile(file, pin, loaded, folders.project);
  const isSame = before === loaded.sha256;
  return {
    name,
    pin,
    loaded: await withFactsAt(loaded, shownPath(file, folders.project)),
    file,
    before,
    state: before === null ? "new" : isSame ? "unchanged" : "changed",
    isSelected: !isSame || (pin === null ? selection !== "default" : !isIntact),
    isBundled: bundled === loaded.sha256,
  };
}

/** A pinned schema stays where it is. */
export function pinnedFile(pin: Pin | null, path: string, { file }: Loaded): string {
  const ending = extname(file);
  return pin !== null && extname(pin.file) === ending ? pin.file : `${path}${ending}`;
}

/**
 * Checks the file that an update would write. Returns true if it is as it was pinned.
 *
 * @throws SchemaError if it was edited, or was not written by an update; the text of the source is not an edit
 */
export async function checkFile(
  file: string,
  pin: Pin | null,
  { sha256 }: Loaded,
  project: string,
): Promise<boolean> {
  const pinned = pin === null ? null : await loadIfIntact(pin, project);
  const isIntact = pinned !== null && typeof pinned !== "string";
  if (isIntact && pin?.file === file) return true;
  const kind = kindOf(diskPath(project, file));
  if (kind === null) return isIntact;
  const path = shownPath(file, project);
  if (kind === "file" && (await loadOrThrow(path)).sha256 === sha256) return isIntact;
  if (pin?.file !== file) {
    const hint = "move it away, or choose another folder with update.folder in the configuration";
    throw schemaError("MG756", `${path} exists already and was not written by mcpgen update`, hint);
  }
  throw schemaError(
    "MG754",
    `the pinned schema ${path} ${typeof pinned === "string" ? pinned : ""}`,
    "restore it from version control, or delete it and run mcpgen update",
  );
}
