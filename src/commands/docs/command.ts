import { resolve } from "node:path";
import { Diagnostics } from "../../generator/diagnostics.js";
import type { DocsSubject } from "./docs.js";
import type { Protocol } from "../../generator/ir/model.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import { readExtended } from "../../generator/inputs/extensions.js";
import type { Command, Context } from "../../cli/command.js";
import { readSubjects } from "../../cli/source/subjects.js";
import { digestTemplates } from "../../generator/inputs/templates.js";
import { outIn, writeOptions } from "../../cli/options.js";
import { toolVersion } from "../../generator/inputs/package.js";
import {
  knownRevisions,
  readSource,
  revisionSource,
} from "../../generator/inputs/schemas.js";
import { manifestSource } from "../../cli/commands/generate/task.js";
import { writeOrCompare } from "../../cli/commands/generate/write.js";

/** Writes a page, or compares it with the existing one. */
export const run: Command = async ([word = ""], flags, context) => {
  const options = { out: outIn(flags), ...writeOptions(flags) };
  const { directory, signal } = context;
  const { out, force, clean } = options;
  const diagnostics = new Diagnostics();
  context.status("reading the source");
  const subject = await readSubject(word, context, diagnostics);
  const { generateDocs } = await import("./docs.js");
  context.status("generating the page");
  const { files, source } = generateDocs(subject);
  const request = {
    out: resolve(directory, out),
    files,
    provenance: {
      generator: toolVersion(),
      sources: [manifestSource(source)],
      options: {
        emit: ["docs"],
        runtime: "none",
        importExtension: "none",
        templates: digestTemplates(null),
      },
    },
    force,
    clean,
    signal,
  };
  return await writeOrCompare(
    options,
    request,
    [source.revision],
    diagnostics,
    context,
  );
};

/** The server or the revision that a word names. */
async function readSubject(
  word: string,
  context: Context,
  diagnostics: Diagnostics,
): Promise<DocsSubject> {
  const { directory } = context;
  const subjects = await readSubjects([word], context, diagnostics);
  if (subjects.kind === "schemas") {
    const protocols = await readExtended(subjects.schemas, [], diagnostics);
    const [protocol] = protocols as [Protocol];
    return { kind: "revision", protocol };
  }
  const [snapshot] = subjects.snapshots as [Snapshot];
  const { revision } = snapshot;
  const isKnown = (await knownRevisions(directory)).includes(revision);
  const protocol = isKnown
    ? await readSource(await revisionSource(revision, directory), diagnostics)
    : null;
  return { kind: "server", snapshot, protocol };
}
