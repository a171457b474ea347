import { renderMarkdown } from "../../../ir/diff/index.js";
import { code } from "../../../ir/report/text.js";
import { impactMarkdown } from "../../../impact/render.js";
import type { UpdateReport } from "../../report.js";
import { occasionOf } from "./occasion.js";

/** The compared schemas, what changed in the protocol, and the lines to change as Markdown, for the text of a pull request. */
export function updateMarkdown({ source, version, revisions, extensions, impacts }: UpdateReport): string {
  const rows = [...revisions, ...extensions];
  const at = version.commit === undefined ? "" : ` at ${code(version.commit)}`;
  const table = [
    "| schema | state | file |",
    "| --- | --- | --- |",
    ...rows.map(
      ({ name, state, file }) => `| ${code(name)} | ${state} | ${file === null ? "" : code(file)} |`,
    ),
  ];
  const changes = rows.flatMap(({ change }) => {
    const text = change?.comparison ? renderMarkdown(change.comparison).trimEnd() : "";
    return text === "" ? [] : [text];
  });
  const lines = impacts.map(({ tsconfig, impact, ...program }) => {
    return `## ${code(tsconfig)}, ${occasionOf(program, code)}\n\n${impactMarkdown(impact).trimEnd()}`;
  });
  return `${[`Schemas of ${code(source)}${at}:`, table.join("\n"), ...changes, ...lines].join("\n\n")}\n`;
}
