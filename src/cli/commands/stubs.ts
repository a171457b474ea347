import { resolve } from "node:path";
import { Diagnostics } from "../../diagnostics.js";
import type { MemberNames } from "../../stubs.js";
import type { Protocol } from "../../ir/model.js";
import type { Surface } from "../../ir/surface/model.js";
import { select, type Patterns } from "../../ir/surface/select.js";
import { nearest } from "../../read/nearest.js";
import { latestOf, revisionNames } from "../../read/revisions.js";
import { sha256 } from "../../emit/write.js";
import type { Command } from "../commands.js";
import { findFormatting, formatFiles } from "../destination/formatting.js";
import {
  digestTemplates,
  loadOverrides,
  templatesWith,
  whileTemplatesHold,
} from "../../sources/templates.js";
import { exitCodes, CommandError, usageError, type ExitCode } from "../command-error.js";
import { stubParts } from "../flag-specs.js";
import type { Flags } from "../flags.js";
import { liveSource } from "../live/place.js";
import { pullSnapshot } from "../live/snapshot.js";
import { loadRuntimeSource, toolVersion } from "../../sources/package.js";
import { shownPath } from "../../sources/paths.js";
import { loadSnapshot, surfaceOf, type SnapshotText } from "../../sources/snapshots.js";
import { bundledSource, readSource } from "../../sources/schemas.js";
import type { Terminal } from "../terminal.js";
import { readExtension, readMode, readParts } from "./generate.js";
import { finish, type Prepared } from "./generate/finish.js";
import { reportRun } from "./generate/report.js";
import { readSharedFolder, sharedFiles } from "./stubs/shared.js";
import { unchangedProject } from "./stubs/unchanged.js";

/** What a configuration may say of a project beyond what the flags do. */
export interface StubChoices {
  /** What the project is called, in place of the name that the server gives itself. */
  readonly name?: string;
  readonly include?: Patterns;
  readonly exclude?: Patterns;
  readonly names?: MemberNames;
  /** Types of structured results of tools that promise none. */
  readonly outputTypes?: Readonly<Record<string, string>>;
}

/** Those of a job's members that change what is generated, which no flag says. */
const choiceNames = [
  "name",
  "include",
  "exclude",
  "names",
  "outputTypes",
] as const satisfies (keyof StubChoices)[];

export const run: Command = async ([word], flags, terminal) => {
  return await makeStubs(word ?? null, flags, terminal);
};

/** Writes a project, or compares it with what is there. */
export async function makeStubs(
  word: string | null,
  flags: Flags,
  terminal: Terminal,
  choices: StubChoices = {},
): Promise<ExitCode> {
  const diagnostics = new Diagnostics();
  const settings = await readSettings(flags, terminal, choices);
  const snapshot = await readSnapshotText(word, flags, terminal, diagnostics);
  const { folder, force } = settings.job;
  const unchanged = force ? null : await unchangedProject(folder, snapshot, optionsOf(settings));
  if (unchanged !== null) {
    const { revision, files } = unchanged;
    if (settings.shared !== null) sharedFiles(settings.shared, revision, settings.emit);
    await reportRun(settings.job, flags, terminal, {
      ok: true,
      revisions: [revision],
      files,
      diagnostics: [],
    });
    return exitCodes.done;
  }
  const { job, request, revisions } = await prepare(settings, snapshot, terminal, diagnostics);
  return await finish(job, request, revisions, flags, terminal, diagnostics);
}

/** Makes a project without writing anything. */
export async function prepareStubs(
  word: string | null,
  flags: Flags,
  terminal: Terminal,
  diagnostics: Diagnostics,
  choices: StubChoices = {},
): Promise<Prepared> {
  const settings = await readSettings(flags, terminal, choices);
  const snapshot = await readSnapshotText(word, flags, terminal, diagnostics);
  return await prepare(settings, snapshot, terminal, diagnostics);
}

/** What flags and configuration ask for, with every default filled in. */
type Settings = Awaited<ReturnType<typeof readSettings>>;

async function readSettings(flags: Flags, terminal: Terminal, choices: StubChoices) {
  const out = flags.text("out");
  if (out === null) throw usageError("MG705", "where is the output to go?", "say --out <dir>");
  const folder = resolve(terminal.directory, out);
  const job = { out, folder, mode: readMode(flags), force: flags.on("force"), clean: flags.on("clean") };
  const partsHint = `the parts are ${stubParts.join(" and ")}; types and validators come with each`;
  const emit = readParts(flags.text("emit"), stubParts, " of stubs", partsHint);
  const importExtension = await readExtension(flags.text("import-ext"), folder);
  const protocol = flags.text("protocol");
  const shared = protocol === null ? null : await readSharedFolder(protocol, terminal.directory, folder);
  const wanted = flags.text("runtime") === "vendored" ? "vendored" : "package";
  // A project and the files that it imports have one runtime.
  const runtime = shared?.runtime ?? wanted;
  const named = flags.text("templates");
  const overrides = named === null ? null : await loadOverrides(shownPath(named, terminal.directory));
  const formatting = await findFormatting(folder);
  return { job, emit, importExtension, runtime, shared, overrides, formatting, choices } as const;
}

