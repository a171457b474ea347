import type { Diagnostic } from "../../../generator/diagnostics.js";
import { counted } from "../../../generator/ir/report/text.js";
import type { Snapshot } from "../../../generator/ir/snapshot/model.js";
import { exitCodes } from "../../command-error.js";
import { type Report, reportOf } from "../../report.js";
import { stemIn } from "../../snapshot-file.js";
import type { Source } from "../../source/find.js";
import { shownSource } from "../../source/shown.js";
import { formatBytes } from "../../terminal.js";

/** The state of the file of a snapshot. */
export type SnapshotState = "unchanged" | "stale" | "written";

/** The state and content of a snapshot; its text is one line. */
export function pullReport(
  out: string,
  state: SnapshotState,
  text: string,
  { revision, ...lists }: Snapshot,
  diagnostics: readonly Diagnostic[],
): Report {
  const [tools, prompts, resources] = [
    lists.tools.length,
    lists.prompts.length,
    lists.resources.length,
  ];
  const resourceTemplates = lists.templates.length;
  const counts = [
    [tools, "tool"],
    [prompts, "prompt"],
    [resources, "resource"],
    [resourceTemplates, "resource template"],
  ] as const;
  const offered = counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun));
  const what = offered.length === 0 ? "nothing offered" : offered.join(", ");
  const size = formatBytes(Buffer.byteLength(text));
  return reportOf(
    state === "stale" ? exitCodes.checkFailed : exitCodes.done,
    { out, state, revision, tools, prompts, resources, resourceTemplates },
    {
      diagnostics,
      text: () => `${out}: ${state}, ${size}, revision ${revision}, ${what}\n`,
    },
  );
}

/** What to do after snapshots of these sources were taken, in one line each. */
export function adviceOn(
  servers: readonly {
    readonly out: string;
    readonly state: SnapshotState | null;
  }[],
  sources: readonly Source[],
): string {
  const states = servers.map(({ state }) => state);
  if (states.includes("stale"))
    return "run the same command without --check to write it\n";
  const isUsed = sources.some(
    ({ parts }, i) => parts.job?.out !== undefined && states[i] === "written",
  );
  const unrecorded = sources.flatMap((source, i) => {
    const { state, out } = servers[i] ?? { state: null, out: "" };
    if (source.parts.job !== undefined || state !== "written") return [];
    const word = JSON.stringify(shownSource(source));
    return `keep it current: npx mcpgen add ${word} --name ${stemIn(out)}\n`;
  });
  const generate = isUsed ? "next, generate the files: npx mcpgen\n" : "";
  return `${unrecorded.join("")}${generate}`;
}
