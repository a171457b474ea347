import { findManifest, upToDate, type Provenance } from "../../../emit/write.js";
import { jsonDigestOf } from "../../../read/digest.js";
import { nearestRevision } from "../../../read/revisions.js";
import { toolVersion } from "../../../sources/package.js";
import type { SnapshotText } from "../../../sources/snapshots.js";
import { knownRevisions, revisionSource } from "../../../sources/schemas.js";
import { digestFacts } from "../generate/task.js";
import type { FileReport } from "../../report.js";

/** A project that is up to date. */
export interface UnchangedProject {
  /** The revision of the project. */
  readonly revision: string;
  readonly files: readonly FileReport[];
}

/**
 * Compares the digests of the snapshot, the schema, the options and each file with the manifest. Null if one differs or a
 * file is missing. Parses no snapshot and loads no generator, so it stays fast for thousands of tools.
 */
export async function unchangedProject(
  folder: string,
  { text, name }: SnapshotText,
  options: Provenance["options"],
  directory: string,
): Promise<UnchangedProject | null> {
  const manifest = findManifest(folder);
  // The snapshot names its revision and has the same text as when the manifest was written. Since then, that revision or a
  // newer one may have been pinned.
  const [snapshot, protocol] = manifest?.sources ?? [];
  if (snapshot === undefined || protocol === undefined) return null;
  const { revision } = protocol;
  if (nearestRevision(snapshot.revision, await knownRevisions(directory)) !== revision) return null;
  const schema = await revisionSource(revision, directory);
  const sources = [
    { revision: null, name, sha256: jsonDigestOf(text) },
    { revision, name: schema.name, sha256: schema.loaded.sha256 },
  ];
  const current = upToDate(folder, {
    generator: toolVersion(),
    sources,
    options: { ...options, facts: digestFacts([schema]) },
  });
  return current === null ? null : { revision, files: current.files };
}
