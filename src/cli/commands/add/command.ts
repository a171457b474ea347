import { dirname, join, resolve } from "node:path";
import type { ServerJob, ServerSource } from "../../../config.js";
import { Diagnostics } from "../../../generator/diagnostics.js";
import { findManifest } from "../../../generator/emit/write.js";
import { snapshotName } from "../../../generator/inputs/paths.js";
import {
  isSnapshot,
  parseSnapshot,
} from "../../../generator/inputs/snapshots.js";
import { renderText } from "../../../generator/ir/report/render.js";
import { compareSnapshots } from "../../../generator/ir/snapshot/diff/index.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import { jsonDigestOf } from "../../../generator/read/digest.js";
import { memberNamesOf } from "../../../generator/view/project/naming.js";
import type { Command, Context } from "../../command.js";
import { exitCodes, Interruption, usageError } from "../../command-error.js";
import { configNames, findConfig } from "../../config/find.js";
import { loadConfig, type LoadedConfig } from "../../config/load.js";
import { readText } from "../../destination/find.js";
import { runtimePackage } from "../../destination/installed.js";
import { importExtensionFor } from "../../destination/tsconfig.js";
import type { Flags } from "../../flag-values.js";
import { pullSource } from "../../live/snapshot.js";
import { jobsOf, sourceOptions } from "../../options.js";
import { replaceInside } from "../../replace.js";
import { type Report, reportOf } from "../../report.js";
import { stemOf } from "../../snapshot-file.js";
import { namedSource, type Source } from "../../source/find.js";
import { readSnapshotOf } from "../../source/read.js";
import { rejectWorkspace } from "../init/command.js";
import { configText, installStep, literalOf } from "../init/files.js";
import { clientJob } from "../init/jobs.js";
import { watchInCi } from "../init/workflows.js";
import { saidOnceOf } from "../pull/once.js";
import { pullReport } from "../pull/report.js";
import { makeStubs, selectionOf } from "../stubs/command.js";
import { withServer } from "./edit-config.js";
import { programFor } from "./program.js";
import { pathIn, recordable, stemFor } from "./record.js";

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
  const text =
    record === undefined
      ? await fileText(source, context, diagnostics)
      : await pullSource(record, project, diagnostics);
  const name = known?.snapshot ?? (await stemFor(source)) ?? "live";
  const shown = { text, file: name, name, says: "kinds" } as const;
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

/** The text of a file, which may be a result of `tools/list`. */
const fileText = async (
  source: Source,
  context: Context,
  diagnostics: Diagnostics,
): Promise<string> =>
  (await readSnapshotOf(source, "snapshot", {}, context, diagnostics)).text;

