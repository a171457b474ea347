import { basename, dirname, relative, resolve } from "node:path";
import type { Config } from "../../config.js";
import { clientFiles, readClientFiles } from "../clients/files.js";
import type { Command } from "../command.js";
import { exists } from "../destination/find.js";
import { authPackage, isInstalled, runtimePackage } from "../destination/installed.js";
import { configNames, findConfig } from "../config/find.js";
import type { Flags } from "../flag-specs.js";
import { exitCodes, Interruption, usageError } from "../command-error.js";
import { INTERRUPTED } from "./generate/finish.js";
import { replaceFile } from "../replace.js";
import { printDiagnostics, type Terminal, visible } from "../terminal.js";
import { type Answers, answers, ask } from "./init/ask.js";
import { configOf } from "./init/jobs.js";
import { protocolJob, readIssuer, serverFile, writeServer } from "./init/server.js";
import { skeletonJob, writeSkeleton } from "./init/skeleton.js";
import { configText, fileLine } from "./init/text.js";
import { writeWorkflows } from "./init/workflows.js";

export const run: Command = async (_words, flags, context, terminal) => {
  const { directory } = terminal;
  const named = flags.text("config");
  rejectTwoServers(flags);
  const existing = await existingConfig(named, directory, flags);
  // In a project with a configuration, only the workflows and the server are missing.
  const written = existing === null ? await writeConfig(flags, terminal) : null;
  const path = existing ?? resolve(directory, named ?? configNames[0]);
  const folder = dirname(path);
  const workflows = flags.text("ci") === null ? "" : await workflowsReport(path, flags.on("force"));
  const server = written === null ? flags.text("server") : written.server;
  const shown = existing === null ? null : relative(directory, existing).replaceAll("\\", "/");
  const skeleton = server === null ? null : await writeSkeleton(server, folder, shown, context);
  return {
    kind: "text",
    exitCode: skeleton?.exitCode ?? exitCodes.done,
    text: "",
    diagnostics: [],
    advice: `${written?.advice ?? ""}${workflows}${skeleton?.advice ?? ""}`,
  };
};

function rejectTwoServers(flags: Flags): void {
  if (flags.text("server") === null || flags.text("protect") === null) return;
  const hint = "run mcpgen init with one of them";
  throw usageError("MG705", "--server and --protect exclude each other: each writes a server", hint);
}

/** The configuration that a project has, if something else is to be written for it; null without one. */
async function existingConfig(named: string | null, directory: string, flags: Flags): Promise<string | null> {
  const [hasServer, hasWorkflows] = [flags.text("server") !== null, flags.text("ci") !== null];
  if (!hasServer && !hasWorkflows) return null;
  const path = named === null ? await findConfig(null, directory) : resolve(directory, named);
  if (path === null || !(await exists(path))) return null;
  // A server belongs to the project in this folder.
  return hasServer && named === null && dirname(path) !== resolve(directory) ? null : path;
}

/** What was done, with the next steps, and the name of the new server that is still to be written. */
interface Written {
  readonly advice: string;
  readonly server: string | null;
}

/** Writes the configuration and what belongs to it. */
async function writeConfig(flags: Flags, terminal: Terminal): Promise<Written> {
  const { directory } = terminal;
  const name = flags.text("config") ?? configNames[0];
  const path = resolve(directory, name);
  if (!/\.(?:mts|mjs|ts|js|json)$/.test(path)) {
    throw usageError(
      "MG702",
      `--config ${name} does not end with .ts, .mts, .js, .mjs or .json`,
      "choose one of these extensions",
    );
  }
  if (!flags.on("force")) await rejectExisting(path, flags.text("config"), directory);
  const { config, issuer, server } = await answersOf(flags, terminal);
  if (terminal.signal.aborted) throw new Interruption(INTERRUPTED);
  await replaceFile(path, configText(config, path));
  if (server !== null) return { advice: `${name}: written\n`, server };
  const selection = flags.on("yes") ? choices(config) : "";
  const protectedServer =
    issuer === null ? "" : fileLine(serverFile, await writeServer(issuer, dirname(path)));
  const steps = nextSteps(config, flags.text("config")) + (await eslintStep(config, dirname(path)));
  const install = installStep(dirname(path), issuer !== null);
  return { advice: `${install}${name}: written\n${protectedServer}${selection}${steps}`, server };
}

/** What to write, from the flags or by questions. */
async function answersOf(flags: Flags, terminal: Terminal): Promise<Answers> {
  const server = flags.text("server");
  if (server !== null) return answers({ servers: [skeletonJob(server)] }, { server });
  const { entries, diagnostics } = await readClientFiles(terminal.directory);
  printDiagnostics(terminal, diagnostics, flags.on("quiet"));
  const enabled = entries.filter(({ isDisabled }) => isDisabled !== true);
  for (const { name, file } of entries.filter((entry) => !enabled.includes(entry)))
    if (!flags.on("quiet")) terminal.print(visible(`${name} is left out, because ${file} disables it\n`));
  const named = flags.text("protect");
  const issuer = named === null ? null : readIssuer(named);
  if (!flags.on("yes")) return await ask(enabled, issuer, terminal);
  return answers(configOf(enabled, issuer), { issuer });
}

/** Writes the workflows of the project of a configuration. Returns what was written. */
async function workflowsReport(path: string, force: boolean): Promise<string> {
  const folder = dirname(path);
  // Two configurations in one folder are an error without --config.
  const found = await findConfig(null, folder).catch(() => null);
  const workflows = await writeWorkflows(folder, found === path ? null : basename(path), force);
  return workflows.map(({ file, isWritten }) => fileLine(file, isWritten)).join("");
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

/** What generated files, the server and the configuration import and the project lacks; empty if nothing is missing. */
function installStep(folder: string, hasProtectedServer: boolean): string {
  const used = hasProtectedServer ? [runtimePackage, authPackage] : [runtimePackage];
  const missing = used.filter((name) => !isInstalled(name, folder));
  const commands = [
    ...(missing.length === 0 ? [] : [`npm install ${missing.join(" ")}`]),
    ...(isInstalled("mcpgen", folder) ? [] : ["npm install --save-dev mcpgen"]),
  ];
  return commands.length === 0 ? "" : `install what is missing:   ${commands.join(" && ")}\n`;
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

/** What an ESLint configuration beside this one lacks: ESLint warns of the directive that disables it in files without a problem. */
async function eslintStep({ generate = [], servers = [] }: Config, directory: string): Promise<string> {
  const outs = [...generate, ...servers].flatMap(({ out }) => (out === undefined ? [] : [`${out}/**`]));
  for (const name of ["js", "mjs", "cjs", "ts", "mts", "cts"].map((ending) => `eslint.config.${ending}`))
    if (await exists(resolve(directory, name)))
      return `put first into ${name}:  { ignores: ${JSON.stringify(outs)} },\n`;
  return "";
}

async function rejectExisting(path: string, named: string | null, directory: string): Promise<void> {
  const other = named === null ? await findConfig(null, directory) : null;
  const isHere = other !== null && dirname(other) === resolve(directory);
  const existing = (await exists(path)) ? path : isHere ? other : null;
  if (existing === null) return;
  const hint = "edit it, or overwrite it with --force";
  throw usageError("MG747", `${relative(directory, existing)} already exists`, hint);
}
