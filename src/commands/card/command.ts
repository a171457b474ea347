import { dirname, join, resolve } from "node:path";
import { type CardFiles, cardFiles, differences, isLeftover } from "./card.js";
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
import { namedSource } from "../../cli/source/find.js";
import { readSnapshotOf } from "../../cli/source/read.js";
import { filesReport } from "../../cli/commands/generate/report.js";

export const run: Command = async ([word = ""], flags, context) => {
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
  const { planned, leftover } = await plan(text, resolve(directory, out));
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
  for (const { snapshot, card } of config.servers ?? []) {
    if (card === undefined) continue;
    const checked = await attempt(card, () =>
      checkCard(snapshot, card, directory, diagnostics),
    );
    if (checked.ended) continue;
    for (const error of checked.diagnostics) diagnostics.add(error);
  }
  return { rows: diagnostics.list };
}

/** Reports what is different in the files of a server. */
async function checkCard(
  snapshot: string,
  card: string,
  directory: string,
  { root }: Diagnostics,
): Promise<void> {
  const text = await loadSnapshot(snapshot, directory, new Diagnostics());
  const folder = resolve(directory, card);
  const { planned, leftover } = await plan(text, folder);
  const hint = `run mcpgen card ${snapshot} --out ${card}`;
  for (const { path } of leftover)
    root.warn(
      "MG963",
      null,
      `${card}/${path}: the server has no URL, and mcpgen card would not write the file`,
      "delete it, or add mcpRemotes to package.json",
    );
  for (const { name, before, next } of planned)
    for (const difference of differences(
      before,
      next,
      before === undefined ? "the file" : "",
    ))
      root.warn("MG963", null, `${card}/${name}: ${difference}`, hint);
}

/**
 * The files in a folder, from a snapshot and the package.json in this folder or
 * above it. Throws if anything is missing.
 */
async function plan(text: SnapshotText, folder: string) {
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
  for (const name of ["server.json", "server-card.json"]) {
    const path = join(folder, name);
    const old = await readText(path);
    current[name] = old;
    if (old !== null) before[name] = objectIn(path, old);
  }
  const files = cardFiles(
    snapshot,
    objectIn(found.path, found.text),
    diagnostics.root,
    before as CardFiles,
  );
  if (diagnostics.hasErrors) throw new CommandError(diagnostics.list);
  const planned = files.map(({ name, content: next }) => ({
    name,
    path: join(folder, name),
    text: likeBefore(current[name] ?? null, next),
    current: current[name] ?? null,
    before: before[name],
    next,
  }));
  const leftover = isLeftover(files, before as CardFiles)
    ? [{ path: "server-card.json", state: "leftover", bytes: 0 }]
    : [];
  return { planned, leftover };
}

function objectIn(path: string, text: string): JsonRecord {
  const content = parseOrUndefined(text);
  if (isRecord(content)) return content;
  throw usageError("MG962", `${path} is not a JSON object`, "correct it");
}