/** The entry of a server that the configuration does not have yet. */
async function newJob(
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

/** Rejects the name or the folder of another server. */
function rejectTaken(job: ServerJob, config: LoadedConfig | null): void {
  const other = config?.config.servers?.find(
    ({ snapshot, out }) =>
      snapshot === job.snapshot || (out !== undefined && out === job.out),
  );
  if (other === undefined) return;
  const message = `${other.snapshot} is another server in ${config?.file}`;
  const hint = "choose another name with --name, or another folder with --out";
  throw usageError("MG747", message, hint);
}

/** Rejects flags that the entry of a recorded server already answers. */
function rejectChange(job: ServerJob, flags: Flags, base: string): void {
  const out = flags.text("out");
  const name = flags.text("name");
  const isOther =
    (out !== null && resolve(out) !== resolve(base, job.out ?? "")) ||
    (name !== null && stemOf(name) !== stemOf(job.name ?? ""));
  if (!isOther && !flags.on("save-only")) return;
  const message = `${job.snapshot} is in the configuration, with its name and folder`;
  throw usageError("MG747", message, "change them there");
}

/** What is added: an entry of the configuration, and a snapshot. */
interface Addition {
  readonly job: ServerJob;
  readonly isNew: boolean;
  /** The path of the configuration. */
  readonly file: string;
  readonly text: string;
  readonly snapshot: Snapshot;
}

/**
 * Writes the client, the snapshot and the configuration in this order, each
 * completely or not at all, so that the same command completes what an
 * interrupted one began. All that can fail without the disk comes before.
 */
async function write(
  { job, isNew, file, text, snapshot }: Addition,
  diagnostics: Diagnostics,
  flags: Flags,
  project: Context,
): Promise<Report> {
  const { directory: base } = project;
  const isDry = flags.on("dry-run");
  const path = resolve(base, job.snapshot);
  const before = await readText(path);
  if (before !== null && !isSnapshot(before)) {
    const message = `${job.snapshot} is not a snapshot and would be overwritten`;
    throw usageError("MG802", message, "choose another name with --name");
  }
  const isSame = before !== null && jsonDigestOf(before) === jsonDigestOf(text);
  const changes =
    before === null || isSame
      ? null
      : compareSnapshots(await read(before, job), snapshot, memberNamesOf);
  const config = isNew ? await configWith(job, file) : { text: null, step: "" };
  const mode = isDry ? "dry-run" : "write";
  const [one] = jobsOf(
    { servers: [job] },
    { mode, force: false, clean: false },
  );
  const options = one?.kind === "server" ? one.options : null;
  const name = snapshotName(job.snapshot);
  const from = { text, file: job.snapshot, name };
  const stubs = options && (await makeStubs({ ...options, from }, project));
  if (project.signal.aborted) throw new Interruption();
  if (!isDry && !isSame) await replaceInside(path, base, text);
  if (!isDry && config.text !== null)
    await replaceInside(file, base, config.text);
  const state = isSame ? "unchanged" : isDry ? "stale" : "written";
  const list = diagnostics.list;
  project.report(pullReport(job.snapshot, state, text, snapshot, list));
  if (stubs) project.report(stubs);
  const hasProgram = job.out !== undefined && job.runtime !== "vendored";
  const program = hasProgram ? await pasted(job, from, base) : null;
  const place = pathIn(base, file);
  const advice = [
    config.text === null
      ? ""
      : `${place}: ${isDry ? "would be " : ""}written\n`,
    config.step,
    isDry ? "" : await watchInCi(file),
    installStep(base, [runtimePackage], ["mcpgen"]),
    isDry ? "nothing was written: this was a dry run\n" : "",
    program && `\npaste into a program beside ${place}:\n\n${program}`,
  ].join("");
  const data = {
    snapshot: job.snapshot,
    out: job.out ?? null,
    state,
    changes: changes?.differences ?? [],
    program,
  };
  return {
    ...reportOf(stubs?.exitCode ?? exitCodes.done, data),
    text: (style) =>
      changes === null
        ? ""
        : renderText(changes, "callers", (part, colour) => style[colour](part)),
    advice,
  };
}

/** The snapshot in a text that a job has or gets. */
const read = (text: string, { snapshot }: ServerJob): Promise<Snapshot> =>
  parseSnapshot({ text, file: snapshot, name: "before" }, new Diagnostics());

/**
 * The configuration with a new server, or null and the lines that a person adds
 * to it.
 */
async function configWith(
  job: ServerJob,
  path: string,
): Promise<{ readonly text: string | null; readonly step: string }> {
  const before = await readText(path);
  if (before === null)
    return { text: configText({ servers: [job] }, path), step: "" };
  const text = await withServer(before, path, job);
  if (text !== null) return { text, step: "" };
  const lines = literalOf(job).replace(/^/gm, "  ");
  const name = pathIn(dirname(path), path);
  return { text, step: `add to "servers" in ${name}:\n${lines},\n` };
}

/** The program that calls the new client, beside the configuration. */
async function pasted(
  job: ServerJob,
  { text }: { readonly text: string },
  base: string,
): Promise<string> {
  const folder = resolve(base, job.out ?? "");
  const whole = await read(text, job);
  const { include = {}, exclude = {} } = job;
  const selected = selectionOf(whole, include, exclude, new Diagnostics());
  const extension = job.importExtension ?? (await importExtensionFor(folder));
  const path = pathIn(base, folder);
  return await programFor(selected, job, {
    directory: base,
    folder: path.startsWith(".") ? path : `./${path}`,
    extension: extension === "none" ? "" : `.${extension}`,
    given: findManifest(folder)?.names ?? {},
  });
}
