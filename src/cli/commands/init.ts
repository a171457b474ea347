import { dirname, relative, resolve } from "node:path";
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
import { ask, newServer } from "./init/ask.js";
import { type Answers, clientsOf, protocolJob } from "./init/jobs.js";
import { readIssuer, writeServer } from "./init/server.js";
import { writeSkeleton } from "./init/skeleton.js";
import { configText } from "./init/text.js";
import { writeWorkflows } from "./init/workflows.js";

export const run: Command = async (_words, flags, context, terminal) => {
  const { directory } = terminal;
  const [named, server, ci] = [flags.text("config"), flags.text("server"), flags.text("ci")];
  const force = flags.on("force");
  if (server !== null && flags.text("protect") !== null) {
    const hint = "run mcpgen init with one of them";
    throw usageError("MG705", "--server and --protect exclude each other: each writes a server", hint);
  }
  const isAddition = server !== null || ci !== null;
  const found = isAddition || !force ? await presentConfig(named, directory) : null;
  const isHere = found !== null && dirname(found) === resolve(directory);
  // A workflow may be for a configuration above; everything else belongs to the project in this folder.
  const existing = isHere || named !== null || (server === null && ci !== null) ? found : null;
  if (existing !== null && !isAddition) {
    const hint = "edit it, or overwrite it with --force";
    throw usageError("MG747", `${relative(directory, existing)} already exists`, hint);
  }
  // In a project with a configuration, only the workflows and the server are missing.
  const path = existing ?? resolve(directory, named ?? configNames[0]);
  const written = existing === null ? await writeConfig(path, flags, terminal) : { server, advice: "" };
  const workflows = ci === null ? "" : await writeWorkflows(path, force);
  const shown = existing === null ? null : relative(directory, existing).replaceAll("\\", "/");
  const skeleton =
    written.server === null ? null : await writeSkeleton(written.server, dirname(path), shown, context);
  return {
    kind: "text",
    exitCode: skeleton?.exitCode ?? exitCodes.done,
    text: "",
    diagnostics: [],
    advice: `${written.advice}${workflows}${skeleton?.advice ?? ""}`,
  };
};

/** The configuration that is there: the one of `--config`, or the nearest one; null without one. */
async function presentConfig(named: string | null, directory: string): Promise<string | null> {
  if (named === null) return await findConfig(null, directory);
  const path = resolve(directory, named);
  return (await exists(path)) ? path : null;
}

/** Writes the configuration and what belongs to it. Returns what was done, and the name of the new server that is still to be written. */
async function writeConfig(
  path: string,
  flags: Flags,
  terminal: Terminal,
): Promise<{ readonly advice: string; readonly server: string | null }> {
  const named = flags.text("config");
  if (!/\.(?:mts|mjs|ts|js|json)$/.test(path)) {
    const message = `--config ${named} does not end with .ts, .mts, .js, .mjs or .json`;
    throw usageError("MG702", message, "choose one of these extensions");
  }
  const { config, issuer, server } = await answersOf(flags, terminal);
  if (terminal.signal.aborted) throw new Interruption(INTERRUPTED);
  await replaceFile(path, configText(config, path));
  const line = `${named ?? configNames[0]}: written\n`;
  if (server !== null) return { advice: line, server };
  const folder = dirname(path);
  const protectedServer = issuer === null ? "" : await writeServer(issuer, folder);
  const selection = flags.on("yes") ? choices(config) : "";
  const steps = nextSteps(config, named) + (await eslintStep(config, folder));
  const install = installStep(folder, issuer !== null);
  return { advice: `${install}${line}${protectedServer}${selection}${steps}`, server };
}

/** What to write, from the flags or by questions. */
async function answersOf(flags: Flags, terminal: Terminal): Promise<Answers> {
  const server = flags.text("server");
  if (server !== null) return newServer(server);
  const { entries, diagnostics } = await readClientFiles(terminal.directory);
  printDiagnostics(terminal, diagnostics, flags.on("quiet"));
  for (const { name, file } of entries.filter(({ isDisabled }) => isDisabled === true))
    if (!flags.on("quiet")) terminal.print(visible(`${name} is left out, because ${file} disables it\n`));
  const enabled = entries.filter(({ isDisabled }) => isDisabled !== true);
  const named = flags.text("protect");
  const issuer = named === null ? null : readIssuer(named);
  return flags.on("yes") ? clientsOf(enabled, issuer) : await ask(enabled, issuer, terminal);
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
  const isFound = named === null || configNames.some((known) => known === named);
  const generate = isFound ? "npx mcpgen" : `npx mcpgen --config ${named}`;
  if (servers.length === 0) return `generate it: ${generate}\n`;
  const pull = isFound ? "npx mcpgen pull" : "npx mcpgen pull --config <server> -o <snapshot>, for each";
  return `first pull the snapshots:  ${pull}\nthen generate:             ${generate}\n`;
}

/** What an ESLint configuration beside this one lacks: ESLint warns of the directive that disables it in files without a problem. */
async function eslintStep({ generate = [], servers = [] }: Config, directory: string): Promise<string> {
  const outs = [...generate, ...servers].flatMap(({ out }) => (out === undefined ? [] : [`${out}/**`]));
  for (const name of ["js", "mjs", "cjs", "ts", "mts", "cts"].map((ending) => `eslint.config.${ending}`))
    if (await exists(resolve(directory, name)))
      return `put first into ${name}:  { ignores: ${JSON.stringify(outs)} },\n`;
  return "";
}
