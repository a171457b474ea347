import { readFile } from "node:fs/promises";
import { basename, dirname, relative, resolve } from "node:path";
import type { Config, ServerJob } from "../../config.js";
import { readClientFiles, type ClientEntry } from "../clients/files.js";
import type { Command } from "../commands.js";
import { configNames, findConfig } from "../config/find.js";
import { exitCodes, Interruption, usageFault } from "../fault.js";
import { INTERRUPTED } from "./generate/finish.js";
import { replaceFile } from "../replace.js";
import { tellDiagnostics, visible } from "../terminal.js";
import { configText } from "./init/text.js";

export const run: Command = async (_words, flags, terminal) => {
  const { directory } = terminal;
  const name = flags.text("config") ?? configNames[0];
  const path = resolve(directory, name);
  if (!configNames.some((known) => known.endsWith(extensionOf(path)))) {
    throw usageFault("MG702", `--config ${name} is no .ts, .mts, .js, .mjs or .json`, "choose one of them");
  }
  if (!flags.on("force")) await refuseSecond(path, flags.text("config"), directory);
  const { entries, diagnostics } = await readClientFiles(directory);
  tellDiagnostics(terminal, diagnostics, flags.on("quiet"));
  const config = flags.on("yes") ? configOf(entries) : await asked(entries);
  if (terminal.signal.aborted) throw new Interruption(INTERRUPTED);
  await replaceFile(path, configText(config, path));
  if (!flags.on("quiet")) {
    const pulls = (config.servers ?? []).map(({ snapshot, source }) => {
      return `  mcpgen pull --config ${source?.config ?? ""} -o ${snapshot}\n`;
    });
    const next = pulls.length === 0 ? "" : `take the snapshots once:\n${pulls.join("")}`;
    terminal.tell(visible(`${name}: written\n${next}then: mcpgen\n`));
  }
  return exitCodes.done;
};

function extensionOf(path: string): string {
  return /\.(?:mts|mjs|ts|js|json)$/.exec(basename(path))?.[0] ?? basename(path);
}

async function refuseSecond(path: string, named: string | null, directory: string): Promise<void> {
  const isThere = await readFile(path).then(
    () => true,
    () => false,
  );
  const other = named === null ? await findConfig(null, directory) : null;
  const found = isThere ? path : other !== null && dirname(other) === resolve(directory) ? other : null;
  if (found === null) return;
  throw usageFault(
    "MG747",
    `${relative(directory, found)} is there already`,
    "edit it, or write over it with --force",
  );
}

/** A job for every server, or one for the protocol where there is none. */
function configOf(entries: readonly ClientEntry[]): Config {
  if (entries.length === 0) return { generate: [{ version: "latest", out: "src/mcp" }] };
  return { servers: entries.map((entry) => jobOf(entry, entries)) };
}

/** What is secret about a server stays in the client's own file, which the source names. */
function jobOf({ name, file }: ClientEntry, entries: readonly ClientEntry[]): ServerJob {
  const isUnique = entries.filter((other) => other.name === name).length === 1;
  const index = entries
    .filter((other) => slug(other.name) === slug(name))
    .findIndex((other) => other.file === file && other.name === name);
  const stem = `${slug(name)}${index > 0 ? `-${index + 1}` : ""}`;
  const config = isUnique && !/[#/\\]/.test(name) ? name : `${file}#${name}`;
  return { snapshot: `${stem}.mcp.json`, source: { config }, out: `src/mcp/${stem}` };
}

function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain.slice(0, 60) || "server";
}

async function asked(entries: readonly ClientEntry[]): Promise<Config> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw usageFault(
      "MG748",
      "there is no terminal to ask on",
      "say --yes to take every server that is found",
    );
  }
  const { cancel, isCancel, multiselect, text } = await import("@clack/prompts");
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (!isCancel(answer)) return answer as Exclude<T, symbol>;
    cancel("Nothing was written.");
    throw new Interruption(INTERRUPTED);
  };
  if (entries.length === 0) {
    const out = answered(
      await text({
        message: "No client's file names a server here. Where are the files of the protocol to go?",
        initialValue: "src/mcp",
      }),
    );
    return { generate: [{ version: "latest", out }] };
  }
  const options = entries.map((entry, value) => {
    return { value, label: visible(entry.name), hint: entry.file };
  });
  const message = "Which servers are to get a typed client?";
  const wanted = new Set(answered(await multiselect({ message, options, required: true })));
  return configOf(entries.filter((_, i) => wanted.has(i)));
}
