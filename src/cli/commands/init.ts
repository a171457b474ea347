import { readFile } from "node:fs/promises";
import { basename, dirname, relative, resolve } from "node:path";
import type { Config } from "../../config.js";
import { clientFiles, readClientFiles } from "../clients/files.js";
import type { Command } from "../command.js";
import { configNames, findConfig } from "../config/find.js";
import { exitCodes, Interruption, usageError } from "../command-error.js";
import { INTERRUPTED } from "./generate/finish.js";
import { replaceFile } from "../replace.js";
import { tellDiagnostics } from "../terminal.js";
import { ask } from "./init/ask.js";
import { configOf } from "./init/jobs.js";
import { configText } from "./init/text.js";

export const run: Command = async (_words, flags, _context, terminal) => {
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
  if (!flags.on("force")) await rejectSecond(path, flags.text("config"), directory);
  const { entries, diagnostics } = await readClientFiles(directory);
  tellDiagnostics(terminal, diagnostics, flags.on("quiet"));
  const config = flags.on("yes") ? configOf(entries) : await ask(entries, terminal);
  if (terminal.signal.aborted) throw new Interruption(INTERRUPTED);
  await replaceFile(path, configText(config, path));
  const selection = flags.on("yes") ? choices(config) : "";
  const advice = `${name}: written\n${selection}${nextSteps(config, flags.text("config"))}`;
  return { kind: "text", exitCode: exitCodes.done, text: "", diagnostics: [], advice };
};

/** The selection of `--yes`, and its reason. */
function choices({ generate = [], servers = [] }: Config): string {
  return [
    ...(servers.length > 0
      ? []
      : [`${clientFiles.join(", ")} name no server, so the configuration only has the protocol\n`]),
    ...generate.map(({ version, out }) => `  revision ${String(version)} into ${out}\n`),
    ...servers.map(({ snapshot, out }) => `  ${snapshot} into ${out ?? ""}\n`),
  ].join("");
}

/** The next steps. A configuration with an unusual name must be named with --config, and then each server. */
function nextSteps({ servers = [] }: Config, named: string | null): string {
  const isDiscoverable = named === null || configNames.some((known) => known === named);
  const pull = isDiscoverable ? "mcpgen pull" : "mcpgen pull --config <server> -o <snapshot>, for each";
  return [
    ...(servers.length === 0 ? [] : [`first pull the snapshots:  ${pull}\n`]),
    `${servers.length === 0 ? "generate it: " : "then generate:             "}mcpgen${isDiscoverable ? "" : ` --config ${named}`}\n`,
  ].join("");
}

function extensionOf(path: string): string {
  return /\.(?:mts|mjs|ts|js|json)$/.exec(basename(path))?.[0] ?? basename(path);
}

async function rejectSecond(path: string, named: string | null, directory: string): Promise<void> {
  const isThere = await readFile(path).then(
    () => true,
    () => false,
  );
  const other = named === null ? await findConfig(null, directory) : null;
  const existing = isThere ? path : other !== null && dirname(other) === resolve(directory) ? other : null;
  if (existing === null) return;
  throw usageError(
    "MG747",
    `${relative(directory, existing)} already exists`,
    "edit it, or overwrite it with --force",
  );
}
