import { join, resolve } from "node:path";
import type { ServerJob, ServerSource } from "../../../config.js";
import { Diagnostics } from "../../../generator/diagnostics.js";
import { parseSnapshot } from "../../../generator/inputs/snapshots.js";
import { usageError } from "../../command-error.js";
import type { Command } from "../../command.js";
import { configNames, findConfig } from "../../config/find.js";
import { loadConfig } from "../../config/load.js";
import type { Flags } from "../../flag-values.js";
import { addressOf } from "../../live/find-address.js";
import { secretsOf } from "../../live/secrets.js";
import { pullSource } from "../../live/snapshot.js";
import { sourceOptions } from "../../options.js";
import { stemOf } from "../../snapshot-file.js";
import { isAddress, namedSource, type Source } from "../../source/find.js";
import { readSnapshotOf } from "../../source/read.js";
import { rejectWorkspace } from "../init/command.js";
import { saidOnceOf } from "../pull/once.js";
import { newJob, pathIn, rejectTaken, stemFor } from "./record.js";
import { write } from "./write.js";

export const run: Command = async ([word], flags, context) => {
  const { directory } = context;
  const given = sourceOptions(flags);
  const path = await findConfig(null, directory);
  const config = path === null ? null : await loadConfig(path);
  if (config === null) await rejectWorkspace(directory);
  const source = await namedSource("record", word, given, directory, config);
  const base = config?.directory ?? directory;
  const project = { ...context, directory: base };
  const known = source.parts.job;
  const record = known
    ? known.source && { ...known.source, ...given }
    : await recordable(source, given, base);
  const diagnostics = new Diagnostics();
  const { text } =
    record === undefined
      ? await readSnapshotOf(source, "snapshot", {}, context, diagnostics)
      : { text: await pullSource(record, project, diagnostics) };
  const name = known?.snapshot ?? (await stemFor(source)) ?? "live";
  const shown = {
    text,
    file: name,
    name,
    says: "kinds",
  } as const;
  const snapshot = await parseSnapshot(shown, diagnostics);
  const isNew = known === undefined;
  const job =
    known ?? (await newJob(source, record, snapshot, text, flags, base));
  if (isNew) rejectTaken(job, config);
  else rejectChange(job, flags, base);
  for (const row of saidOnceOf(snapshot, job, base)) {
    diagnostics.add(row);
  }
  const file = path ?? join(base, configNames[0]);
  const addition = { job, isNew, file, text, snapshot };
  return await write(addition, diagnostics, flags, project);
};

/** Rejects flags that the entry of a recorded server already answers. */
function rejectChange(job: ServerJob, flags: Flags, base: string): void {
  const { name = "", out = "" } = job;
  const folder = resolve(base, out);
  const place = flags.text("out") ?? folder;
  const isMoved = resolve(place) !== folder;
  const given = flags.text("name") ?? name;
  const isRenamed = stemOf(given) !== stemOf(name);
  const isReduced = flags.on("save-only");
  if (!isMoved && !isRenamed && !isReduced) return;
  const message = `${job.snapshot} is in the configuration, with its name and folder`;
  throw usageError("MG747", message, "change them there");
}

/**
 * A server as the configuration in a folder records it, with the flags that say
 * how to connect. Throws if it would contain a secret, because a configuration
 * is committed.
 */
async function recordable(
  source: Source,
  flags: ServerSource,
  base: string,
): Promise<ServerSource | undefined> {
  const { parts, directory } = source;
  if (parts.server === undefined) return undefined;
  if (directory !== base && source.kind !== "url")
    throw usageError(
      "MG705",
      "commands and paths of the configuration start in its own folder",
      `run mcpgen add in ${pathIn(directory, base)}`,
    );
  const server = { ...flags, ...parts.server };
  const what = await secretIn(source, server);
  if (what === null) return server;
  const message = `${what} may be secret, and the configuration is committed`;
  const hint =
    "describe the server in .mcp.json, with ${NAME} in place of the value, and run mcpgen add with the name of that entry";
  throw usageError("MG765", message, hint);
}

/** What is secret in the text of a server; null for nothing. */
async function secretIn(
  source: Source,
  server: ServerSource,
): Promise<string | null> {
  const [header] = server.header ?? [];
  if (header !== undefined) return `the header ${header.split(":", 1)[0]}`;
  // The entry of a client's file is recorded by its name.
  if (!isAddress(source)) return null;
  const address = await addressOf(server, source.directory);
  // The values of variables are not recorded, only their names.
  const written = { ...address, env: {}, expanded: [] };
  const secrets = secretsOf(written);
  return secrets.find(({ isCertain }) => isCertain)?.what ?? null;
}
