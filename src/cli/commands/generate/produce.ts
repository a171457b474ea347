import type { Diagnostics } from "../../../diagnostics.js";
import type { WriteRequest } from "../../../emit/write.js";
import { generate, type GeneratedFile } from "../../../generate.js";
import type { Protocol } from "../../../ir/model.js";
import { formatFiles, type OwnFormatting } from "../../destination/formatting.js";
import { templatesWith, whileTemplatesHold } from "../../../sources/templates.js";
import { readExtended } from "../../../sources/extensions.js";
import { CommandError, Interruption, type ExitCode } from "../../command-error.js";
import type { Flags } from "../../flags.js";
import { loadRuntimeSource, toolVersion } from "../../../sources/package.js";
import type { Terminal } from "../../terminal.js";
import { optionsOf, type Job } from "../generate.js";
import { finish, INTERRUPTED, type Prepared } from "./finish.js";

/** The long way: reads the schemas, generates, and writes or compares. */
export async function produce(
  job: Job,
  formatting: OwnFormatting | null,
  flags: Flags,
  terminal: Terminal,
  diagnostics: Diagnostics,
): Promise<ExitCode> {
  const { request, revisions } = await prepare(job, formatting, terminal, diagnostics);
  return await finish(job, request, revisions, flags, terminal, diagnostics);
}

/** Reads the schemas and generates, without writing anything. */
export async function prepare(
  job: Job,
  formatting: OwnFormatting | null,
  terminal: Terminal,
  diagnostics: Diagnostics,
): Promise<Prepared> {
  const protocols = await readExtended(job.sources, job.extensions, diagnostics);
  const files = await makeFiles(job, protocols, formatting, diagnostics);
  if (terminal.signal.aborted) throw new Interruption(INTERRUPTED);
  const request: WriteRequest = {
    out: job.folder,
    files,
    provenance: {
      generator: toolVersion(),
      sources: protocols.map(({ revision, source: { name, sha256 } }) => ({ revision, name, sha256 })),
      options: optionsOf(job, formatting?.digest ?? null),
    },
    force: job.force,
    clean: job.clean,
    signal: terminal.signal,
  };
  return { job, request, revisions: protocols.map(({ revision }) => revision) };
}

async function makeFiles(
  job: Job,
  protocols: readonly Protocol[],
  formatting: OwnFormatting | null,
  diagnostics: Diagnostics,
): Promise<readonly GeneratedFile[]> {
  const templates = await templatesWith(job.overrides);
  const { emit, runtime, importExtension } = job;
  const runtimeSource = runtime === "vendored" ? await loadRuntimeSource() : new Map<string, string>();
  const options = {
    protocols,
    emit,
    runtime,
    importExtension,
    templates,
    runtimeSource,
  };
  const files = whileTemplatesHold(job.overrides, () => generate(options, diagnostics));
  if (diagnostics.hasErrors) throw new CommandError(diagnostics.list);
  // Our own templates are laid out as prettier would by themselves; a project's own rules and templates need prettier.
  if (formatting === null && job.overrides === null) return files;
  return await formatFiles(job.folder, files, formatting);
}
