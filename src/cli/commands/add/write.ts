import { join, resolve } from "node:path";
import type { ServerJob } from "../../../config.js";
import { Diagnostics } from "../../../generator/diagnostics.js";
import { findManifest } from "../../../generator/emit/write.js";
import { importFrom, snapshotName } from "../../../generator/inputs/paths.js";
import {
  isSnapshot,
  parseSnapshot,
} from "../../../generator/inputs/snapshots.js";
import { renderText } from "../../../generator/ir/report/render.js";
import { compareSnapshots } from "../../../generator/ir/snapshot/diff/index.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import { jsonDigestOf } from "../../../generator/read/digest.js";
import { memberNamesOf } from "../../../generator/view/project/naming.js";
import type { Context } from "../../command.js";
import { exitCodes, Interruption, usageError } from "../../command-error.js";
import { exists, findUp, readText } from "../../destination/find.js";
import { runtimePackage } from "../../destination/installed.js";
import { isModule } from "../../destination/package-type.js";
import { importExtensionFor } from "../../destination/tsconfig.js";
import type { Flags } from "../../flag-values.js";
import { jobsOf } from "../../options.js";
import { replaceInside } from "../../replace.js";
import { briefly, type Report, reportOf } from "../../report.js";
import { stemOf } from "../../snapshot-file.js";
import { addFile, configText, filledFile, installStep } from "../init/files.js";
import { runnerFor } from "../init/runner.js";
import { watchInCi } from "../init/workflows.js";
import { pullReport } from "../pull/report.js";
import { makeStubs, selectionOf } from "../stubs/command.js";
import { withServer } from "./edit-config.js";
import { programFor } from "./program.js";
import { linesFor, pathIn } from "./record.js";

