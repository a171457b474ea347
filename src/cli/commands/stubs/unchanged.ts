import {
  findManifest,
  upToDate,
  type Provenance,
} from "../../../generator/emit/write.js";
import { jsonDigestOf } from "../../../generator/read/digest.js";
import { nearestRevision } from "../../../generator/read/revisions.js";
import { revisionsInText } from "../../../generator/read/snapshot/revisions.js";
import { toolVersion } from "../../../generator/inputs/package.js";
import type { SnapshotText } from "../../../generator/inputs/snapshots.js";
import {
  knownRevisions,
  revisionSource,
} from "../../../generator/inputs/schemas.js";
import { digestFacts } from "../generate/task.js";
import type { Files } from "../generate/report.js";
import { projectRevisions, type Wanted } from "./revisions.js";

/**
 * Compares the digests of the snapshot, the schemas, the options and each file
 * with the manifest. Null if one differs or a file is missing. Reads no more of
 * a snapshot than its revisions and loads no generator, so it stays fast for
 * thousands of tools.
 */
export async function unchangedProject(
  folder: string,
  { text, name }: SnapshotText,
  options: Provenance["options"],
  directory: string,
  wanted: Pick<Wanted, "hasServer" | "protocolFolder">,
): Promise<Pick<Files, "revisions" | "files"> | null> {
  const manifest = findManifest(folder);
  // The snapshot names its revision and has the same text as when the manifest
  // was written. Since then, that revision or a newer one may have been pinned.
  const [snapshot, ...protocols] = manifest?.sources ?? [];
  if (snapshot === undefined) return null;
  const { revision } = snapshot;
  const names = await projectRevisions({
    ...wanted,
    revision,
    revisions: revisionsInText(text),
  });
  const known = await knownRevisions(directory);
  const revisions =
    names.length === 1
      ? names.map((one) => nearestRevision(one, known))
      : names;
  if (
    protocols.length === 0 ||
    protocols.map((one) => one.revision).join() !== revisions.join()
  )
    return null;
  const schemas = await Promise.all(
    protocols.map((one) => revisionSource(one.revision, directory)),
  );
  const sources = [
    { revision: null, name, sha256: jsonDigestOf(text) },
    ...schemas.map(({ name: file, revision, loaded }) => ({
      revision,
      name: file,
      sha256: loaded.sha256,
    })),
  ];
  const current = upToDate(folder, {
    generator: toolVersion(),
    sources,
    options: { ...options, facts: digestFacts(schemas) },
  });
  return current === null
    ? null
    : { revisions: protocols.map((one) => one.revision), files: current.files };
}
