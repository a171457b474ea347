import { readFile } from "node:fs/promises";
import platform, { join, resolve } from "node:path";
import { byText } from "../../../common/by-text.js";
import { Diagnostics } from "../../../generator/diagnostics.js";
import { counted } from "../../../generator/ir/report/text.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import {
  select,
  type Patterns,
} from "../../../generator/ir/snapshot/select.js";
import { suggestion } from "../../../generator/read/nearest.js";
import {
  findManifest,
  hasDigest,
  type Manifest,
  sha256,
} from "../../../generator/emit/write.js";
import type { Command, Context } from "../../command.js";
import { formatAll } from "../../destination/formatting.js";
import { importExtensionFor } from "../../destination/tsconfig.js";
import {
  digestTemplates,
  templatesWith,
  withTemplateErrors,
} from "../../../generator/inputs/templates.js";
import { CommandError, usageError } from "../../command-error.js";
import {
  newParts,
  partsOf,
  sidesOf,
  stubParts,
} from "../../../generator/stubs/parts.js";
import { pullSource } from "../../live/snapshot.js";
import { namedSource } from "../../source/find.js";
import { asSnapshot } from "../../source/read.js";
import { pathFrom } from "../../../generator/inputs/paths.js";
import {
  loadRuntimeSource,
  toolVersion,
} from "../../../generator/inputs/package.js";
import { revisionsInText } from "../../../generator/read/snapshot/revisions.js";
import {
  loadSnapshot,
  parseSnapshot,
  type SnapshotText,
} from "../../../generator/inputs/snapshots.js";
import { readExtended } from "../../../generator/inputs/extensions.js";
import type { Replacements } from "../../../generator/inputs/schemas.js";
import {
  sourceOptions,
  stubsOptions,
  type StubsOptions,
} from "../../options.js";
import type { Report } from "../../report.js";
import { digestFacts, manifestSource, overridesIn } from "../generate/task.js";
import { writeOrCompare, type Prepared } from "../generate/write.js";
import { filesReport } from "../generate/report.js";
import { saidOnceOf } from "../pull/once.js";
import { reportUncheckedPatterns } from "./patterns.js";
import { projectRevisions, projectSources } from "./revisions.js";
import {
  type ProtocolFolder,
  protocolFiles,
  readProtocolFolder,
} from "./protocol-folder.js";
import { unchangedProject } from "./unchanged.js";

/**
 * Options that a manifest has by name, or that do not change the output. Of all
 * others it has one digest.
 */
const otherOptions: readonly string[] = [
  "out",
  "from",
  "emit",
  "runtime",
  "importExtension",
  "templates",
  "protocol",
  "mode",
  "force",
  "clean",
] satisfies readonly (keyof StubsOptions)[];

export const run: Command = async ([word], flags, context) => {
  const { directory } = context;
  const server = sourceOptions(flags);
  const source = await namedSource("snapshot", word, server, directory);
  const { snapshot } = source.parts;
  const from =
    snapshot === undefined
      ? { ...source.parts.server, ...server }
      : pathFrom(snapshot, source.directory, directory, platform);
  return await makeStubs(stubsOptions(from, flags), context);
};

/** Writes a project, or compares it with the existing one. */
export async function makeStubs(
  options: StubsOptions,
  context: Context,
): Promise<Report> {
  const diagnostics = new Diagnostics();
  const { text, ...settings } = await readInputs(options, context, diagnostics);
  const { folder, protocolFolder } = settings;
  const sides = sidesOf(settings.emit);
  const unchanged = options.force
    ? null
    : await unchangedProject(
        folder,
        text,
        optionsOf(settings),
        context.directory,
        {
          hasServer: sides.includes("server"),
          protocolFolder,
        },
      );
  if (unchanged !== null) {
    const { revisions, files } = unchanged;
    if (protocolFolder !== null)
      protocolFiles(protocolFolder, revisions, sides);
    return filesReport({ ...options, revisions, files });
  }
  const { request, protocols } = await prepare(
    settings,
    text,
    context,
    diagnostics,
  );
  const revisions = protocols.map(({ revision }) => revision);
  return await writeOrCompare(
    options,
    request,
    revisions,
    diagnostics,
    context,
  );
}

