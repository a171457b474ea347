import { basename, dirname, join, resolve } from "node:path";
import { bundleManifest, isBundle } from "./bundle.js";
import {
  type CardFile,
  type CardFiles,
  cardFiles,
  differences,
  isLeftover,
} from "./card.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import {
  loadSnapshot,
  parseSnapshot,
  type SnapshotText,
} from "../../generator/inputs/snapshots.js";
import type { JsonRecord } from "../../generator/ir/json.js";
import { likeBefore } from "../../generator/ir/json/owned.js";
import { isRecord, parseOrUndefined } from "../../generator/ir/json/value.js";
import type { Command, Findings } from "../../cli/command.js";
import { CommandError, usageError } from "../../cli/command-error.js";
import { findUp, readText } from "../../cli/destination/find.js";
import type { LoadedConfig } from "../../cli/config/load.js";
import { attempt } from "../../cli/commands/configured.js";
import { replaceInside } from "../../cli/replace.js";
import { stemIn } from "../../cli/snapshot-file.js";
import { namedSource } from "../../cli/source/find.js";
import { readSnapshotOf } from "../../cli/source/read.js";
import { filesReport } from "../../cli/commands/generate/report.js";

export const run: Command<"mcpb"> = async ([word = ""], flags, context) => {
  const { directory } = context;
  const out = flags.text("out") ?? ".";
  const isDry = flags.on("dry-run");
  const diagnostics = new Diagnostics();
  const source = await namedSource("snapshot", word, {}, directory);
  const text = await readSnapshotOf(
    source,
    "snapshot",
    {},
    context,
    diagnostics,
  );
  const { job, server = job?.source } = source.parts;
  const { planned, leftover } = await plan(text, resolve(directory, out), {
    registry: !flags.on("mcpb"),
    bundle: flags.on("mcpb"),
    env: server?.env ?? [],
  });
  const rows = planned.map(({ name, text, current }) => {
    const state =
      current === text
        ? "unchanged"
        : !isDry
          ? "written"
          : current === null
            ? "new"
            : "outdated";
    return { path: name, state, bytes: Buffer.byteLength(text) } as const;
  });
  for (const { path, text, current } of isDry ? [] : planned)
    if (text !== current) await replaceInside(path, dirname(path), text);
  return filesReport(
    {
      out,
      mode: isDry ? "dry-run" : "write",
      revisions: [word, "package.json"],
      files: [...rows, ...leftover],
    },
    { advice: isDry ? "nothing was written: this was a dry run\n" : "" },
  );
};

/**
 * What is different in the cards of the servers; an error of one is among its
 * rows.
 */
export async function check({
  config,
  directory,
}: LoadedConfig): Promise<Findings> {
  const diagnostics = new Diagnostics();
  for (const { snapshot, card, source } of config.servers ?? []) {
    if (card === undefined) continue;
    const env = source?.env ?? [];
    const checked = await attempt(card, () =>
      checkCard(snapshot, card, env, directory, diagnostics),
    );
    if (checked.ended) continue;
    for (const error of checked.diagnostics) diagnostics.add(error);
  }
  return { rows: diagnostics.list };
}

/**
 * Reports what is different in the files of a server: those of the registry,
 * unless the folder has only the manifest of a bundle, and that manifest.
 */
async function checkCard(
  snapshot: string,
  card: string,
  env: readonly string[],
  directory: string,
  { root }: Diagnostics,
): Promise<void> {
  const text = await loadSnapshot(snapshot, directory, new Diagnostics());
  const folder = resolve(directory, card);
  const [bundle, server] = await Promise.all(
    ["manifest.json", "server.json"].map((name) =>
      readText(join(folder, name)),
    ),
  );
  const found = parseOrUndefined(bundle ?? "");
  const hasBundle = isRecord(found) && isBundle(found);
  const { planned, leftover } = await plan(text, folder, {
    registry: server !== null || !hasBundle,
    bundle: hasBundle,
    env,
  });
  for (const { path } of leftover)
    root.warn(
      "MG963",
      null,
      `${card}/${path}: the server has no URL, and mcpgen card would not write the file`,
      "delete it, or add mcpRemotes to package.json",
    );
  for (const { name, before, next } of planned) {
    // The variables of the server are in its entry of the configuration.
    const words =
      name === "manifest.json"
        ? `${stemIn(basename(snapshot))} --mcpb`
        : snapshot;
    const hint = `run mcpgen card ${words} --out ${card}`;
    for (const difference of differences(
      before,
      next,
      before === undefined ? "the file" : "",
    ))
      root.warn("MG963", null, `${card}/${name}: ${difference}`, hint);
  }
}

/** Which files are made, and the variables that the server is started with. */
interface Wanted {
  readonly registry: boolean;
  readonly bundle: boolean;
  readonly env: readonly string[];
}

/**
 * The files in a folder, from a snapshot and the package.json in this folder or
 * above it. Throws if anything is missing.
 */
async function plan(
  text: SnapshotText,
  folder: string,
  { registry, bundle, env }: Wanted,
) {
  const diagnostics = new Diagnostics();
  const snapshot = await parseSnapshot(text, diagnostics);
  const found = await findUp(folder, "package.json");
  const hint = "name a folder of the package with --out";
  if (found === null)
    throw usageError(
      "MG961",
      `no package.json is in ${folder} or above it`,
      hint,
    );
  const current: Record<string, string | null> = {};
  const before: Record<string, JsonRecord> = {};
  const names = [
    ...(registry ? ["server.json", "server-card.json"] : []),
    ...(bundle ? ["manifest.json"] : []),
  ];
  for (const name of names) {
    const path = join(folder, name);
    const old = await readText(path);
    current[name] = old;
    if (old !== null) before[name] = objectIn(path, old);
  }
  const manifest = objectIn(found.path, found.text);
  const { root } = diagnostics;
  const cards = registry
    ? cardFiles(snapshot, manifest, root, before as CardFiles)
    : [];
  const files: CardFile[] = [...cards];
  const { "manifest.json": old } = before;
  if (old !== undefined && !isBundle(old))
    throw usageError(
      "MG962",
      `${join(folder, "manifest.json")} is not the manifest of a bundle: it has no manifest_version`,
      "name another folder with --out",
    );
  if (bundle) {
    const content = bundleManifest(snapshot, manifest, env, root, old);
    files.push({ name: "manifest.json", content });
  }
  if (diagnostics.hasErrors) throw new CommandError(diagnostics.list);
  const planned = files.map(({ name, content: next }) => ({
    name,
    path: join(folder, name),
    text: likeBefore(current[name] ?? null, next),
    current: current[name] ?? null,
    before: before[name],
    next,
  }));
  const leftover = isLeftover(cards, before as CardFiles)
    ? [{ path: "server-card.json", state: "leftover", bytes: 0 }]
    : [];
  return { planned, leftover };
}

function objectIn(path: string, text: string): JsonRecord {
  const content = parseOrUndefined(text);
  if (isRecord(content)) return content;
  throw usageError("MG962", `${path} is not a JSON object`, "correct it");
}
