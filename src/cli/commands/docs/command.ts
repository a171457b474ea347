import { resolve } from "node:path";
import { Diagnostics } from "../../../diagnostics.js";
import type { DocsSubject } from "../../../docs.js";
import type { Command } from "../../command.js";
import { digestTemplates, templatesWith, withTemplateErrors } from "../../../inputs/templates.js";
import { CommandError } from "../../command-error.js";
import { docsOptions, type DocsOptions } from "../../options.js";
import { toolVersion } from "../../../inputs/package.js";
import {
  knownRevisions,
  namedPair,
  namedSource,
  readSource,
  rejectMixture,
  revisionSource,
  type Source,
} from "../../../inputs/schemas.js";
import { isOfServer, snapshotIn } from "../../../inputs/snapshots.js";
import { manifestSource, overridesIn } from "../generate/task.js";
import { writeOrCompare } from "../generate/write.js";

/** Writes a page, or compares it with the existing one. */
export const run: Command = async (operands, flags, context) => {
  const options = docsOptions(operands, flags);
  const { directory, signal } = context;
  const { out, force, clean } = options;
  const overrides = await overridesIn(options.templates, directory);
  const diagnostics = new Diagnostics();
  context.status("reading the sources");
  const subject = await readSubject(options, directory, diagnostics);
  const templates = await templatesWith(overrides);
  const { generateDocs } = await import("../../../docs.js");
  context.status("generating the page");
  const { files, sources } = withTemplateErrors(overrides, () => generateDocs(subject, templates));
  const request = {
    out: resolve(directory, out),
    files,
    provenance: {
      generator: toolVersion(),
      sources: sources.map(manifestSource),
      options: {
        emit: ["docs"],
        runtime: "none",
        importExtension: "none",
        templates: digestTemplates(overrides),
      },
    },
    force,
    clean,
    signal,
  };
  const revisions = [...new Set(sources.map(({ revision }) => revision))];
  return await writeOrCompare(options, request, revisions, diagnostics, context);
};

/** Reads one source, or two to compare. All sources are read before errors are thrown, so that one run reports the errors of all. */
async function readSubject(
  { first, second }: DocsOptions,
  directory: string,
  diagnostics: Diagnostics,
): Promise<DocsSubject> {
  const sources =
    second === undefined ? [await namedSource(first, directory)] : await namedPair(first, second, directory);
  const areSnapshots = sources.map(isOfServer);
  rejectMixture(areSnapshots, [first, ...(second === undefined ? [] : [second])]);
  if (areSnapshots[0] === true) {
    const [from, to] = await readAll(sources, diagnostics, async ({ loaded: { file, text }, name }) =>
      snapshotIn({ text, file, name }, diagnostics),
    );
    if (to !== undefined) return { kind: "drift", from, to };
    const isKnown = (await knownRevisions(directory)).includes(from.revision);
    const protocol = isKnown
      ? await readSource(await revisionSource(from.revision, directory), diagnostics)
      : null;
    return { kind: "server", snapshot: from, protocol };
  }
  const [from, to] = await readAll(sources, diagnostics, async (source) => readSource(source, diagnostics));
  return to === undefined ? { kind: "revision", protocol: from } : { kind: "comparison", from, to };
}

async function readAll<T>(
  sources: readonly Source[],
  diagnostics: Diagnostics,
  read: (source: Source) => Promise<T | null>,
): Promise<[T, ...T[]]> {
  const results: T[] = [];
  for (const source of sources) {
    const result = await read(source);
    if (result !== null) results.push(result);
  }
  const [first, ...others] = results;
  if (first === undefined || results.length < sources.length) throw new CommandError(diagnostics.list);
  return [first, ...others];
}