/**
 * Generates a project without writing it. Replacements are used before the
 * schemas that the directory knows.
 */
export async function prepareStubs(
  options: StubsOptions,
  context: Context,
  diagnostics: Diagnostics,
  replacements?: Replacements,
): Promise<Prepared> {
  const { text, ...settings } = await readInputs(options, context, diagnostics);
  return await prepare(settings, text, context, diagnostics, replacements);
}

/** The snapshot, and the options with all defaults. */
async function readInputs(
  options: StubsOptions,
  context: Context,
  diagnostics: Diagnostics,
) {
  const settings = await readSettings(options, context);
  const text = await readSnapshotText(options.from, context, diagnostics);
  const existing = partsOf(findManifest(settings.folder)?.files ?? new Map());
  const isNew = options.emit === undefined && existing.length === 0;
  const emit = isNew
    ? newParts(revisionsInText(text.text) !== null)
    : (options.emit ?? existing);
  if (settings.convert !== undefined && !emit.includes("tools"))
    throw usageError(
      "MG705",
      "--for requires the part tools",
      "add tools to --emit, or to emit of the configuration",
    );
  return {
    ...settings,
    text,
    isNew,
    emit: stubParts.filter((part) => emit.includes(part)),
  };
}

type Settings = Omit<Awaited<ReturnType<typeof readInputs>>, "text">;

async function readSettings(
  options: StubsOptions,
  { directory, addOns }: Context,
) {
  const { out, protocol, templates } = options;
  const folder = resolve(directory, out);
  const importExtension =
    options.importExtension ?? (await importExtensionFor(folder));
  const convert =
    options.for === undefined
      ? undefined
      : await addOns.converterFor(options.for);
  const protocolFolder =
    protocol === undefined
      ? null
      : await readProtocolFolder(protocol, directory, folder);
  return {
    options,
    folder,
    importExtension,
    convert,
    // A project and the protocol files that it imports use the same runtime.
    runtime: protocolFolder?.runtime ?? options.runtime ?? "package",
    protocolFolder,
    overrides: await overridesIn(templates, directory),
  } as const;
}

/** The options of a manifest that flags and configuration determine. */
function optionsOf({
  emit,
  runtime,
  importExtension,
  protocolFolder,
  overrides,
  options,
}: Settings) {
  const support = protocolFolder?.support ?? [];
  const choices: (readonly unknown[])[] = [
    ...Object.entries(options)
      .filter(
        ([name, value]) => value !== undefined && !otherOptions.includes(name),
      )
      .sort(([a], [b]) => byText(a, b)),
    ...(support.length === 0 ? [] : [["support", support]]),
  ];
  return {
    emit,
    runtime,
    importExtension,
    templates: digestTemplates(overrides),
    protocol:
      protocolFolder === null
        ? null
        : `${protocolFolder.path}${protocolFolder.revisions.length === 1 ? "" : "/*"}`,
    choices: choices.length === 0 ? null : sha256(JSON.stringify(choices)),
  } as const;
}

