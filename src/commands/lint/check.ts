import { Diagnostics, type Diagnostic } from "../../generator/diagnostics.js";
import type { LintSettings } from "../../config.js";
import type { Snapshot } from "../../generator/ir/snapshot/model.js";
import {
  loadSnapshot,
  parseSnapshot,
} from "../../generator/inputs/snapshots.js";
import type { Findings } from "../../cli/command.js";
import { attempt } from "../../cli/commands/configured.js";
import type { LoadedConfig } from "../../cli/config/load.js";
import { type Cost, lint, summary } from "./lint.js";
import { defaultProviders, profiles } from "./providers.js";

/**
 * True for what the reader of a snapshot says of a malformed keyword, of a
 * reference or of a pattern: providers refuse them, too.
 */
export const isOfSchema = ({ code }: Diagnostic): boolean =>
  ["MG305", "MG306", "MG307"].includes(code);

/**
 * What the rules say of some servers, and what their reader said of schemas,
 * without what the settings ignore.
 */
export function lintRows(
  snapshots: readonly Snapshot[],
  { for: names = defaultProviders, budget, ignore = [] }: LintSettings,
  read: readonly Diagnostic[],
): { readonly cost: Cost; readonly rows: readonly Diagnostic[] } {
  const diagnostics = new Diagnostics();
  const named = profiles.filter(({ id }) => names.includes(id));
  const cost = lint(
    snapshots,
    { providers: named, budget: budget ?? null },
    diagnostics,
  );
  const rows = [...read.filter(isOfSchema), ...diagnostics.list].filter(
    ({ code, within }) =>
      !ignore.includes(code) &&
      !within.some((step) =>
        ignore.includes(`${code} ${step.replace(/^tool "?|"$/g, "")}`),
      ),
  );
  return { cost, rows };
}

/**
 * What the rules say of the snapshots of a configuration. A snapshot that cannot
 * be read is an error of its job.
 */
export async function check({
  config,
  directory,
}: LoadedConfig): Promise<Findings> {
  const diagnostics = new Diagnostics();
  const read = (config.servers ?? []).map(async ({ snapshot }) =>
    attempt(snapshot, async () => {
      const text = await loadSnapshot(snapshot, directory, diagnostics);
      return await parseSnapshot({ ...text, says: "each" }, diagnostics);
    }),
  );
  const snapshots = (await Promise.all(read)).flatMap((one) =>
    one.ended ? [one.result] : [],
  );
  const { cost, rows } = lintRows(
    snapshots,
    config.lint ?? {},
    diagnostics.list,
  );
  const line = (some: readonly Diagnostic[]): string => summary(cost, some);
  return { rows, total: { json: { lint: cost }, line } };
}
