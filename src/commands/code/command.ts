import { basename, resolve } from "node:path";
import type { Command, Context } from "../../cli/command.js";
import { CommandError } from "../../cli/command-error.js";
import { manifestSource } from "../../cli/commands/generate/task.js";
import { writeOrCompare } from "../../cli/commands/generate/write.js";
import { importExtensionFor } from "../../cli/destination/tsconfig.js";
import { outIn, writeOptions } from "../../cli/options.js";
import { stemIn } from "../../cli/snapshot-file.js";
import { isAddress, namedSources, noServer } from "../../cli/source/find.js";
import { readSnapshotOf } from "../../cli/source/read.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import { extensionOf } from "../../generator/emit/support.js";
import { toolVersion } from "../../generator/inputs/package.js";
import { snapshotIn } from "../../generator/inputs/snapshots.js";
import { builtInTemplates } from "../../generator/inputs/templates.js";
import { importPath } from "../../generator/view/typescript/code.js";
import { type CodeServer, codeFiles } from "./files.js";

/** Writes the files of code mode, or compares them with the existing ones. */
export const run: Command = async (words, flags, context) => {
  const { directory, signal } = context;
  const options = { out: outIn(flags), ...writeOptions(flags) };
  const diagnostics = new Diagnostics();
  context.status("reading the snapshots");
  const servers = await readServers(words, context, diagnostics);
  const out = resolve(directory, options.out);
  const importExtension = await importExtensionFor(out);
  context.status("generating");
  const files = codeFiles(
    servers,
    await builtInTemplates(),
    importPath(extensionOf(importExtension)),
  );
  const sources = servers.map(({ snapshot }) => snapshot);
  const request = {
    out,
    files,
    provenance: {
      generator: toolVersion(),
      sources: sources.map(manifestSource),
      options: {
        emit: ["code"],
        runtime: "package",
        importExtension,
        templates: null,
      },
    },
    force: options.force,
    clean: options.clean,
    signal,
  };
  const revisions = [...new Set(sources.map(({ revision }) => revision))];
  return await writeOrCompare(
    options,
    request,
    revisions,
    diagnostics,
    context,
  );
};

/** The servers that the words name. All are read before errors are thrown. */
async function readServers(
  words: readonly string[],
  context: Context,
  diagnostics: Diagnostics,
): Promise<CodeServer[]> {
  const servers: CodeServer[] = [];
  const sources = await namedSources("snapshot", words, {}, context.directory);
  if (sources.length === 0) throw noServer();
  for (const source of sources) {
    const text = await readSnapshotOf(
      source,
      "snapshot",
      {},
      context,
      diagnostics,
    );
    const snapshot = await snapshotIn(text, diagnostics);
    if (snapshot === null) continue;
    const { snapshot: path } = source.parts;
    const name = isAddress(source) ? snapshot.name : source.text;
    servers.push({ name: path ? stemIn(basename(path)) : name, snapshot });
  }
  if (servers.length < sources.length) throw new CommandError(diagnostics.list);
  return servers;
}
