import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaError } from "../../generator/diagnostics.js";
import { sha256 } from "../../generator/emit/manifest.js";
import { commit } from "../../generator/emit/write/commit.js";
import { kindOf } from "../../generator/emit/write/disk.js";
import { withLock } from "../../generator/emit/write/lock.js";
import {
  digestAt,
  readAt,
  stateFolder,
} from "../../generator/emit/write/paths.js";
import {
  lockName,
  renderLock,
  type Lock,
} from "../../generator/inputs/lock.js";
import type { Candidate } from "./pins.js";

/** Removes the temporary files of an update that was killed. */
export async function cleanUp(project: string): Promise<void> {
  if (existsSync(join(project, stateFolder)))
    await withLock(project, () => Promise.resolve());
}

/** The digest of the lock file before an update; null without one. */
export function lockDigest(project: string): string | null {
  const path = join(project, lockName);
  return kindOf(path) === "file" ? sha256(readFileSync(path)) : null;
}

/**
 * Writes schemas and then the lock file, each by a rename. The next update of
 * the same source completes one that was killed.
 *
 * @throws SchemaError if another update has written in the meantime, or the
 *   disk fails
 */
export async function store(
  project: string,
  pins: readonly Candidate[],
  lock: Lock,
  lockBefore: string | null,
  signal: AbortSignal,
): Promise<void> {
  await withLock(project, async () => {
    if (lockDigest(project) !== lockBefore) {
      throw schemaError(
        "MG804",
        `${lockName} was changed by another program during the run`,
        "run again",
      );
    }
    const files = pins.map(({ file, loaded }) => ({
      path: file,
      text: loaded.text,
    }));
    const before = readAt(project, lockName)?.toString() ?? null;
    const written = { path: lockName, text: renderLock(lock, before) };
    const changes = [...files, written].map(({ path, text }) => {
      return { path, text, before: digestAt(project, path) };
    });
    await commit(
      project,
      changes.filter(({ text, before }) => sha256(text) !== before),
      signal,
    );
  });
}