/** What is added: an entry of the configuration, and a snapshot. */
export interface Addition {
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
export async function write(
  addition: Addition,
  diagnostics: Diagnostics,
  flags: Flags,
  project: Context,
): Promise<Report> {
  const { job, isNew, file, text, snapshot } = addition;
  const { directory: base } = project;
  const isDry = flags.on("dry-run");
  const path = resolve(base, job.snapshot);
  const { isSame, changes } = await changesIn(path, addition);
  const config = isNew ? await configWith(job, file) : null;
  const client = await clientOf(addition, isDry, project);
  if (project.signal.aborted) throw new Interruption();
  if (!isDry && !isSame) await replaceInside(path, base, text);
  if (!isDry && config !== null) await replaceInside(file, base, config);
  const state = isSame ? "unchanged" : isDry ? "stale" : "written";
  const list = diagnostics.list;
  project.report(pullReport(job.snapshot, state, text, snapshot, list));
  if (client.stubs) project.report(client.stubs);
  const { program, steps } = await stepsFor(addition, client, base);
  const files = [
    ...(config === null ? [] : [pathIn(base, file)]),
    ...(client.needsCompiler ? ["tsconfig.json"] : []),
  ];
  const advice = [
    ...files.map((name) => `${name}: ${isDry ? "would be " : ""}written\n`),
    isNew && config === null ? await linesFor(job, file) : "",
    isDry ? "" : await watchInCi(file, job.source),
    isDry ? "nothing was written: this was a dry run\n" : "",
    steps,
  ].join("");
  const out = job.out ?? null;
  const differences = changes?.differences ?? [];
  const data = {
    snapshot: job.snapshot,
    out,
    state,
    changes: differences,
  };
  return {
    ...reportOf(client.stubs?.exitCode ?? exitCodes.done, { ...data, program }),
    text: (style) =>
      changes === null
        ? ""
        : renderText(changes, "callers", (part, colour) => style[colour](part)),
    advice,
  };
}

/** How a snapshot differs from the one that its file has. */
async function changesIn(path: string, { job, text, snapshot }: Addition) {
  const before = await readText(path);
  if (before !== null && !isSnapshot(before)) {
    const message = `${job.snapshot} is not a snapshot and would be overwritten`;
    throw usageError("MG802", message, "choose another name with --name");
  }
  const isSame = before !== null && jsonDigestOf(before) === jsonDigestOf(text);
  if (before === null || isSame) return { isSame, changes: null };
  const shown = {
    text: before,
    file: job.snapshot,
    name: "before",
  };
  const old = await parseSnapshot(shown, new Diagnostics());
  return { isSame, changes: compareSnapshots(old, snapshot, memberNamesOf) };
}

/**
 * Generates the client. The first one of a project that has no `tsconfig.json`
 * writes one, with which programs run as they are.
 */
async function clientOf(
  { job, file, text }: Addition,
  isDry: boolean,
  project: Context,
) {
  const { directory: base } = project;
  const mode = isDry ? "dry-run" : "write";
  const all = { servers: [job] };
  const [one] = jobsOf(all, { mode, force: false, clean: false });
  const folder = resolve(base, job.out ?? "");
  if (one?.kind !== "server" || one.options === null)
    return { stubs: null, needsCompiler: false, extension: "js" } as const;
  const needsCompiler =
    !(await exists(file)) && (await findUp(folder, "tsconfig.json")) === null;
  const extension =
    job.importExtension ??
    (needsCompiler ? "ts" : await importExtensionFor(folder));
  const name = snapshotName(job.snapshot);
  const from = { text, file: job.snapshot, name };
  const options = { ...one.options, from, importExtension: extension };
  const made = await makeStubs(options, project);
  if (needsCompiler && !isDry)
    await addFile(base, "tsconfig.json", await filledFile("compiler.json", {}));
  // The next steps say that it must be a package of ES modules.
  const said = needsCompiler ? ["MG713"] : [];
  const isBrief = !isDry && made.exitCode === exitCodes.done;
  const stubs = isBrief ? briefly(made, said) : made;
  return { stubs, needsCompiler, extension };
}

/** The configuration with a new server; null if a person must add it. */
async function configWith(
  job: ServerJob,
  path: string,
): Promise<string | null> {
  const before = await readText(path);
  return before === null
    ? await configText({ servers: [job] }, path)
    : await withServer(before, path, job);
}

/**
 * A program that calls the new client, beside the configuration, and what to do
 * before it runs and to run it.
 */
async function stepsFor(
  { job, file: config, snapshot }: Addition,
  { needsCompiler, extension }: Awaited<ReturnType<typeof clientOf>>,
  base: string,
) {
  const manifest = await findUp(base, "package.json");
  const isOfModules = isModule(manifest?.text ?? "{}");
  // What a package of CommonJS has stays: its compiler, and its type.
  const ending = isOfModules || needsCompiler ? "ts" : "mts";
  const { runtime, start } = await runnerFor(ending === "ts" ? extension : "");
  const isCalled = job.out !== undefined && job.runtime !== "vendored";
  const development = ["mcpgen"];
  if (needsCompiler) development.push("typescript", "@types/node");
  if (isCalled && runtime === "tsx") development.push("tsx");
  const install = installStep(base, [runtimePackage], development);
  if (!isCalled) return { program: null, steps: install };
  const program = await programOf(job, snapshot, extension, base);
  const before = await readText(join(base, `call.${ending}`));
  const isTaken = before !== null && before !== program;
  const file = `call${isTaken ? `-${stemOf(job.name ?? "")}` : ""}.${ending}`;
  const steps = [
    install,
    isOfModules || !needsCompiler
      ? ""
      : "make its modules ES modules:   npm pkg set type=module\n",
    `\nsave as ${file}, beside ${pathIn(base, config)}:\n\n${program}`,
    `\nrun it: ${runtime === "tsx" ? "npx " : ""}${start} ${file}\n`,
  ];
  return { program, steps: steps.join("") };
}

async function programOf(
  job: ServerJob,
  snapshot: Snapshot,
  extension: "js" | "ts" | "none",
  base: string,
): Promise<string> {
  const folder = resolve(base, job.out ?? "");
  const { include = {}, exclude = {} } = job;
  const selected = selectionOf(snapshot, include, exclude, new Diagnostics());
  return await programFor(selected, job, {
    directory: base,
    folder: importFrom(base, folder),
    extension: extension === "none" ? "" : `.${extension}`,
    given: findManifest(folder)?.names ?? {},
  });
}
