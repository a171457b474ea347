import { basename, resolve } from "node:path";
import type { Command, Context, Findings } from "../../cli/command.js";
import { CommandError, usageError } from "../../cli/command-error.js";
import { stalenessOf } from "../../cli/commands/check/staleness.js";
import { attempt } from "../../cli/commands/configured.js";
import { manifestSource } from "../../cli/commands/generate/task.js";
import { writeOrCompare } from "../../cli/commands/generate/write.js";
import { configFor, type LoadedConfig } from "../../cli/config/load.js";
import { importExtensionFor } from "../../cli/destination/tsconfig.js";
import { outIn, writeOptions } from "../../cli/options.js";
import { stemIn } from "../../cli/snapshot-file.js";
import {
  isAddress,
  namedSources,
  noServer,
  type Source,
} from "../../cli/source/find.js";
import { asSnapshot, readSnapshotOf } from "../../cli/source/read.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import { extensionOf } from "../../generator/emit/support.js";
import { toolVersion } from "../../generator/inputs/package.js";
import {
  loadSnapshot,
  snapshotIn,
  type SnapshotText,
} from "../../generator/inputs/snapshots.js";
import { builtInTemplates } from "../../generator/inputs/templates.js";
import { importPath } from "../../generator/view/typescript/code.js";
import { type CodeServer, codeFiles } from "./files.js";

/** Writes the files of code mode, or compares them with the existing ones. */
export const run: Command = async (words, flags, context) => {
  const code =
    words.length === 0
      ? await configured(context)
      : { servers: words, out: undefined, directory: context.directory };
  const options = {
    out: flags.text("out") ?? code.out ?? outIn(flags),
    ...writeOptions(flags),
  };
  const diagnostics = new Diagnostics();
  context.status("reading the snapshots");
  const read = (source: Source): Promise<SnapshotText> =>
    readSnapshotOf(source, "snapshot", {}, context, diagnostics);
  const request = await requestFor(
    { ...code, out: options.out },
    read,
    diagnostics,
  );
  const { force, clean } = options;
  context.status("generating");
  return await writeOrCompare(
    options,
    { ...request, force, clean, signal: context.signal },
    [...new Set(request.revisions)],
    diagnostics,
    context,
  );
};

/** What the nearest configuration says of code mode. */
async function configured({ directory }: Context) {
  const loaded = await configFor(null, directory);
  if (loaded === null) throw noServer();
  const { code } = loaded.config;
  if (code !== undefined) return { ...code, directory: loaded.directory };
  throw usageError(
    "MG745",
    `${loaded.file} has no member "code"`,
    'add code: { servers: ["a name"], out: "src/agent" }, or name the servers: mcpgen code <source…> --out <dir>',
  );
}

/** What is different in the files that the configuration asks for. */
export async function check(loaded: LoadedConfig): Promise<Findings> {
  const { code } = loaded.config;
  const { directory } = loaded;
  const diagnostics = new Diagnostics();
  if (code === undefined) return { rows: [] };
  const checked = await attempt("code", async () => {
    const own = new Diagnostics();
    const read = async ({ parts, directory: folder }: Source) =>
      await asSnapshot(await loadSnapshot(parts.snapshot ?? "", folder, own));
    const settings = { ...code, directory, config: loaded };
    const request = await requestFor(settings, read, own);
    const stale = await stalenessOf(
      { ...request, force: false, clean: false },
      own,
    );
    for (const { path, state } of stale.files)
      diagnostics.root.warn(
        "MG965",
        null,
        `${code.out}/${path}: the file is ${state}, so it is not what the snapshots of its servers give`,
        "run mcpgen code",
      );
  });
  if (!checked.ended)
    for (const error of checked.diagnostics) diagnostics.add(error);
  return { rows: diagnostics.list };
}

interface Settings {
  readonly servers: readonly string[];
  readonly out: string;
  readonly directory: string;
  readonly config?: LoadedConfig;
}

/** What is written of some servers. */
async function requestFor(
  { servers: names, directory, config, ...settings }: Settings,
  read: (source: Source) => Promise<SnapshotText>,
  diagnostics: Diagnostics,
) {
  const out = resolve(directory, settings.out);
  const sources = await namedSources("snapshot", names, {}, directory, config);
  const servers = await readServers(sources, read, diagnostics);
  const importExtension = await importExtensionFor(out);
  const files = codeFiles(
    servers,
    await builtInTemplates(),
    importPath(extensionOf(importExtension)),
  );
  const snapshots = servers.map(({ snapshot }) => snapshot);
  const options = {
    emit: ["code"],
    runtime: "package",
    importExtension,
    templates: null,
  } as const;
  return {
    out,
    files,
    revisions: snapshots.map(({ revision }) => revision),
    provenance: {
      generator: toolVersion(),
      sources: snapshots.map(manifestSource),
      options,
    },
  };
}

/** The servers of the sources. All are read before errors are thrown. */
async function readServers(
  sources: readonly Source[],
  read: (source: Source) => Promise<SnapshotText>,
  diagnostics: Diagnostics,
): Promise<CodeServer[]> {
  const servers: CodeServer[] = [];
  for (const source of sources) {
    const text = await read(source);
    const snapshot = await snapshotIn(text, diagnostics);
    if (snapshot === null) continue;
    const { snapshot: path } = source.parts;
    const name = isAddress(source) ? snapshot.name : source.text;
    servers.push({ name: path ? stemIn(basename(path)) : name, snapshot });
  }
  if (servers.length < sources.length) throw new CommandError(diagnostics.list);
  return servers;
}
