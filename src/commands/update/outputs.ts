import { resolve } from "node:path";
import { Diagnostics } from "../../generator/diagnostics.js";
import {
  findManifest,
  type Manifest,
  type ManifestSource,
  planFiles,
} from "../../generator/emit/write.js";
import { revisionFolders } from "../../generator/generate.js";
import type { ImpactFolder } from "./impact/index.js";
import type { Protocol } from "../../generator/ir/model.js";
import { diff } from "../../generator/ir/diff/index.js";
import { revisionNames } from "../../generator/read/load.js";
import {
  isDated,
  latestOf,
  nearestRevision,
} from "../../generator/read/revisions.js";
import {
  bundledExtension,
  type ExtensionSource,
  namedExtensions,
  readExtended,
} from "../../generator/inputs/extensions.js";
import type { Lock } from "../../generator/inputs/lock.js";
import {
  knownRevisions,
  pinnedSource,
  revisionSource,
  type Source,
  sourceWith,
} from "../../generator/inputs/schemas.js";
import { withFactsAt } from "../../generator/inputs/load.js";
import { shownPath } from "../../generator/inputs/paths.js";
import type { ProjectPlan } from "./project.js";
import { replacedSchemas } from "./cache.js";
import type { GenerateOptions, Job, StubsOptions } from "../../cli/options.js";
import type { Context } from "../../cli/command.js";
import { wordsIn } from "../../cli/flag-values.js";
import type { Prepared } from "../../cli/commands/generate/write.js";
import {
  digestExtensions,
  readTask,
  type GenerateTask,
} from "../../cli/commands/generate/task.js";
import { prepareStubs } from "../../cli/commands/stubs/command.js";

/** The output of a job with the schemas of an update, in memory. */
export interface ChangedOutput {
  /** The folder, as the configuration names it. */
  readonly out: string;
  /** Its absolute path. */
  readonly folder: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  /**
   * False if the next run of mcpgen writes it; true if the configuration must
   * name another revision first.
   */
  readonly isMove: boolean;
  readonly folders: readonly ImpactFolder[];
}

/**
 * Generates the files of a job with the schemas that are pinned after an
 * update. Null if their schemas have the meaning of those that the manifest
 * names, or if nothing was generated yet.
 *
 * @throws SchemaError if a schema or a snapshot of the job cannot be read
 */
export async function changedOutput(
  job: Job,
  plan: ProjectPlan,
  context: Context,
  diagnostics: Diagnostics,
): Promise<ChangedOutput | null> {
  if (job.options === null) return null;
  const { out } = job.options;
  const folder = resolve(context.directory, out);
  const manifest = findManifest(folder);
  if (manifest === null) return null;
  const next =
    job.kind === "server"
      ? await nextProject(job.options, manifest, plan, context)
      : await nextRevisions(job.options, manifest, plan, context);
  if (next === null) return null;
  const { made, extensions, isMove, prepared } = next;
  const { protocols } = prepared;
  const found = made.flatMap(({ source }) => source ?? []);
  const isComplete = found.length === made.length && extensions !== null;
  const read = await readExtended(
    found,
    isComplete ? extensions : [],
    new Diagnostics(),
  );
  if (isComplete && isSame(read, protocols)) return null;
  if (!isComplete) {
    const message = `a schema that ${out} was generated from is no longer here, so only lines that do not compile are listed`;
    const hint =
      "for the whole list, restore the schemas from version control and run mcpgen update again";
    diagnostics.root.note("MG761", null, message, hint);
  }
  // Without its schema, a revision counts as unchanged: the files on the disk
  // still show which lines do not compile.
  const before = isComplete
    ? read
    : made.map(({ revision }) => ({
        ...(protocols.find((other) => other.revision === revision) ??
          (protocols.at(-1) as Protocol)),
        revision,
      }));
  return {
    out,
    folder,
    isMove,
    from: made.map(({ revision }) => revision),
    to: protocols.map(({ revision }) => revision),
    folders: await foldersOf(folder, before, prepared),
  };
}

/** What a job would generate, and from what it was generated. */
interface Next {
  /** A null source or extension is no longer here. */
  readonly made: readonly {
    readonly revision: string;
    readonly source: Source | null;
  }[];
  readonly extensions: readonly ExtensionSource[] | null;
  readonly isMove: boolean;
  readonly prepared: Prepared;
}

/**
 * A job that follows what is pinned, or else a job of one revision that could
 * move to a new one.
 */
async function nextRevisions(
  options: GenerateOptions,
  manifest: Manifest,
  { pinned, lock }: ProjectPlan,
  context: Context,
): Promise<Next | null> {
  const { directory } = context;
  let task = await readTask(options, directory, pinned);
  const { sources } = task;
  // An update does not change the schema at a path: it is the user's.
  const isPath = options.schema !== undefined;
  const isCurrent =
    (isPath ||
      manifest.sources.map(({ sha256 }) => sha256).join() ===
        digestsOf(sources)) &&
    isExtendedBy(task.extensions, manifest);
  if (isCurrent) {
    const version = isPath ? null : await moveOf(sources, lock);
    if (version === null) return null;
    task = await readTask({ ...options, version }, directory, pinned);
  }
  const made = [];
  for (const [index, one] of manifest.sources.entries()) {
    const own = isPath
      ? sources[index]
      : sources.find(({ loaded }) => loaded.sha256 === one.sha256);
    made.push({
      revision: one.revision,
      source: own ?? (await madeFrom(one, directory)),
    });
  }
  const extensions = await extensionsOf(manifest, task, options, directory);
  const { prepare } = await import("../../cli/commands/generate/prepare.js");
  const prepared = await prepare(task, context, new Diagnostics());
  return { made, extensions, isMove: isCurrent, prepared };
}

