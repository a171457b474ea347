import { basename, relative, resolve } from "node:path";
import type { ServerJob, ServerSource } from "../../../config.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import { readText } from "../../destination/find.js";
import { usageError } from "../../command-error.js";
import { isYaml } from "../../config/find.js";
import type { LoadedConfig } from "../../config/load.js";
import type { Flags } from "../../flag-values.js";
import { findNamed } from "../../live/entry.js";
import { moduleParts } from "../../live/server.js";
import { nameFor, stemIn, stemOf } from "../../snapshot-file.js";
import type { Source } from "../../source/find.js";
import { literalOf } from "../init/files.js";
import { clientJob } from "../init/jobs.js";

/** The path of a file as a configuration in a folder has it. */
export const pathIn = (base: string, ...path: readonly string[]): string =>
  relative(base, resolve(...path)).replaceAll("\\", "/");

/** The name of a new server in files; null if only the server knows one. */
export async function stemFor(source: Source): Promise<string | null> {
  const { kind, text, directory, parts } = source;
  switch (kind) {
    case "url":
    case "command":
      return nameFor(text, kind === "url");
    case "module":
      return nameFor(moduleParts(text).file, false);
    case "entry": {
      const { name } = await findNamed(text, directory);
      return stemOf(name);
    }
    default:
      return stemOf(stemIn(parts.snapshot ?? text));
  }
}

/** The entry of a server that the configuration does not have yet. */
export async function newJob(
  source: Source,
  record: ServerSource | undefined,
  snapshot: Snapshot,
  text: string,
  flags: Flags,
  base: string,
): Promise<ServerJob> {
  const { directory, parts } = source;
  const named = flags.text("name") ?? (await stemFor(source));
  const stem = stemOf(named ?? snapshot.name);
  const client = clientJob(stem, record ?? {});
  const path = resolve(directory, parts.snapshot ?? client.snapshot);
  // A result of tools/list is no snapshot: the text of one is written.
  const isKept = (await readText(path)) === text;
  const file = isKept ? pathIn(base, path) : client.snapshot;
  const { source: recorded, out: folder, emit, ...rest } = client;
  const given = flags.text("out");
  const out = given === null ? folder : pathIn(base, directory, given);
  return {
    ...rest,
    snapshot: file,
    ...(record && { source: recorded }),
    ...(!flags.on("save-only") && { out, emit }),
  } as ServerJob;
}

/** The lines that a person adds to the configuration. */
export async function linesFor(job: ServerJob, path: string): Promise<string> {
  const text = isYaml(path)
    ? (await import("../../config/yaml.js")).yamlOf([job])
    : `${literalOf(job)},\n`;
  const lines = text.replace(/^(?=.)/gm, "  ");
  return `add to "servers" in ${basename(path)}:\n${lines}`;
}

/** Rejects the name or the folder of another server. */
export function rejectTaken(job: ServerJob, config: LoadedConfig | null): void {
  const { servers = [] } = config?.config ?? {};
  const isTaken = ({ snapshot, out }: ServerJob): boolean =>
    snapshot === job.snapshot || (out !== undefined && out === job.out);
  const other = servers.find(isTaken);
  if (other === undefined) return;
  const file = config?.file;
  if (other.source === undefined && job.source !== undefined) {
    const source = JSON.stringify(job.source);
    throw usageError(
      "MG747",
      `${other.snapshot} is a server without a source in ${file}`,
      `if it is this one, add to its entry: "source": ${source}`,
    );
  }
  const message = `${other.snapshot} is another server in ${file}`;
  const hint = "choose another name with --name, or another folder with --out";
  throw usageError("MG747", message, hint);
}
