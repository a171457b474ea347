import type { Diagnostics } from "../../../generator/diagnostics.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import { suggestion } from "../../../generator/read/nearest.js";
import { revisionNames } from "../../../generator/read/load.js";
import { clientRevision } from "../../../generator/read/revisions.js";
import {
  knownRevisions,
  type Replacements,
  revisionSource,
  type Source,
} from "../../../generator/inputs/schemas.js";
import { CommandError } from "../../command-error.js";
import type { ProtocolFolder } from "./protocol-folder.js";

/** What decides which revisions a project has. */
export interface Wanted extends Pick<Snapshot, "revision" | "revisions"> {
  readonly hasServer: boolean;
  /** The folder of `--protocol`. */
  readonly protocolFolder: ProtocolFolder | null;
}

/**
 * The revisions of a project, the newest first. One, unless it has the server
 * of a file that a person wrote: that one has those that the file names, or
 * else all of the folder of `--protocol`, or all bundled ones.
 */
export async function projectRevisions({
  revision,
  revisions,
  hasServer,
  protocolFolder,
}: Wanted): Promise<string[]> {
  if (revisions === null || !hasServer) return [revision];
  if (revisions !== "all") return [...revisions];
  return [...(protocolFolder?.revisions ?? (await revisionNames()))]
    .sort()
    .reverse();
}

/**
 * The schema of each revision. If the only one is neither pinned nor bundled,
 * that of the newest revision is used.
 *
 * @throws CommandError if one of several is not known
 */
export async function projectSources(
  names: readonly string[],
  directory: string,
  diagnostics: Diagnostics,
  replacements?: Replacements,
): Promise<Source[]> {
  const known = await knownRevisions(directory, replacements);
  const [first = "", ...others] = names;
  if (others.length > 0) {
    for (const name of names.filter((name) => !known.includes(name))) {
      const hint =
        suggestion(name, known) ??
        `the known revisions are ${known.join(", ")}`;
      const message = `"revisions" has ${JSON.stringify(name.slice(0, 40))}, which is not a known revision`;
      diagnostics.root.error("MG704", null, message, hint);
    }
    if (diagnostics.hasErrors) throw new CommandError(diagnostics.list);
    return await Promise.all(
      names.map((name) => revisionSource(name, directory, replacements)),
    );
  }
  const name = clientRevision(first, known, diagnostics.root);
  return [await revisionSource(name, directory, replacements)];
}
