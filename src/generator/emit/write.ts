import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { schemaError } from "../diagnostics.js";
import { manifestName, renderManifest, sha256 } from "./manifest.js";
import { type Change, commit } from "./write/commit.js";
import { kindOf, removeEmpty, withDiskErrors } from "./write/disk.js";
import { withLock } from "./write/lock.js";
import { foldersOf } from "./write/paths.js";
import {
  conflictsIn,
  digestsOf,
  makePlan,
  type Plan,
  type PlannedFile,
  rejectConflicts,
} from "./write/plan.js";
import type { WriteRequest, WrittenFile } from "./write/request.js";

export type * from "./manifest.js";
export {
  digestOf,
  hasDigest,
  manifestName,
  isLaterFormat,
  recordOfFormat1,
  sha256,
} from "./manifest.js";
export {
  conflictsIn,
  type Plan,
  type PlannedFile,
  rejectConflicts,
} from "./write/plan.js";
export type { WriteRequest, WrittenFile } from "./write/request.js";
export { findManifest, upToDate } from "./write/up-to-date.js";

/**
 * Returns what `writeFiles` would do.
 *
 * @throws SchemaError if it would fail, but for files of the user that it would
 *   overwrite: see `rejectConflicts`
 */
export async function planFiles(request: WriteRequest): Promise<Plan> {
  return await withDiskErrors(async () => {
    missingFolders(request.out);
    return makePlan(request);
  });
}

/**
 * Writes the files of a run, or none of them if a file of the user would be
 * overwritten or the disk is full. Unchanged files are not touched. The
 * manifest lists the old and the new digests until the last file is written, so
 * that the next run knows each file of a run that was killed, and completes it.
 *
 * @param replaces Called with `force` before files of the user are overwritten.
 *   Nothing is written if it throws.
 * @throws SchemaError if it fails, or the reason of the signal if that is
 *   aborted before the first change
 */
export async function writeFiles(
  request: WriteRequest,
  replaces?: (plan: Plan) => Promise<void>,
): Promise<readonly WrittenFile[]> {
  const { out, signal } = request;
  return await withDiskErrors(async () => {
    const folders = missingFolders(out);
    try {
      return await withLock(out, () => write(request, replaces), signal);
    } finally {
      removeEmpty(folders);
    }
  });
}

/** Writes in a locked directory. */
async function write(
  request: WriteRequest,
  replaces?: (plan: Plan) => Promise<void>,
): Promise<readonly WrittenFile[]> {
  const { out, force = false, signal } = request;
  const plan = makePlan(request);
  if (!force) rejectConflicts(plan);
  else if (conflictsIn(plan).length > 0) await replaces?.(plan);
  const all: readonly PlannedFile<string | null>[] = [
    ...plan.files,
    ...plan.removed,
    ...plan.leftovers,
  ];
  /** A file that was only formatted is restored with `force`. */
  const removed = new Set<PlannedFile<string | null>>(plan.removed);
  const isChanged = (file: PlannedFile<string | null>): boolean =>
    file.text === null
      ? removed.has(file)
      : file.state !== "unchanged" && (file.state !== "reformatted" || force);
  await commit(out, withManifests(plan, all.filter(isChanged)), signal);
  for (const { path } of [...plan.removed, ...plan.leftovers])
    removeEmpty(foldersOf(path).map((folder) => join(out, folder)));
  const present = all.filter(
    ({ text, before }) => text !== null || before !== null,
  );
  return present.map((file): WrittenFile => {
    const { path, text } = file;
    const [done, kept] =
      text === null
        ? (["removed", "leftover"] as const)
        : (["written", "unchanged"] as const);
    return {
      path,
      state: isChanged(file) ? done : kept,
      bytes: Buffer.byteLength(text ?? ""),
    };
  });
}

/**
 * Adds a manifest before the other changes, which has the old and the new
 * digests, and the manifest of the complete run after them.
 */
function withManifests(
  { manifest, next, files, leftovers, removed }: Plan,
  changes: readonly Change[],
): readonly Change[] {
  const others = changes.filter(({ path }) => path !== manifestName);
  const last = files.find(({ path }) => path === manifestName);
  if (others.length === 0 || last === undefined) return changes;
  const first = renderManifest({
    ...next,
    once: new Map([...(manifest?.once ?? []), ...next.once]),
    leftovers: digestsOf([...removed, ...leftovers]),
    replaced: new Map(
      others.flatMap(({ path, before }) =>
        before === null ? [] : [[path, before]],
      ),
    ),
  });
  const text = changes.includes(last) ? last.text : last.current;
  return [
    { ...last, text: first },
    ...others,
    { ...last, text, before: sha256(first) },
  ];
}

/**
 * Returns the folders that are missing, outermost first. Throws if the output
 * directory is a file, or below a link to nothing.
 */
function missingFolders(out: string): string[] {
  const missing: string[] = [];
  let path = out;
  for (; kindOf(path) === null && dirname(path) !== path; path = dirname(path))
    missing.unshift(path);
  const kind = kindOf(path);
  if (path === out && (kind === "file" || kind === "other"))
    throw schemaError(
      "MG806",
      `the output directory ${out} is a file`,
      "choose another --out",
    );
  if (kind !== "link" || existsSync(path)) return missing;
  const message = `${path} is a symbolic link to a folder that does not exist`;
  throw schemaError("MG805", message, "create the folder, or remove the link");
}
