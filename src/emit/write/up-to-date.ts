import { type Expectation, hasDigest, MANIFEST, type Manifest, meetsExpectation } from "../manifest.js";
import { type Disk, nodeDisk } from "./disk.js";
import { diskPath, STATE } from "./paths.js";
import { readManifest, exists } from "./plan.js";
import type { WrittenFile } from "./request.js";

/** The manifest of a directory; null if there is none that can be read. */
export async function findManifest(out: string, disk: Disk = nodeDisk): Promise<Manifest | null> {
  return await readManifest(out, true, disk).catch(() => null);
}

/**
 * Returns the manifest if the directory was generated from the same provenance, every file still has its digest, and no
 * file that is written once is missing; null otherwise. Only reads, and loads nothing but a hash function.
 */
export async function upToDate(
  out: string,
  expected: Expectation,
  disk: Disk = nodeDisk,
): Promise<{ readonly manifest: Manifest; readonly files: readonly WrittenFile[] } | null> {
  try {
    if ((await disk.kind(diskPath(out, STATE))) !== null) return null;
    const manifest = await readManifest(out, true, disk);
    if (manifest === null || manifest.leftovers.size > 0 || !meetsExpectation(manifest, expected))
      return null;
    const files: WrittenFile[] = [];
    for (const [path, digest] of manifest.files) {
      if ((await disk.kind(diskPath(out, path))) !== "file") return null;
      const bytes = await disk.read(diskPath(out, path));
      if (!hasDigest(bytes, digest)) return null;
      files.push({ path, state: "unchanged", bytes: bytes.byteLength });
    }
    for (const path of manifest.once) if (!(await exists(out, path, disk))) return null;
    const { byteLength } = await disk.read(diskPath(out, MANIFEST));
    files.push({ path: MANIFEST, state: "unchanged", bytes: byteLength });
    return { manifest, files };
  } catch {
    // The complete run reports the problem.
    return null;
  }
}
