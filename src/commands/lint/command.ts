import { Diagnostics } from "../../generator/diagnostics.js";
import type { LintSettings } from "../../config.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import {
  parseSnapshot,
  type SnapshotText,
} from "../../generator/inputs/snapshots.js";
import { isOfSchema, lintRows } from "./check.js";
import { summary } from "./lint.js";
import type { Command, Context } from "../../cli/command.js";
import { usageError } from "../../cli/command-error.js";
import { lintSettings } from "../../cli/flag-specs.js";
import type { Flags } from "../../cli/flag-values.js";
import { findConfig } from "../../cli/config/find.js";
import { loadConfig, type LoadedConfig } from "../../cli/config/load.js";
import { membersIn, sourceOptions } from "../../cli/options.js";
import { exitCodeOf, reportOf } from "../../cli/report.js";
import { diagnosticsMarkdown } from "../../cli/diagnostics-markdown.js";
import { configured, namedSources, noServer } from "../../cli/source/find.js";
import { readSnapshotOf } from "../../cli/source/read.js";

export const run: Command = async (operands, flags, context) => {
  const diagnostics = new Diagnostics();
  const { directory } = context;
  const path = await findConfig(null, directory);
  // Files are read without running the code of a configuration.
  const isRun = path?.endsWith(".json") === true || !areFiles(operands);
  const config = path !== null && isRun ? await loadConfig(path) : null;
  const settings = { ...config?.config.lint, ...settingsIn(flags) };
  const snapshots: Snapshot[] = [];
  for (const text of await textsOf(
    operands,
    flags,
    config,
    context,
    diagnostics,
  ))
    snapshots.push(await parseSnapshot({ ...text, says: "each" }, diagnostics));
  const { cost, rows } = lintRows(snapshots, settings, diagnostics.list);
  const others = diagnostics.list.filter((row) => !isOfSchema(row));
  const list = [...others, ...rows];
  return reportOf(exitCodeOf(rows), cost, {
    diagnostics: list,
    markdown: () => diagnosticsMarkdown(summary(cost, list), list),
    isInMarkdown: true,
    advice: summary(cost, rows),
  });
};

/** True if the words of a command line are files. */
const areFiles = (words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => word.endsWith(".json"));

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
 * The snapshots that the words and flags name. Without any, those of the
 * configuration.
 */
async function textsOf(
  operands: readonly string[],
  flags: Flags,
  config: LoadedConfig | null,
  context: Context,
  diagnostics: Diagnostics,
): Promise<SnapshotText[]> {
  const server = sourceOptions(flags);
  const { directory } = context;
  const named = await namedSources("snapshot", operands, server, directory);
  const sources = named.length > 0 ? named : configured(config);
  if (sources.length === 0) throw noServer();
  const texts: SnapshotText[] = [];
  for (const source of sources)
    texts.push(
      await readSnapshotOf(source, "snapshot", server, context, diagnostics),
    );
  return texts;
}