async function prepare(
  settings: Settings,
  text: SnapshotText,
  context: Context,
  diagnostics: Diagnostics,
  replacements?: Replacements,
): Promise<Prepared> {
  const { folder, emit, importExtension, runtime, protocolFolder, overrides } =
    settings;
  const { names, outputTypes, scopes, force, clean } = settings.options;
  context.status("reading the snapshot");
  const whole = await parseSnapshot(text, diagnostics);
  const hasServer = sidesOf(emit).includes("server");
  const snapshot = selected(whole, settings.options, hasServer, diagnostics);
  if (text.says !== undefined)
    for (const row of saidOnceOf(whole, settings.options, context.directory))
      diagnostics.add(row);
  const manifest = findManifest(folder);
  if (settings.isNew && !hasServer) reportClientOnly(diagnostics);
  if (protocolFolder !== null) reportOutdated(protocolFolder, diagnostics);
  const wanted = await projectRevisions({
    ...snapshot,
    hasServer,
    protocolFolder,
  });
  const sources = await projectSources(
    wanted,
    context.directory,
    diagnostics,
    replacements,
  );
  const protocols = await readExtended(sources, [], diagnostics);
  const revisions = protocols.map(({ revision }) => revision);
  const templates = await templatesWith(overrides);
  const sharedProtocol =
    protocolFolder === null
      ? undefined
      : protocolFiles(protocolFolder, revisions, sidesOf(emit));
  const copiesRuntime = runtime === "vendored" && sharedProtocol === undefined;
  const runtimeSource = copiesRuntime
    ? await loadRuntimeSource()
    : new Map<string, string>();
  if (snapshot.revisions === "all")
    reportMoreRevisions(manifest, revisions, text.file, diagnostics);
  const { generateStubs } = await import("../../../generator/stubs.js");
  const options = {
    snapshot,
    protocols,
    emit,
    runtime,
    importExtension,
    templates,
    runtimeSource,
    given: manifest?.names ?? {},
    ...(names && { names }),
    ...(outputTypes && { outputTypes }),
    ...(scopes && { scopes }),
    convert: settings.convert,
    ...(sharedProtocol && { sharedProtocol }),
  } as const;
  context.status(
    `generating files for ${counted(snapshot.tools.length, "tool")}`,
  );
  const stubs = withTemplateErrors(overrides, () =>
    generateStubs(options, diagnostics),
  );
  if (diagnostics.hasErrors) throw new CommandError(diagnostics.list);
  const unused =
    manifest !== null && hasServer
      ? await unusedHandlers(manifest, stubs.once, folder, diagnostics)
      : [];
  const provenance = {
    generator: toolVersion(),
    sources: [snapshot, ...protocols].map(manifestSource),
    options: { ...optionsOf(settings), facts: digestFacts(sources) },
  };
  const request = {
    out: folder,
    files: overrides === null ? stubs.files : await formatAll(stubs.files),
    once: overrides === null ? stubs.once : await formatAll(stubs.once),
    unused,
    names: stubs.given,
    provenance,
    force,
    clean,
    signal: context.signal,
  };
  return { request, protocols };
}

/**
 * The part of the snapshot that the project is about. Reports options for what
 * the server does not have.
 */
function selected(
  whole: Snapshot,
  options: StubsOptions,
  hasServer: boolean,
  diagnostics: Diagnostics,
): Snapshot {
  const { include = {}, exclude = {}, unchecked = [] } = options;
  const selection = selectionOf(whole, include, exclude, diagnostics);
  const snapshot = { ...selection, name: options.name ?? selection.name };
  const scoped = Object.keys(options.scopes ?? {});
  reportUnknownTools("scopes for", scoped, snapshot, diagnostics);
  reportUnknownNames(options.names, whole, diagnostics);
  reportUnknownTools("unchecked patterns of", unchecked, snapshot, diagnostics);
  if (hasServer) reportUncheckedPatterns(snapshot, unchecked, diagnostics);
  return snapshot;
}

/** Says why a new project has no server, and how it gets one. */
function reportClientOnly({ root }: Diagnostics): void {
  const message =
    "the snapshot was pulled from a server, so only a client is written";
  root.note(
    "MG318",
    null,
    message,
    "--emit client,server writes the skeleton of a server, too",
  );
}

/**
 * Warns about shared files that another version of mcpgen wrote: the project
 * has copies until they are generated again.
 */
function reportOutdated(
  { named, outdated }: ProtocolFolder,
  { root }: Diagnostics,
): void {
  if (outdated.length === 0) return;
  const message = `${named} has another text of ${outdated.join(", ")} than this version of mcpgen writes, so the project has copies of its own`;
  root.warn(
    "MG764",
    null,
    message,
    `generate ${named} again, then run this command again`,
  );
}

/**
 * Says that a server which had one revision now has all, and how it keeps the
 * one.
 */
