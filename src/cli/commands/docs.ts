import { resolve } from "node:path";
import { Diagnostics } from "../../diagnostics.js";
import type { DocsSubject } from "../../docs.js";
import type { Snapshot } from "../../ir/snapshot/model.js";
import { readSnapshot } from "../../read/snapshot/index.js";
import type { Command } from "../command.js";
import { digestTemplates, templatesWith, withTemplateErrors } from "../../sources/templates.js";
import { CommandError } from "../command-error.js";
import type { Context } from "../context.js";
import { docsOptions, type DocsOptions } from "../options.js";
import type { FilesReport } from "../report.js";
import { toolVersion } from "../../sources/package.js";
import { namedPair, rejectMixture } from "../pair.js";
import { isSnapshot, parseSnapshot } from "../../sources/snapshots.js";
import {
  knownRevisions,
  namedSource,
  readSource,
  revisionSource,
  type Source,
} from "../../sources/schemas.js";
import { overridesIn } from "./generate/task.js";
import { finish } from "./generate/finish.js";

export const run: Command = async (words, flags, context) => {
  return await makeDocs(docsOptions(words, flags), context);
};

/** Writes a page, or compares it with the existing one. */
async function makeDocs(options: DocsOptions, context: Context): Promise<FilesReport> {
  const { directory, signal } = context;
  const { out, first, second, force, clean } = options;
  const overrides = await overridesIn(options.templates, directory);
  const diagnostics = new Diagnostics();
  context.status("reading the sources");
  const subject =
    second === undefined
      ? await readOne(first, directory, diagnostics)
      : await readTwo([first, second], directory, diagnostics);
  const templates = await templatesWith(overrides);
  const { generateDocs } = await import("../../docs.js");
  context.status("generating the page");
  const files = withTemplateErrors(overrides, () => generateDocs({ subject, templates }));
  const sources = partsOf(subject);
  const request = {
    out: resolve(directory, out),
    files,
    provenance: {
      generator: toolVersion(),
      sources: sources.map(({ revision, source: { name, sha256 } }) => ({ revision, name, sha256 })),
      options: {
        emit: ["docs"],
        runtime: "none",
        importExtension: "none",
        templates: digestTemplates(overrides),
        formatting: null,
      },
    },
    force,
    clean,
    signal,
  };
  const revisions = [...new Set(sources.map(({ revision }) => revision))];
  return await finish(options, request, revisions, diagnostics, context);
}

/** The protocols and snapshots of a page. */
function partsOf(subject: DocsSubject): readonly {
  readonly revision: string;
  readonly source: { readonly name: string; readonly sha256: string };
}[] {
  switch (subject.kind) {
    case "revision":
      return [subject.protocol];
    case "comparison":
    case "drift":
      return [subject.from, subject.to];
    case "server":
      return [subject.snapshot];
    default:
      return subject satisfies never;
  }
}

async function readOne(word: string, directory: string, diagnostics: Diagnostics): Promise<DocsSubject> {
  const source = await namedSource(word, directory);
  if (isOfServer(source)) return await readServer(source, directory, diagnostics);
  const protocol = await readSource(source, diagnostics);
  if (protocol === null) throw new CommandError(diagnostics.list);
  return { kind: "revision", protocol };
}

async function readTwo(
  [a, b]: readonly [string, string],
  directory: string,
  diagnostics: Diagnostics,
): Promise<DocsSubject> {
  const [first, second] = await namedPair(a, b, directory);
  const [isFirst, isSecond] = [isOfServer(first), isOfServer(second)];
  rejectMixture([isFirst, isSecond], [a, b]);
  // Both sources are read before errors are thrown, so that one run reports the errors of both.
  if (isFirst) {
    const from = await snapshotOrNull(first, diagnostics);
    const to = await snapshotOrNull(second, diagnostics);
    if (from === null || to === null) throw new CommandError(diagnostics.list);
    return { kind: "drift", from, to };
  }
  const [from, to] = [await readSource(first, diagnostics), await readSource(second, diagnostics)];
  if (from === null || to === null) throw new CommandError(diagnostics.list);
  return { kind: "comparison", from, to };
}

/** True for a snapshot. A file named like a snapshot counts as one, so that its errors are reported. */
function isOfServer({ loaded: { file, text }, isBundled }: Source): boolean {
  return !isBundled && (file.endsWith(".mcp.json") || isSnapshot(text));
}

async function readServer(
  { loaded, name }: Source,
  directory: string,
  diagnostics: Diagnostics,
): Promise<DocsSubject> {
  const snapshot = await parseSnapshot({ text: loaded.text, file: loaded.file, name }, diagnostics);
  const isKnown = (await knownRevisions(directory)).includes(snapshot.revision);
  const protocol = isKnown
    ? await readSource(await revisionSource(snapshot.revision, directory), diagnostics)
    : null;
  return { kind: "server", snapshot, protocol };
}

async function snapshotOrNull({ loaded, name }: Source, diagnostics: Diagnostics): Promise<Snapshot | null> {
  return await readSnapshot(loaded.text, { file: loaded.file, name }, diagnostics);
}
