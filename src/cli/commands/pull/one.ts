import { resolve } from "node:path";
import type { ServerJob, ServerSource } from "../../../config.js";
import { Diagnostics } from "../../../generator/diagnostics.js";
import { isSnapshot, snapshotIn } from "../../../generator/inputs/snapshots.js";
import { jsonDigestOf } from "../../../generator/read/digest.js";
import {
  CommandError,
  exitCodes,
  Interruption,
  usageError,
} from "../../command-error.js";
import type { Context } from "../../command.js";
import { readText } from "../../destination/find.js";
import { pullSource } from "../../live/snapshot.js";
import type { PullOptions } from "../../options.js";
import { replaceInside, replaceMissing } from "../../replace.js";
import type { Report } from "../../report.js";
import { saidOnceOf } from "./once.js";
import { pullReport, type SnapshotState } from "./report.js";
import { targetOf } from "../../snapshot-file.js";

/** One snapshot to take. */
export interface PullJob {
  readonly source: ServerSource;
  /** The folder in which a command starts. */
  readonly directory: string;
  /**
   * The file, or a folder for it, relative to `base`; null for a file in that
   * folder.
   */
  readonly out: string | null;
  readonly base: string;
  /** True if a person named `out`; otherwise it is in a file of the project. */
  readonly isNamed: boolean;
  /**
   * The name of a file that `out` does not name; null for the name that the
   * server gives itself.
   */
  readonly name: string | null;
  /** The entry of the configuration, if it has one. */
  readonly job?: Partial<ServerJob> | undefined;
}

/** A snapshot that was taken. */
export interface Pulled {
  /** The path of its file. */
  readonly out: string;
  /** Null if it could not be taken. */
  readonly state: SnapshotState | null;
  readonly report: Report;
}

/**
 * Takes a snapshot of one server and writes it, or compares it with the file.
 */
export async function pullOne(
  { source, directory, out, base, isNamed, name, job = {} }: PullJob,
  { check, force }: PullOptions,
  context: Context,
): Promise<Pulled> {
  const diagnostics = new Diagnostics();
  const text = await pullSource(source, { ...context, directory }, diagnostics);
  const target = await targetOf(out, base, name ?? nameIn(text));
  const { shown: file } = target;
  const snapshot = await snapshotIn(
    { text, file, name: file, says: "kinds" },
    diagnostics,
  );
  // A snapshot that cannot be read again is useless.
  if (snapshot === null)
    throw new CommandError(diagnostics.list, exitCodes.unreachable);
  for (const row of saidOnceOf(snapshot, job, directory)) diagnostics.add(row);
  const current = await readText(target.path);
  const isSame =
    current !== null && jsonDigestOf(current) === jsonDigestOf(text);
  const state = isSame ? "unchanged" : check ? "stale" : "written";
  if (context.signal.aborted) throw new Interruption();
  if (state === "written") {
    if (current !== null && !force && !isSnapshot(current)) {
      const message = `${file} is not a snapshot and would be overwritten`;
      throw usageError("MG802", message, "choose another -o, or use --force");
    }
    const write =
      isNamed && target.shown === out ? replaceNamed : replaceInside;
    await write(target.path, resolve(base), text);
  }
  return {
    out: file,
    state,
    report: pullReport(file, state, text, snapshot, diagnostics.list),
  };
}

/** Writes a file that a person named, through links too. */
const replaceNamed = async (
  path: string,
  _folder: string,
  text: string,
): Promise<void> => void (await replaceMissing(path, text, true));

/** The server's own name, for the name of a file. */
function nameIn(text: string): string {
  const { server } = JSON.parse(text) as {
    readonly server: { readonly name?: unknown };
  };
  return typeof server.name === "string" ? server.name : "";
}