/** The part of a manifest that flags and configuration decide. */
function optionsOf({ emit, runtime, importExtension, shared, overrides, formatting, choices }: Settings) {
  const chosen = Object.entries(choices).filter(([name]) => choiceNames.some((choice) => choice === name));
  return {
    emit,
    runtime,
    importExtension,
    templates: digestTemplates(overrides),
    formatting: formatting?.digest ?? null,
    protocol: shared === null ? null : `${shared.path}${shared.revisions.length === 1 ? "" : "/*"}`,
    choices: chosen.length === 0 ? null : sha256(JSON.stringify(chosen.sort(([a], [b]) => (a < b ? -1 : 1)))),
  } as const;
}

async function prepare(
  settings: Settings,
  snapshot: SnapshotText,
  terminal: Terminal,
  diagnostics: Diagnostics,
): Promise<Prepared> {
  const { job, emit, importExtension, runtime, shared, overrides, formatting, choices } = settings;
  const { name, include = {}, exclude = {}, names = {}, outputTypes = {} } = choices;
  const { folder } = job;
  const whole = await surfaceOf(snapshot, diagnostics);
  const chosen = chosenOf(whole, include, exclude, diagnostics);
  const surface = name === undefined ? chosen : { ...chosen, name };
  const protocol = await protocolOf(surface, diagnostics);
  const templates = await templatesWith(overrides);
  const sharedProtocol = shared === null ? undefined : sharedFiles(shared, protocol.revision, emit);
  const copiesRuntime = runtime === "vendored" && sharedProtocol === undefined;
  const runtimeSource = copiesRuntime ? await loadRuntimeSource() : new Map<string, string>();
  const { generateStubs } = await import("../../stubs.js");
  const options = {
    surface,
    protocol,
    emit,
    runtime,
    importExtension,
    templates,
    runtimeSource,
    names,
    outputTypes,
    ...(sharedProtocol && { sharedProtocol }),
  } as const;
  const stubs = whileTemplatesHold(overrides, () => generateStubs(options, diagnostics));
  if (diagnostics.hasErrors) throw new CommandError(diagnostics.list);
  const isOwn = formatting === null && overrides === null;
  const request = {
    out: folder,
    files: isOwn ? stubs.files : await formatFiles(folder, stubs.files, formatting),
    once: isOwn ? stubs.once : await formatFiles(folder, stubs.once, formatting),
    provenance: {
      generator: toolVersion(),
      sources: [surface, protocol].map(({ revision, source: { name, sha256 } }) => ({
        revision,
        name,
        sha256,
      })),
      options: optionsOf(settings),
    },
    force: job.force,
    clean: job.clean,
    signal: terminal.signal,
  };
  return { job, request, revisions: [protocol.revision] };
}

/** What of a server is asked for. A name that nothing has was meant otherwise, or is gone. */
export function chosenOf(
  whole: Surface,
  include: Patterns,
  exclude: Patterns,
  diagnostics: Diagnostics,
): Surface {
  const { surface, idle } = select(whole, include, exclude);
  for (const { pattern, names } of idle) {
    const near = nearest(pattern, names);
    const message = `the server offers nothing called ${JSON.stringify(pattern.slice(0, 80))}`;
    diagnostics.root.warn("MG744", null, message, near === null ? null : `did you mean "${near}"?`);
  }
  return surface;
}

/** What a server offers, as the text of a snapshot: one that was taken, or one that is taken now. */
async function readSnapshotText(
  word: string | null,
  flags: Flags,
  terminal: Terminal,
  diagnostics: Diagnostics,
): Promise<SnapshotText> {
  const live = liveSource(flags);
  if ((word === null) === (live === null)) {
    const message =
      word === null ? "what is to be read?" : `a snapshot and --${live ?? ""} exclude each other`;
    throw usageError(
      "MG705",
      message,
      "name a snapshot, or a server by --url, --stdio, --module or --config",
    );
  }
  if (word !== null) {
    return await loadSnapshot(word, terminal.directory, diagnostics);
  }
  const text = await pullSnapshot(flags, terminal, diagnostics);
  return { text, file: "the server's answer", name: "a live server" };
}

/** The revision that a snapshot was taken in, or the newest one where we do not have that. */
async function protocolOf({ revision }: Surface, diagnostics: Diagnostics): Promise<Protocol> {
  const names = await revisionNames();
  const name = names.includes(revision) ? revision : latestOf(names);
  if (name === null) throw new Error("The package is incomplete: it has no revision at all.");
  if (name !== revision) {
    diagnostics.root.warn(
      "MG311",
      null,
      `the snapshot was taken in revision "${revision.slice(0, 40)}", which is not bundled; ${name} is used`,
      null,
    );
  }
  const protocol = await readSource(await bundledSource(name), diagnostics);
  if (protocol === null) throw new CommandError(diagnostics.list);
  return protocol;
}
