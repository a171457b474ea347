import { readdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { Config } from "../../../config.js";
import { clientFiles, readClientFiles } from "../../clients/files.js";
import type { Command } from "../../command.js";
import {
  isRecord,
  parseOrUndefined,
} from "../../../generator/ir/json/value.js";
import { exists, readText } from "../../destination/find.js";
import { authPackage, runtimePackage } from "../../destination/installed.js";
import { workspaceIn } from "../../destination/workspace.js";
import { importExtensionFor } from "../../destination/tsconfig.js";
import { configNames, findConfig } from "../../config/find.js";
import type { Flags } from "../../flag-values.js";
import { exitCodes, usageError } from "../../command-error.js";
import { replaceFile } from "../../replace.js";
import { printDiagnostics, type Terminal, visible } from "../../terminal.js";
import { ask, issuerProblem } from "./ask.js";
import {
  addFile,
  configText,
  filledFile,
  inLiteral,
  installStep,
} from "./files.js";
import { type Answers, clientsOf, defaultOut, type NewServer } from "./jobs.js";
import { newServer, writeNewServer } from "./new-server.js";
import { writeWorkflows } from "./workflows.js";

export const run: Command = async (_words, flags, context, terminal) => {
  const { directory } = terminal;
  const [named, server, ci] = [
    flags.text("config"),
    serverIn(flags),
    flags.text("ci"),
  ];
  const force = flags.on("force");
  const isAddition = server !== null || ci !== null;
  // A workflow may be for a configuration above; everything else belongs to the
  // project in this folder.
  const isAboveAllowed = server === null && ci !== null;
  const existing =
    force && !isAddition
      ? null
      : await existingConfig(named, directory, isAboveAllowed);
  const shown =
    existing === null
      ? null
      : relative(directory, existing).replaceAll("\\", "/");
  if (shown !== null && !isAddition)
    throw usageError(
      "MG747",
      `${shown} already exists`,
      "edit it, or overwrite it with --force",
    );
  const path = existing ?? resolve(directory, named ?? configNames[0]);
  if (!/\.(?:mts|mjs|ts|js|json|ya?ml)$/.test(path)) {
    const message = `--config ${named} does not end with .ts, .mts, .js, .mjs, .json, .yaml or .yml`;
    throw usageError("MG702", message, "choose one of these extensions");
  }
  if (existing === null && named === null) await rejectWorkspace(directory);
  const answers = existing === null ? await answersOf(flags, terminal) : null;
  const written =
    answers === null ? "" : await writeConfig(path, answers, flags);
  const workflows = ci === null ? "" : await writeWorkflows(path, force);
  const toWrite = answers === null ? server : answers.server;
  const made =
    toWrite === null
      ? null
      : await writeNewServer(toWrite, dirname(path), shown, context);
  return {
    exitCode: made?.exitCode ?? exitCodes.done,
    diagnostics: [],
    advice: `${written}${workflows}${made?.advice ?? ""}`,
  };
};

/**
 * Rejects the root of a workspace, where no package would contain the output,
 * unless `--config` chooses it.
 */
export async function rejectWorkspace(directory: string): Promise<void> {
  const manager = await workspaceIn(directory);
  if (manager === null) return;
  throw usageError(
    "MG763",
    `this folder is the root of a workspace of ${manager}, so ${defaultOut} would be in no package`,
    `run mcpgen init in the folder of a package; for one configuration of all packages, use --config ${configNames[0]}, and then set each "out" to a folder of a package`,
  );
}

/** The server of `--server` or `--server-from-file`; null without one. */
function serverIn(flags: Flags): NewServer | null {
  const given = (["server", "server-from-file", "protect"] as const).filter(
    (name) => flags.text(name) !== null,
  );
  const [first, second] = given;
  if (second !== undefined) {
    const message = `--${first} and --${second} exclude each other: each writes a server`;
    throw usageError("MG705", message, "run mcpgen init with one of them");
  }
  if (first === undefined || first === "protect") return null;
  return {
    name: flags.text(first) ?? "",
    isFromFile: first === "server-from-file",
  };
}

/**
 * The configuration that is there: the one of `--config`, or that of the folder
 * or, if allowed, of one above; null without one.
 */
async function existingConfig(
  named: string | null,
  directory: string,
  isAboveAllowed: boolean,
): Promise<string | null> {
  const path =
    named === null
      ? await findConfig(null, directory)
      : resolve(directory, named);
  if (path === null || !(await exists(path))) return null;
  return named !== null ||
    isAboveAllowed ||
    dirname(path) === resolve(directory)
    ? path
    : null;
}

/** What to write, from the flags or by questions. */
async function answersOf(flags: Flags, terminal: Terminal): Promise<Answers> {
  const server = serverIn(flags);
  if (server !== null) return newServer(server);
  const { entries, diagnostics } = await readClientFiles(terminal.directory);
  printDiagnostics(terminal, diagnostics, flags.on("quiet"));
  for (const { name, file } of entries.filter(
    ({ isDisabled }) => isDisabled === true,
  ))
    if (!flags.on("quiet"))
      terminal.print(
        visible(`${name} is left out, because ${file} disables it\n`),
      );
  const enabled = entries.filter(({ isDisabled }) => isDisabled !== true);
  const issuer = flags.text("protect");
  const problem = issuer === null ? undefined : issuerProblem(issuer);
  if (problem !== undefined)
    throw usageError(
      "MG702",
      "--protect is not the issuer of an authorization server",
      problem,
    );
  return flags.on("yes")
    ? clientsOf(enabled, entries, issuer, await pulledIn(terminal.directory))
    : await ask(enabled, issuer, terminal);
}

/** The snapshots in a folder that `mcpgen pull` took. */
async function pulledIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((): string[] => []);
  const pulled: string[] = [];
  for (const name of names.filter((one) => /.\.mcp\.json$/.test(one)).sort()) {
    const text = await readText(join(directory, name));
    const snapshot = parseOrUndefined(text ?? "");
    if (isRecord(snapshot) && "format" in snapshot) pulled.push(name);
  }
  return pulled;
}