const digestsOf = (sources: readonly Source[]): string =>
  sources.map(({ loaded }) => loaded.sha256).join();

/**
 * The newest pinned revision that is not bundled, if it is newer than the only
 * revision of an output.
 */
async function moveOf(
  [source, second]: readonly Source[],
  { revisions }: Lock,
): Promise<string | null> {
  const own = second === undefined ? (source?.revision ?? null) : null;
  if (own === null || !isDated(own)) return null;
  const bundled = await revisionNames();
  const version = latestOf(
    [...revisions.keys()].filter(
      (name) => isDated(name) && !bundled.includes(name),
    ),
  );
  return version !== null && version > own ? version : null;
}

/**
 * The schema that an output was generated from: one that is pinned, bundled, or
 * was replaced by an update.
 */
async function madeFrom(
  { revision, name, sha256 }: ManifestSource,
  directory: string,
): Promise<Source | null> {
  const known = await sourceWith(sha256, directory);
  if (known !== null) return known;
  const loaded = (await replacedSchemas(directory)).find(
    (schema) => schema.sha256 === sha256,
  );
  if (loaded === undefined) return null;
  return pinnedSource(
    revision,
    name,
    await withFactsAt(loaded, shownPath(name, directory)),
  );
}

/**
 * The extensions that an output was generated with: those that it will have,
 * those in use now, bundled ones, or replaced ones.
 */
async function extensionsOf(
  manifest: Manifest,
  task: GenerateTask,
  { extension = [] }: GenerateOptions,
  directory: string,
): Promise<readonly ExtensionSource[] | null> {
  if (isExtendedBy(task.extensions, manifest)) return task.extensions;
  const words = wordsIn(extension);
  const current = await namedExtensions(words, directory);
  if (isExtendedBy(current, manifest)) return current;
  const bundled = await Promise.all(
    words.map(
      async (word, index) => (await bundledExtension(word)) ?? current[index],
    ),
  );
  const replaced = await replacedSchemas(directory);
  const sets = [
    bundled.flatMap((source) => source ?? []),
    ...current.flatMap((source, index) =>
      replaced.map((loaded) => [
        ...current.slice(0, index),
        { ...source, loaded, bundledAs: null },
        ...current.slice(index + 1),
      ]),
    ),
  ];
  return sets.find((set) => isExtendedBy(set, manifest)) ?? null;
}

const isExtendedBy = (
  extensions: readonly ExtensionSource[],
  { options }: Manifest,
): boolean => digestExtensions(extensions) === (options.extensions ?? null);

async function nextProject(
  options: StubsOptions,
  { sources: [snapshot, ...protocols] }: Manifest,
  { pinned: { revisions } }: ProjectPlan,
  context: Context,
): Promise<Next | null> {
  const { directory } = context;
  if (snapshot === undefined || protocols.length === 0) return null;
  const known = await knownRevisions(directory, revisions);
  const [, second] = protocols;
  const names =
    second === undefined
      ? [nearestRevision(snapshot.revision, known)]
      : protocols.map(({ revision }) => revision);
  const next = await Promise.all(
    names.map((name) =>
      name !== null && known.includes(name)
        ? revisionSource(name, directory, revisions)
        : null,
    ),
  );
  if (next.every((source, i) => source?.loaded.sha256 === protocols[i]?.sha256))
    return null;
  const made = await Promise.all(
    protocols.map(async (protocol) => ({
      revision: protocol.revision,
      source: await madeFrom(protocol, directory),
    })),
  );
  const prepared = await prepareStubs(
    options,
    context,
    new Diagnostics(),
    revisions,
  );
  return { made, extensions: [], isMove: false, prepared };
}

/** True if only comments differ. */
function isSame(
  before: readonly Protocol[],
  after: readonly Protocol[],
): boolean {
  return (
    before.length === after.length &&
    before.every((protocol, index) => {
      const other = after[index];
      return (
        other?.revision === protocol.revision &&
        diff(protocol, other).differences.length === 0
      );
    })
  );
}

/**
 * The folder of each revision that was there before, as `--clean` leaves it;
 * the rest belongs to the folder around them.
 */
async function foldersOf(
  out: string,
  before: readonly Protocol[],
  { protocols, request }: Prepared,
): Promise<ImpactFolder[]> {
  const plan = await planFiles({ ...request, force: true });
  const removed = [
    ...plan.removed,
    ...plan.leftovers.filter(({ state }) => state !== "edited"),
  ];
  const files = new Map<string, string | null>([
    ...removed.map(({ path }) => [path, null] as const),
    ...request.files.map(({ path, text }) => [path, text] as const),
  ]);
  const [oldest, newest] = [
    revisionFolders(before),
    revisionFolders(protocols),
  ];
  const folders: ImpactFolder[] = [];
  for (const { protocol, folder } of oldest) {
    const after = newest.find((other) => other.folder === folder);
    if (folder === "" || after === undefined) continue;
    const inside = [...files].filter(([path]) => path.startsWith(`${folder}/`));
    for (const [path] of inside) files.delete(path);
    const own = new Map(
      inside.map(([path, text]) => [path.slice(folder.length + 1), text]),
    );
    folders.push({
      out: `${out}/${folder}`,
      before: protocol,
      after: after.protocol,
      files: own,
    });
  }
  const [from, to] = [oldest[0]?.protocol, newest[0]?.protocol];
  return from === undefined || to === undefined
    ? folders
    : [...folders, { out, before: from, after: to, files }];
}
