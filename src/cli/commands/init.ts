import { basename, dirname, relative, resolve } from "node:path";
import type { Config } from "../../config.js";
import { clientFiles, readClientFiles } from "../clients/files.js";
import type { Command } from "../command.js";
import { exists } from "../destination/find.js";
import { configNames, findConfig } from "../config/find.js";
import type { Flags } from "../flag-specs.js";
import { exitCodes, Interruption, usageError } from "../command-error.js";
import { INTERRUPTED } from "./generate/finish.js";
import { replaceFile } from "../replace.js";
import { tellDiagnostics, type Terminal } from "../terminal.js";
import { ask } from "./init/ask.js";
import { configOf } from "./init/jobs.js";
import { protocolJob, readIssuer, serverFile, writeServer } from "./init/server.js";
import { configText } from "./init/text.js";
import { writeWorkflows } from "./init/workflows.js";

export const run: Command = async (_words, flags, _context, terminal) => {
  const { directory } = terminal;
  const named = flags.text("config");
  const existing = flags.text("ci") === null ? null : await existingConfig(named, directory);
  // In a project with a configuration, only the workflows are missing.
  const config = existing === null ? await writeConfig(flags, terminal) : "";
  const folder = dirname(existing ?? resolve(directory, named ?? configNames[0]));
  const workflows = flags.text("ci") === null ? "" : await workflowsReport(folder, flags);
  return { kind: "text", exitCode: exitCodes.done, text: "", diagnostics: [], advice: config + workflows };
};

/** The configuration that a project has; null without one. */
async function existingConfig(named: string | null, directory: string): Promise<string | null> {
  if (named === null) return await findConfig(null, directory);
  const path = resolve(directory, named);
  return (await exists(path)) ? path : null;
}

/** Writes the configuration and what belongs to it. Returns what was done, and the next steps. */
async function writeConfig(flags: Flags, terminal: Terminal): Promise<string> {
  const { directory } = terminal;
  const name = flags.text("config") ?? configNames[0];
  const path = resolve(directory, name);
  if (!configNames.some((known) => known.endsWith(extensionOf(path)))) {
    throw usageError(
      "MG702",
      `--config ${name} does not end with .ts, .mts, .js, .mjs or .json`,
      "choose one of these extensions",
    );
  }
  if (!flags.on("force")) await rejectExisting(path, flags.text("config"), directory);
  const { entries, diagnostics } = await readClientFiles(directory);
  tellDiagnostics(terminal, diagnostics, flags.on("quiet"));
  const named = flags.text("protect");
  const ownIssuer = named === null ? null : readIssuer(named);
  const { config, issuer } = flags.on("yes")
    ? { config: configOf(entries, ownIssuer), issuer: ownIssuer }
    : await ask(entries, ownIssuer, terminal);
  if (terminal.signal.aborted) throw new Interruption(INTERRUPTED);
  await replaceFile(path, configText(config, path));
  const selection = flags.on("yes") ? choices(config) : "";
  const server = issuer === null ? "" : await serverReport(issuer, dirname(path));
  return `${name}: written\n${server}${selection}${nextSteps(config, flags.text("config"))}`;
}

/** Writes the workflows of the project in a folder. Returns what was written. */
async function workflowsReport(folder: string, flags: Flags): Promise<string> {
  const named = flags.text("config");
  const isDiscoverable = named === null || configNames.some((known) => known === named);
  const workflows = await writeWorkflows(folder, isDiscoverable ? null : named, flags.on("force"));
  return workflows
    .map(({ file, isWritten }) => `${file}: ${isWritten ? "written" : "exists, not changed"}\n`)
    .join("");
}

/** Writes the file of a protected server. Returns what was written. */
async function serverReport(issuer: string, directory: string): Promise<string> {
  return (await writeServer(issuer, directory))
    ? `${serverFile}: written\n`
    : `${serverFile}: exists, not changed\n`;
}

/** The selection of `--yes`, and its reason. */
function choices({ generate = [], servers = [] }: Config): string {
  return [
    ...(servers.length > 0 || generate.includes(protocolJob)
      ? []
      : [`no server was found in ${clientFiles.join(", ")}, so the configuration only has the protocol\n`]),
    ...generate.map(({ version, out }) => `  revision ${String(version)} into ${out}\n`),
    ...servers.map(({ snapshot, out }) => `  ${snapshot} into ${out ?? ""}\n`),
  ].join("");
}

/** The next steps. A configuration with an unusual name must be named with --config, and then each server. */
function nextSteps({ servers = [] }: Config, named: string | null): string {
  const isDiscoverable = named === null || configNames.some((known) => known === named);
  const pull = isDiscoverable
    ? "npx mcpgen pull"
    : "npx mcpgen pull --config <server> -o <snapshot>, for each";
  return [
    ...(servers.length === 0 ? [] : [`first pull the snapshots:  ${pull}\n`]),
    `${servers.length === 0 ? "generate it: " : "then generate:             "}npx mcpgen${isDiscoverable ? "" : ` --config ${named}`}\n`,
  ].join("");
}

function extensionOf(path: string): string {
  return /\.(?:mts|mjs|ts|js|json)$/.exec(basename(path))?.[0] ?? basename(path);
}

async function rejectExisting(path: string, named: string | null, directory: string): Promise<void> {
  const other = named === null ? await findConfig(null, directory) : null;
  const existing = (await exists(path))
    ? path
    : other !== null && dirname(other) === resolve(directory)
      ? other
      : null;
  if (existing === null) return;
  throw usageError(
    "MG747",
    `${relative(directory, existing)} already exists`,
    "edit it, or overwrite it with --force",
  );
}
