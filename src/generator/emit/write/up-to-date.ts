import { join } from "node:path";
import {
  type Expectation,
  hasDigest,
  manifestName,
  type Manifest,
  meetsExpectation,
} from "../manifest.js";
import { kindOf } from "./disk.js";
import { readAt, stateFolder } from "./paths.js";
import { readManifest } from "./plan.js";
import type { WrittenFile } from "./request.js";

/** The manifest of a directory; null if there is none that can be read. */
export function findManifest(out: string): Manifest | null {
  try {
    return readManifest(out, true);
  } catch {
    return null;
  }
}

/**
 * Returns the manifest if the directory was generated from the same provenance,
 * every file still has its digest, and no file that is written once is missing;
 * null otherwise. Only reads, and loads nothing but a hash function.
 */
export function upToDate(
  out: string,
  expected: Expectation,
): {
  readonly manifest: Manifest;
  readonly files: readonly WrittenFile[];
} | null {
  const manifest = findManifest(out);
  if (manifest === null || !meetsExpectation(manifest, expected)) return null;
  try {
    // A run that was killed has left its folder or the list of what it
    // replaced.
    if (
      kindOf(join(out, stateFolder)) !== null ||
      manifest.replaced.size + manifest.leftovers.size > 0
    )
      return null;
    const files: WrittenFile[] = [];
    for (const path of [...manifest.files.keys(), manifestName]) {
      const [bytes, digest] = [readAt(out, path), manifest.files.get(path)];
      if (bytes === null || (digest !== undefined && !hasDigest(bytes, digest)))
        return null;
      files.push({ path, state: "unchanged", bytes: bytes.byteLength });
    }
    return [...manifest.once.keys()].every((path) => readAt(out, path) !== null)
      ? { manifest, files }
      : null;
  } catch {
    // The complete run reports the problem.
    return null;
  }
}
