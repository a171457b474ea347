import { readFileSync } from "node:fs";
import { type Expectation, hasDigest, MANIFEST, type Manifest, meetsExpectation } from "../manifest.js";
import { kindOf } from "./disk.js";
import { diskPath, STATE } from "./paths.js";
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
 * Returns the manifest if the directory was generated from the same provenance, every file still has its digest, and no
 * file that is written once is missing; null otherwise. Only reads, and loads nothing but a hash function.
 */
export function upToDate(
  out: string,
  expected: Expectation,
): { readonly manifest: Manifest; readonly files: readonly WrittenFile[] } | null {
  const manifest = findManifest(out);
  if (manifest === null || !meetsExpectation(manifest, expected)) return null;
  // A run that was killed has left its folder or the list of what it replaced.
  if (kindOf(diskPath(out, STATE)) !== null || manifest.replaced.size + manifest.leftovers.size > 0)
    return null;
  const files: WrittenFile[] = [];
  try {
    for (const [path, digest] of [...manifest.files, [MANIFEST, null] as const]) {
      if (kindOf(diskPath(out, path)) !== "file") return null;
      const bytes = readFileSync(diskPath(out, path));
      if (digest !== null && !hasDigest(bytes, digest)) return null;
      files.push({ path, state: "unchanged", bytes: bytes.byteLength });
    }
    const isComplete = manifest.once.every((path) => kindOf(diskPath(out, path)) === "file");
    return isComplete ? { manifest, files } : null;
  } catch {
    // The complete run reports the problem.
    return null;
  }
}
