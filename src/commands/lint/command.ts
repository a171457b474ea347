import { Diagnostics } from "../../generator/diagnostics.js";
import type { LintSettings } from "../../config.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import {
  loadSnapshot,
  parseSnapshot,
  type SnapshotText,
} from "../../generator/inputs/snapshots.js";
import { lintRows } from "./check.js";
import { summary } from "./lint.js";
import type { Command, Context } from "../../cli/command.js";
import { usageError } from "../../cli/command-error.js";
import { lintSettings } from "../../cli/flag-specs.js";
import type { Flags } from "../../cli/flag-values.js";
import type { LoadedConfig } from "../../cli/config/load.js";
import { sourceKind } from "../../cli/live/find-address.js";
import { pullSource } from "../../cli/live/snapshot.js";
import { membersIn, sourceOptions } from "../../cli/options.js";
import { exitCodeOf, reportOf } from "../../cli/report.js";
import { diagnosticsMarkdown } from "../../cli/diagnostics-markdown.js";
import { configFor } from "../../cli/commands/configured.js";
import { isSnapshotPath, kindOf } from "../../cli/commands/call/server.js";

export const run: Command = async (operands, flags, context) => {
  const diagnostics = new Diagnostics();
  const config = await configFor(null, context.directory);
  const settings = { ...config?.config.lint, ...settingsIn(flags) };
  const snapshots: Snapshot[] = [];
  for (const text of await textsOf(
    operands,
    flags,
    config,
    context,
    diagnostics,
  ))
    snapshots.push(await parseSnapshot(text, diagnostics));
  const { cost, rows } = lintRows(snapshots, settings);
  const list = [...diagnostics.list, ...rows];
  return reportOf(exitCodeOf(rows), cost, {
    diagnostics: list,
    markdown: () => diagnosticsMarkdown(summary(cost, list), list),
    advice: summary(cost, rows),
  });
};

function settingsIn(flags: Flags): LintSettings {
  const settings = membersIn<LintSettings>(flags, lintSettings);
  const { budget = 1 } = settings;
  if (Number.isSafeInteger(budget) && budget > 0) return settings;
  throw usageError(
    "MG702",
    "--budget must be a number of tokens",
    "for example --budget 5000",
  );
}

/**
 * The snapshots that the words and flags name: files, or servers to read.
 * Without any, those of the configuration.
 */
async function textsOf(
  operands: readonly string[],
  flags: Flags,
  config: LoadedConfig | null,
  context: Context,
  diagnostics: Diagnostics,
): Promise<SnapshotText[]> {
  const { directory } = context;
  const source = sourceOptions(flags);
  const texts: SnapshotText[] = [];
  const read = async (name: string, from: typeof source): Promise<void> => {
    texts.push({
      text: await pullSource(from, context, diagnostics),
      file: name,
      name,
    });
  };
  if (sourceKind(source) !== null) await read("the server", source);
  for (const word of operands) {
    if (isSnapshotPath(word))
      texts.push(await loadSnapshot(word, directory, diagnostics));
    else await read(word, { ...source, [kindOf(word)]: word });
  }
  if (texts.length > 0) return texts;
  for (const { snapshot } of config?.config.servers ?? [])
    texts.push(
      await loadSnapshot(snapshot, config?.directory ?? directory, diagnostics),
    );
  if (texts.length > 0) return texts;
  const hint =
    "name a snapshot, a URL, an entry of .mcp.json or a module, or use --stdio <command>";
  throw usageError("MG705", "no server is given", hint);
}
