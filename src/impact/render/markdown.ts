import { code, prose } from "../../ir/diff/render/markdown.js";
import type { Impact, ImpactLine } from "../model.js";
import { partsOf } from "../quote.js";
import { type Group, groupsOf, summaryOf } from "./groups.js";

/** The report as Markdown for a pull request. Text of schemas and of the program is escaped for Markdown and HTML. */
export function impactMarkdown(impact: Impact): string {
  const groups = groupsOf(impact);
  const breaking = groups.filter(({ lines }) => lines[0]?.isBreaking === true);
  const others = groups.filter((group) => !breaking.includes(group));
  const blocks = [summaryOf(impact), ...list("Must change", breaking), ...list("Should be reviewed", others)];
  return `${[...blocks, ...impact.notes].join("\n\n")}\n`;
}

function list(title: string, groups: readonly Group[]): readonly string[] {
  return groups.length === 0 ? [] : [`### ${title}`, groups.map(item).join("\n")];
}

const maxLength = 400;

function item({ change, advice, lines }: Group): string {
  const todo = advice === null ? [] : [`  - **to do:** ${sentence(advice)}`];
  return [`- ${sentence(change)}`, ...todo, ...lines.map((line) => `  - ${locationText(line)}`)].join("\n");
}

function sentence(text: string): string {
  return partsOf(text)
    .map((part) => (part.isCode ? code(part.text) : prose(part.text, maxLength)))
    .join("");
}

function locationText({ file, line, code: error, message }: ImpactLine): string {
  const at = code(`${file}:${line}`);
  return error === null ? at : `${at} ${error}: ${prose(message ?? "", maxLength)}`;
}
