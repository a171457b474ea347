import type { Diagnostic } from "../../../diagnostics.js";
import type { Snapshot } from "../../../ir/snapshot/model.js";
import { exitCodes } from "../../command-error.js";
import type { PullReport } from "../../report.js";
import { formatBytes, visible } from "../../terminal.js";

/** The state and content of a snapshot. */
export function pullReport(
  out: string,
  state: PullReport["state"],
  text: string,
  { revision, tools, prompts, resources, templates }: Snapshot,
  diagnostics: readonly Diagnostic[],
): PullReport {
  return {
    kind: "pull",
    exitCode: state === "stale" ? exitCodes.checkFailed : exitCodes.done,
    out,
    state,
    bytes: Buffer.byteLength(text),
    revision,
    tools: tools.length,
    prompts: prompts.length,
    resources: resources.length,
    resourceTemplates: templates.length,
    diagnostics,
    advice: "",
  };
}

/** The report as one line. */
export function pulledLine(report: PullReport): string {
  const { out, state, bytes, revision, tools, prompts, resources, resourceTemplates } = report;
  const counts = [
    [tools, "tool"],
    [prompts, "prompt"],
    [resources, "resource"],
    [resourceTemplates, "resource template"],
  ] as const;
  const offered = counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? "" : "s"}`);
  const what = offered.length === 0 ? "nothing offered" : offered.join(", ");
  return visible(`${out}: ${state}, ${formatBytes(bytes)}, revision ${revision}, ${what}\n`);
}
