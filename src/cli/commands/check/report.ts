import { renderDriftsMarkdown, renderDriftsText } from "../../../ir/snapshot/diff/index.js";
import { visible, type Style } from "../../terminal.js";
import type { JobCheck } from "../../report.js";
import type { Staleness } from "./staleness.js";

/** A checked job for a terminal. */
export function jobText({ out, snapshot, output, drift }: JobCheck, style: Style): string {
  const lines: string[] = [];
  if (output !== null) {
    lines.push(`${style.bold(visible(out ?? ""))}: ${outputWords(output)}`);
    lines.push(...output.reasons.map(({ text }) => `  ${visible(text)}`));
    if (output.state !== "current")
      lines.push(...output.files.map(({ path, state }) => `  ${state.padEnd(9)} ${visible(path)}`));
  }
  if (drift !== null) {
    const { comparison, accepted, idle, audience } = drift;
    const count = comparison.drifts.length;
    const words = count === 0 ? "the server has not drifted" : "the server has drifted";
    const also = accepted.length === 0 ? "" : ` (${accepted.length} accepted)`;
    lines.push(`${style.bold(visible(snapshot ?? ""))}: ${words}${also}`);
    if (count > 0) lines.push(indented(visible(renderDriftsText(comparison, audience))));
    lines.push(
      ...idle.map(
        (row) => `  accepted, but no longer present: ${visible(`${row.change} of ${subjectOf(row)}`)}`,
      ),
    );
  }
  if (lines.length === 0)
    lines.push(`${style.bold(visible(snapshot ?? ""))}: no files are generated from it`);
  return `${lines.join("\n")}\n`;
}

function subjectOf({ subject, path }: { subject: { kind: string; name: string }; path: string }): string {
  return [subject.kind, subject.name, path].filter((part) => part !== "").join(" ");
}

function outputWords({ state }: Staleness): string {
  if (state === "current") return "up to date";
  return state === "stale" ? "stale" : "only the generator's version has changed";
}

function indented(text: string): string {
  return text.trimEnd().replace(/^(?=.)/gm, "  ");
}

/** All checked jobs for a comment on a pull request. */
export function checksMarkdown(checks: readonly JobCheck[]): string {
  const blocks = checks.flatMap(({ out, snapshot, output, drift }): string[] => {
    const blocks: string[] = [];
    if (output !== null && output.state !== "current") {
      const list = output.reasons.map(({ text }) => `- ${plain(text)}`);
      blocks.push(
        `## ${plain(out ?? "")} is ${output.state === "stale" ? "stale" : "from another version"}`,
        list.join("\n"),
      );
    }
    if (drift !== null) {
      const { comparison, accepted, idle } = drift;
      if (comparison.drifts.length > 0) blocks.push(renderDriftsMarkdown(comparison).trimEnd());
      if (accepted.length > 0) blocks.push(`${accepted.length} of ${plain(snapshot ?? "")} accepted.`);
      const gone = idle.map((row) => `- ${plain(`${row.change} of ${subjectOf(row)}`)}`);
      if (gone.length > 0) blocks.push(`Accepted, but no longer present:\n\n${gone.join("\n")}`);
    }
    return blocks;
  });
  return blocks.length === 0 ? "Everything is up to date.\n" : `${blocks.join("\n\n")}\n`;
}

/** Text among Markdown, on one line, with nothing in it that means anything there. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")
    .replace(/[\\`*_{}[\]<>()#+!~@&]/g, "\\$&")
    .replaceAll("|", "&#124;");
}