function reportMoreRevisions(
  manifest: Manifest | null,
  revisions: readonly string[],
  file: string,
  { root }: Diagnostics,
): void {
  const [, before, second] = manifest?.sources ?? [];
  if (before === undefined || second !== undefined || revisions.length === 1)
    return;
  const now = `the server now has the revisions ${revisions.join(", ")}, and its files of each are in protocol/<revision>/`;
  root.note(
    "MG317",
    null,
    `${now}; "revision": "${before.revision}" in ${file} keeps that one`,
  );
}

/**
 * The handlers of what an earlier run had and this one does not, if nobody has
 * edited them. Names the edited ones, which belong to the user and stay.
 */
async function unusedHandlers(
  { once }: Manifest,
  current: readonly { readonly path: string }[],
  folder: string,
  { root }: Diagnostics,
): Promise<string[]> {
  const used = new Set(current.map(({ path }) => path));
  const unused: string[] = [];
  for (const [path, digest] of once) {
    if (!path.startsWith("handlers/") || used.has(path)) continue;
    const bytes = await readFile(join(folder, path)).catch(() => null);
    if (bytes === null) continue;
    if (hasDigest(bytes, digest)) unused.push(path);
    else
      root.warn(
        "MG812",
        null,
        `${path} handles what the server no longer has`,
        "delete it, or restore the entry",
      );
  }
  return unused;
}

const otherName = "correct the name, or take the snapshot again";

/** The selected part of a snapshot. Reports patterns that match nothing. */
export function selectionOf(
  whole: Snapshot,
  include: Patterns,
  exclude: Patterns,
  diagnostics: Diagnostics,
): Snapshot {
  const { snapshot, unmatched } = select(whole, include, exclude);
  for (const { pattern, names } of unmatched) {
    const message = `the server offers nothing named ${JSON.stringify(pattern.slice(0, 80))}`;
    diagnostics.root.warn(
      "MG744",
      null,
      message,
      suggestion(pattern, names) ?? otherName,
    );
  }
  return snapshot;
}

/**
 * Reports options for unknown tools. It is an error because the tool that is
 * meant would have none.
 */
function reportUnknownTools(
  what: string,
  named: readonly string[],
  { tools }: Snapshot,
  diagnostics: Diagnostics,
): void {
  const names = tools.map(({ name }) => name);
  for (const name of named.filter((name) => !names.includes(name))) {
    const shown = JSON.stringify(name.slice(0, 80));
    const message = `the configuration has ${what} the tool ${shown}, but the server has no such tool`;
    diagnostics.root.error(
      "MG744",
      null,
      message,
      suggestion(name, names) ?? otherName,
    );
  }
}

/** Warns of names in generated code for what the server does not have. */
function reportUnknownNames(
  names: StubsOptions["names"],
  { tools, prompts, resources, templates }: Snapshot,
  { root }: Diagnostics,
): void {
  const known = {
    tools: tools.map(({ name }) => name),
    prompts: prompts.map(({ name }) => name),
    resources: [...resources, ...templates].map(({ name }) => name),
  };
  for (const [group, entries] of Object.entries(known)) {
    const named = Object.keys(names?.[group as keyof typeof known] ?? {});
    for (const name of named) {
      if (entries.includes(name)) continue;
      const shown = JSON.stringify(name.slice(0, 80));
      const message = `the configuration has a name for ${shown}, which is none of the ${group} of the server`;
      const hint = suggestion(name, entries) ?? otherName;
      root.warn("MG744", null, message, hint);
    }
  }
}

/** The text of a snapshot, from a file or from a running server. */
async function readSnapshotText(
  from: StubsOptions["from"],
  context: Context,
  diagnostics: Diagnostics,
): Promise<SnapshotText> {
  if (typeof from === "string")
    return await asSnapshot(
      await loadSnapshot(from, context.directory, diagnostics),
    );
  if ("text" in from) return from;
  const text = await pullSource(from, context, diagnostics);
  const file = "the server's response";
  return { text, file, name: "a live server", says: "kinds" };
}
