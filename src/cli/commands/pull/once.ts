import { resolve } from "node:path";
import type { ServerJob } from "../../../config.js";
import {
  type Diagnostic,
  makeDiagnostic,
  oneForEachCode,
} from "../../../generator/diagnostics.js";
import { findManifest } from "../../../generator/emit/write.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import { select } from "../../../generator/ir/snapshot/select.js";
import { unsaidIn, unsaidText } from "../../../generator/ir/snapshot/unsaid.js";
import { renamingText } from "../../../generator/view/naming.js";
import { ProjectNaming } from "../../../generator/view/project/naming.js";

/**
 * Says once, of a snapshot that was just taken, how many names of the server
 * are changed in TypeScript, and how many tools do not say whether they change
 * anything. A job says which entries and names are used. Of the server of a
 * person who designs it, `stubs` says each name, and `lint` the tools.
 */
export function saidOnceOf(
  whole: Snapshot,
  { include = {}, exclude = {}, names, out }: Partial<ServerJob>,
  directory: string,
): readonly Diagnostic[] {
  if (whole.revisions !== null) return [];
  const { snapshot } = select(whole, include, exclude);
  const given = out && findManifest(resolve(directory, out))?.names;
  const { renamings } = new ProjectNaming(
    { ...snapshot, definitions: [] },
    names,
    given || {},
  );
  const rows = renamings.map((renaming) =>
    makeDiagnostic("warning", "MG452", renamingText(renaming)),
  );
  const { tools } = snapshot;
  const unsaid = unsaidIn(tools).length;
  const text = unsaidText(unsaid, tools.length);
  return [
    ...oneForEachCode(rows, '"names" of the configuration gives other names'),
    ...(unsaid === 0
      ? []
      : [makeDiagnostic("note", "MG931", text, "see mcpgen lint")]),
  ];
}
