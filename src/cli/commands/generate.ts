import { resolve } from "node:path";
import { Diagnostics } from "../../diagnostics.js";
import { sha256, upToDate, type Expectation, type Provenance } from "../../emit/write.js";
import type { Command } from "../commands.js";
import { parts } from "../flag-specs.js";
import { findFormatting } from "../destination/formatting.js";
import { digestTemplates, loadOverrides, type Overrides } from "../../sources/templates.js";
import { allowsTsImports } from "../destination/tsconfig.js";
import { namedExtensions, type ExtensionSource } from "../../sources/extensions.js";
import { exitCodes, usageError } from "../command-error.js";
import type { Flags } from "../flags.js";
import { nearest } from "../../read/nearest.js";
import { toolVersion } from "../../sources/package.js";
import { shownPath } from "../../sources/paths.js";
import { bundledSource, namedRevisions, pathSource, type Source } from "../../sources/schemas.js";
import type { Terminal } from "../terminal.js";
import { reportRun } from "./generate/report.js";

/** What a run of `generate` was asked for, with every default filled in. */
export interface Job {
  /** As the user wrote it. */
  readonly out: string;
  /** The same, absolute. */
  readonly folder: string;
  readonly sources: readonly Source[];
  readonly extensions: readonly ExtensionSource[];
  readonly emit: readonly Part[];
  readonly runtime: "package" | "vendored";
  readonly importExtension: "js" | "ts" | "none";
  /** Templates that replace ours. */
  readonly overrides: Overrides | null;
  readonly mode: "write" | "check" | "dry-run";
  readonly force: boolean;
  readonly clean: boolean;
}

export type Part = (typeof parts)[number];

export const run: Command = async (_words, flags, terminal) => {
  const isBare = (["version", "schema", "out"] as const).every((name) => flags.text(name) === null);
  if (isBare) {
    const { configFor, runJobs } = await import("./configured.js");
    const config = await configFor(flags, terminal);
    if (config !== null) return await runJobs(config, flags, terminal);
    throw usageError(
      "MG740",
      "there is no configuration, so there is nothing to generate",
      "run mcpgen init to write one, or say mcpgen --version latest --out <dir>, which needs none",
    );
  } else if (flags.text("config") !== null) {
    const message = "--config and --version, --schema or --out exclude each other";
    throw usageError("MG705", message, "a configuration says them for each job");
  }
  const job = await readJob(flags, terminal);
  const formatting = await findFormatting(job.folder);
  const expectation = expectationOf(job, formatting?.digest ?? null);
  const unchanged = job.force || expectation === null ? null : await upToDate(job.folder, expectation);
  if (unchanged !== null) {
    const revisions = unchanged.manifest.sources.map(({ revision }) => revision);
    await reportRun(job, flags, terminal, { ok: true, revisions, files: unchanged.files, diagnostics: [] });
    return exitCodes.done;
  }
  // Everything heavy is behind this line: a run with nothing to do ends above it.
  const { produce } = await import("./generate/produce.js");
  return await produce(job, formatting, flags, terminal, new Diagnostics());
};

export async function readJob(flags: Flags, terminal: Terminal): Promise<Job> {
  const out = flags.text("out");
  const version = flags.text("version");
  const schema = flags.text("schema");
  if (version === null && schema === null) {
    throw usageError(
      "MG705",
      "which revision is to be generated?",
      "say --version <revision|latest|all> (mcpgen list shows them), or --schema <path>",
    );
  }
  if (out === null) throw usageError("MG705", "where is the output to go?", "say --out <dir>");
  const folder = resolve(terminal.directory, out);
  const templates = flags.text("templates");
  return {
    out,
    folder,
    sources: await readSources(version, schema, terminal.directory),
    extensions: await namedExtensions(flags.list("extension"), terminal.directory),
    emit: readParts(flags.text("emit"), parts, "", `the parts are ${parts.join(", ")}`),
    runtime: flags.text("runtime") === "vendored" ? "vendored" : "package",
    importExtension: await readExtension(flags.text("import-ext"), folder),
    overrides: templates === null ? null : await loadOverrides(shownPath(templates, terminal.directory)),
    mode: readMode(flags),
    force: flags.on("force"),
    clean: flags.on("clean"),
  };
}

/** Is anything to be written? */
export function readMode(flags: Flags): Job["mode"] {
  if (flags.on("check") && flags.on("dry-run")) {
    throw usageError("MG705", "--check and --dry-run exclude each other", "leave one of them out");
  }
  return flags.on("check") ? "check" : flags.on("dry-run") ? "dry-run" : "write";
}

async function readSources(
  version: string | null,
  schema: string | null,
  directory: string,
): Promise<Source[]> {
  if (schema !== null) {
    if (version === "all" || version?.includes(",") === true) {
      throw usageError(
        "MG705",
        "--schema is one schema, but --version names several",
        "name one revision, or none",
      );
    }
    return [await pathSource(schema, version === "latest" ? null : version, directory)];
  }
  const names = await namedRevisions(version ?? "");
  if (names.length === 0) throw usageError("MG702", "--version names no revision", "mcpgen list shows them");
  return await Promise.all(names.map(bundledSource));
}

/** What --emit asks for, in the order of the parts; all of them where it is not given. */
export function readParts<Name extends string>(
  text: string | null,
  known: readonly Name[],
  whose: string,
  hint: string,
): Name[] {
  if (text === null) return [...known];
  const asked = text.split(",").map((word) => word.trim());
  for (const word of asked) {
    if (known.some((part) => part === word)) continue;
    const near = nearest(word, known);
    const message = `--emit knows no part "${word}"${whose}`;
    throw usageError("MG702", message, near === null ? hint : `did you mean ${near}?`);
  }
  return known.filter((part) => asked.includes(part));
}

/** What relative imports end in: what the flag says, or what the destination allows. */
export async function readExtension(flag: string | null, folder: string): Promise<Job["importExtension"]> {
  if (flag === "js" || flag === "ts" || flag === "none") return flag;
  return (await allowsTsImports(folder)) ? "ts" : "js";
}

/**
 * What the output would be made from, told before anything is read; null when only reading can tell, because the
 * representation or the JSON given was itself made from a source, or stands beside a ledger.
 */
export function expectationOf(job: Job, formatting: string | null): Expectation | null {
  if (job.sources.some(({ loaded }) => loaded.file.endsWith(".json"))) return null;
  const sources = job.sources.map(({ loaded, name, revision }) => ({
    revision,
    name,
    sha256: loaded.sha256,
  }));
  return { generator: toolVersion(), sources, options: optionsOf(job, formatting) };
}

/** The part of a manifest that the command line decides. */
export function optionsOf(job: Job, formatting: string | null): Provenance["options"] {
  return {
    emit: job.emit,
    runtime: job.runtime,
    importExtension: job.importExtension,
    templates: digestTemplates(job.overrides),
    formatting,
    extensions: digestExtensions(job.extensions),
  };
}

/** Null without any, so that whoever uses none need not know of them. */
function digestExtensions(extensions: Job["extensions"]): string | null {
  const texts = extensions.map(({ loaded, name }) => `${name} ${loaded.sha256}`);
  return texts.length === 0 ? null : sha256(texts.join("\n"));
}