/**
 * Writes the configuration and what belongs to it. Returns what was done, and
 * the next steps.
 */
async function writeConfig(
  path: string,
  answers: Answers,
  flags: Flags,
): Promise<string> {
  const { config, issuer, server } = answers;
  const named = flags.text("config");
  const folder = dirname(path);
  await replaceFile(path, await configText(config, path));
  const written = `${named ?? configNames[0]}: written\n`;
  if (server !== null) return written;
  const added = issuer === null ? "" : await writeServer(issuer, folder);
  const selection = flags.on("yes") ? choices(answers) : "";
  const imported =
    issuer === null ? [runtimePackage] : [runtimePackage, authPackage];
  const steps = `${nextSteps(config, named)}${await eslintStep(config, folder)}`;
  return `${installStep(folder, imported, ["mcpgen"])}${written}${added}${selection}${steps}`;
}

/**
 * Writes a server that accepts the access tokens of an issuer, unless the file
 * exists, which is the user's then.
 */
async function writeServer(issuer: string, folder: string): Promise<string> {
  const extension = await importExtensionFor(join(folder, "src"));
  const values = {
    extension: extension === "none" ? "" : `.${extension}`,
    issuer: inLiteral(issuer),
  };
  return await addFile(
    folder,
    "src/server.ts",
    await filledFile("protected.ts", values),
  );
}

/** The selection of `--yes`, and its reason. */
function choices({
  config: { generate = [], servers = [] },
  issuer,
}: Answers): string {
  const found = clientFiles.join(", ");
  return [
    ...(servers.length > 0 || issuer !== null
      ? []
      : [
          `no server was found in ${found}, so the configuration only has the protocol\n`,
        ]),
    ...generate.map(
      ({ version, out }) => `  revision ${String(version)} into ${out}\n`,
    ),
    ...servers.map(({ snapshot, out }) => `  ${snapshot} into ${out ?? ""}\n`),
  ].join("");
}

/**
 * The next steps. A configuration with an unusual name must be named with
 * --config, and then each server.
 */
function nextSteps({ servers = [] }: Config, named: string | null): string {
  const isFound =
    named === null || configNames.some((known) => known === named);
  const generate = isFound ? "npx mcpgen" : `npx mcpgen --config ${named}`;
  if (!servers.some(({ source }) => source !== undefined))
    return `generate it: ${generate}\n`;
  const pull = isFound
    ? "npx mcpgen pull"
    : "npx mcpgen pull --config <server> -o <snapshot>, for each";
  return `first pull the snapshots:  ${pull}\nthen generate:             ${generate}\n`;
}

/**
 * What an ESLint configuration beside this one lacks: ESLint warns of the
 * directive that disables it in files without a problem.
 */
async function eslintStep(
  { generate = [], servers = [] }: Config,
  folder: string,
): Promise<string> {
  const outs = [...generate, ...servers].flatMap(({ out }) =>
    out === undefined ? [] : [`${out}/**`],
  );
  for (const ending of ["js", "mjs", "cjs", "ts", "mts", "cts"])
    if (await exists(join(folder, `eslint.config.${ending}`)))
      return `put first into eslint.config.${ending}:  { ignores: ${JSON.stringify(outs)} },\n`;
  return "";
}
