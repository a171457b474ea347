import { resolve } from "node:path";
import { Diagnostics } from "../../generator/diagnostics.js";
import type { DocsSubject } from "./docs.js";
import type { Protocol } from "../../generator/ir/model.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import { readExtended } from "../../generator/inputs/extensions.js";
import type { Command } from "../../cli/command.js";
import {
  digestTemplates,
  templatesWith,
  withTemplateErrors,
} from "../../generator/inputs/templates.js";
import { CommandError } from "../../cli/command-error.js";
import { outIn, writeOptions } from "../../cli/options.js";
import { toolVersion } from "../../generator/inputs/package.js";
import {
  knownRevisions,
  namedPair,
  namedSource,
  readSource,
  rejectMixture,
  revisionSource,
} from "../../generator/inputs/schemas.js";
import { isOfServer, snapshotIn } from "../../generator/inputs/snapshots.js";
import {
  manifestSource,
  overridesIn,
} from "../../cli/commands/generate/task.js";
import { writeOrCompare } from "../../cli/commands/generate/write.js";

/** Writes a page, or compares it with the existing one. */
export const run: Command = async (operands, flags, context) => {
  const options = { out: outIn(flags), ...writeOptions(flags) };
  const { directory, signal } = context;
  const { out, force, clean } = options;
  const overrides = await overridesIn(
    flags.text("templates") ?? undefined,
    directory,
  );
  const diagnostics = new Diagnostics();
  context.status("reading the sources");
  const subject = await readSubject(operands, directory, diagnostics);
  const templates = await templatesWith(overrides);
  const { generateDocs } = await import("./docs.js");
  context.status("generating the page");
  const { files, sources } = withTemplateErrors(overrides, () =>
    generateDocs(subject, templates),
  );
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
  return await writeOrCompare(
    options,
    request,
    revisions,
    diagnostics,
    context,
  );
};

/**
 * Reads one source, or two to compare. All sources are read before errors are
 * thrown, so that one run reports the errors of all.
 */
async function readSubject(
  [first = "", second]: readonly string[],
  directory: string,
  diagnostics: Diagnostics,
): Promise<DocsSubject> {
  const sources =
    second === undefined
      ? [await namedSource(first, directory)]
      : await namedPair(first, second, directory);
  const areSnapshots = sources.map(isOfServer);
  rejectMixture(areSnapshots, [
    first,
    ...(second === undefined ? [] : [second]),
  ]);
  if (areSnapshots[0] === true) {
    const snapshots: Snapshot[] = [];
    for (const { loaded, name } of sources) {
      const snapshot = await snapshotIn(
        { text: loaded.text, file: loaded.file, name },
        diagnostics,
      );
      if (snapshot !== null) snapshots.push(snapshot);
    }
    const [from, to] = snapshots;
    if (from === undefined || snapshots.length < sources.length)
      throw new CommandError(diagnostics.list);
    if (to !== undefined) return { kind: "drift", from, to };
    const isKnown = (await knownRevisions(directory)).includes(from.revision);
    const protocol = isKnown
      ? await readSource(
          await revisionSource(from.revision, directory),
          diagnostics,
        )
      : null;
    return { kind: "server", snapshot: from, protocol };
  }
  const [from, to] = (await readExtended(sources, [], diagnostics)) as [
    Protocol,
    ...Protocol[],
  ];
  return to === undefined
    ? { kind: "revision", protocol: from }
    : { kind: "comparison", from, to };
}
