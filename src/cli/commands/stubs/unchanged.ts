import { findManifest, upToDate, type Provenance } from "../../../emit/write.js";
import { digestOf } from "../../../read/digest.js";
import { revisionNames } from "../../../read/revisions.js";
import { toolVersion } from "../../../sources/package.js";
import type { SnapshotText } from "../../../sources/snapshots.js";
import { bundledSource } from "../../../sources/schemas.js";
import type { FileReport } from "../../report.js";

/** A project that is what a run would write. */
export interface UnchangedProject {
  /** The revision that the project speaks. */
  readonly revision: string;
  readonly files: readonly FileReport[];
}

/**
 * Compares digests: of the snapshot, the schema, the options and each file, with those in the manifest. Null where one
 * differs or a file is missing. Reads no snapshot and loads no generator, so it stays quick for thousands of tools.
 */
export async function unchangedProject(
  folder: string,
  { text, name }: SnapshotText,
  options: Provenance["options"],
): Promise<UnchangedProject | null> {
  const manifest = await findManifest(folder);
  // The snapshot names its revision, and was read when the manifest was written: the same text, the same revision.
  const revision = manifest?.sources[1]?.revision;
  if (revision === undefined || !(await revisionNames()).includes(revision)) return null;
  const schema = await bundledSource(revision);
  const sources = [
    { revision: null, name, sha256: digestOf(text) },
    { revision, name: schema.name, sha256: schema.loaded.sha256 },
  ];
  const found = await upToDate(folder, { generator: toolVersion(), sources, options });
  return found === null ? null : { revision, files: found.files };
}
