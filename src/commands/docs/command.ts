import { resolve } from "node:path";
import { Diagnostics } from "../../generator/diagnostics.js";
import type { DocsSubject } from "./docs.js";
import type { Protocol } from "../../generator/ir/model.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import { readExtended } from "../../generator/inputs/extensions.js";
import type { Command, Context } from "../../cli/command.js";
import { readSubjects } from "../../cli/source/subjects.js";
import {
  digestTemplates,
  templatesWith,
  withTemplateErrors,
} from "../../generator/inputs/templates.js";
import { outIn, writeOptions } from "../../cli/options.js";
import { toolVersion } from "../../generator/inputs/package.js";
import {
  knownRevisions,
  readSource,
  revisionSource,
} from "../../generator/inputs/schemas.js";
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
  const subject = await readSubject(operands, context, diagnostics);
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

/** Reads one source, or two to compare. */
async function readSubject(
  words: readonly string[],
  context: Context,
  diagnostics: Diagnostics,
): Promise<DocsSubject> {
  const { directory } = context;
  const subjects = await readSubjects(words, context, diagnostics);
  if (subjects.kind === "servers") {
    const [from, to] = subjects.snapshots as [Snapshot, ...Snapshot[]];
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
  const protocols = await readExtended(subjects.schemas, [], diagnostics);
  const [from, to] = protocols as [Protocol, ...Protocol[]];
  return to === undefined
    ? { kind: "revision", protocol: from }
    : { kind: "comparison", from, to };
}
