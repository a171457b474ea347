import { resolve } from "node:path";
import { Diagnostics } from "../../../diagnostics.js";
import { findManifest } from "../../../emit/write.js";
import { revisionFolders } from "../../../generate.js";
import type { ImpactFolder } from "../../../impact/index.js";
import type { Protocol } from "../../../ir/model.js";
import { isDated, latestOf } from "../../../read/revisions.js";
import { readExtended } from "../../../sources/extensions.js";
import type { ProjectPlan } from "../../../update/project.js";
import type { Job } from "../../config/jobs.js";
import type { Context } from "../../context.js";
import { findFormatting } from "../../destination/formatting.js";
import type { GenerateOptions, StubsOptions } from "../../options.js";
import type { Prepared } from "../generate/finish.js";
import { prepare } from "../generate/prepare.js";
import { readTask, type GenerateTask } from "../generate/task.js";
import { prepareStubs } from "../stubs.js";

/** The output of a job with the schemas of an update, in memory. */
export interface ChangedOutput {
  /** The folder, as the configuration names it. */
  readonly out: string;
  /** Its absolute path. */
  readonly folder: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** False if the next run of mcpgen writes it; true if the configuration must name another revision first. */
  readonly isMove: boolean;
  readonly folders: readonly ImpactFolder[];
}

/**
 * Generates the files of a job with the schemas of an update. Null if they stay as they are, or were never generated.
 *
 * @throws SchemaError if a schema or a snapshot of the job cannot be read
 */
export async function changedOutput(
  job: Job,
  plan: ProjectPlan,
  context: Context,
): Promise<ChangedOutput | null> {
  if (job.options === null) return null;
  const folder = resolve(context.directory, job.options.out);
  const manifest = await findManifest(folder);
  if (manifest === null) return null;
  const old = [...manifest.files.keys()];
  if (job.kind === "server") return await changedProject(job.options, folder, old, plan, context);
  const before = await readTask(job.options, context.directory);
  const after = await taskAfter(job.options, before, plan, context);
  if (after === null) return null;
  const protocols = await readExtended(before.sources, before.extensions, new Diagnostics());
  const formatting = await findFormatting(folder);
  const prepared = await prepare(after.task, formatting, context, new Diagnostics());
  return {
    out: job.options.out,
    folder,
    isMove: after.isMove,
    ...revisionsOf(protocols, prepared),
    folders: foldersOf(folder, protocols, prepared, old),
  };
}

/** A job that follows what an update pins, or else a job of one revision that could move to a new one. */
async function taskAfter(
  options: GenerateOptions,
  before: GenerateTask,
  { changed, result }: ProjectPlan,
  { directory }: Context,
): Promise<{ readonly task: GenerateTask; readonly isMove: boolean } | null> {
  const task = await readTask(options, directory, changed);
  if (digestsOf(task) !== digestsOf(before)) return { task, isMove: false };
  const [source, second] = before.sources;
  const own = options.schema === undefined && second === undefined ? (source?.revision ?? null) : null;
  const added = result.revisions
    .filter(({ name, state }) => state === "new" && isDated(name))
    .map(({ name }) => name);
  const version = latestOf(added);
  if (own === null || version === null || version <= own || !isDated(own)) return null;
  return { task: await readTask({ ...options, version }, directory, changed), isMove: true };
}

function digestsOf({ sources, extensions }: GenerateTask): string {
  return [...sources, ...extensions].map(({ loaded, name }) => `${name} ${loaded.sha256}`).join("\n");
}

async function changedProject(
  options: StubsOptions,
  folder: string,
  old: readonly string[],
  { changed }: ProjectPlan,
  context: Context,
): Promise<ChangedOutput | null> {
  const before = await prepareStubs(options, context, new Diagnostics());
  const after = await prepareStubs(options, context, new Diagnostics(), changed.revisions);
  const { protocols } = before;
  const digest = ({ protocols: [protocol] }: Prepared): string | undefined => protocol?.source.sha256;
  if (digest(before) === digest(after)) return null;
  return {
    out: options.out,
    folder,
    isMove: false,
    ...revisionsOf(protocols, after),
    folders: foldersOf(folder, protocols, after, old),
  };
}

const revisionsOf = (before: readonly Protocol[], { protocols }: Prepared) => ({
  from: before.map(({ revision }) => revision),
  to: protocols.map(({ revision }) => revision),
});

/** The folder of each revision that was there before; the rest belongs to the folder around them. */
function foldersOf(
  out: string,
  before: readonly Protocol[],
  { protocols, request }: Prepared,
  old: readonly string[],
): ImpactFolder[] {
  const files = new Map<string, string | null>([
    ...old.map((path) => [path, null] as const),
    ...request.files.map(({ path, text }) => [path, text] as const),
  ]);
  const [oldest, newest] = [revisionFolders(before), revisionFolders(protocols)];
  const folders: ImpactFolder[] = [];
  for (const { protocol, folder } of oldest) {
    const after = newest.find((other) => other.folder === folder);
    if (folder === "" || after === undefined) continue;
    const inside = [...files].filter(([path]) => path.startsWith(`${folder}/`));
    for (const [path] of inside) files.delete(path);
    const own = new Map(inside.map(([path, text]) => [path.slice(folder.length + 1), text]));
    folders.push({ out: `${out}/${folder}`, before: protocol, after: after.protocol, files: own });
  }
  const [from, to] = [oldest[0]?.protocol, newest[0]?.protocol];
  return from === undefined || to === undefined
    ? folders
    : [...folders, { out, before: from, after: to, files }];
}
