import { groupsOf } from "../../../generator/ir/groups.js";
import {
  code,
  counted,
  inline,
  printable,
  prose,
  startOfLine,
} from "../../../generator/ir/report/text.js";
import type { Impact, ImpactLine } from "./model.js";

/** Lines with one cause. */
type Cause = readonly [ImpactLine, ...ImpactLine[]];

/**
 * The report for a terminal, without colours: "!" marks lines that break, "."
 * lines to review.
 */
export function impactText(impact: Impact): string {
  const causes = [...causesIn(impact, true), ...causesIn(impact, false)];
  return report(impact, causes.map(block));
}

function block(cause: Cause): string {
  const [{ change, advice, isBreaking }] = cause;
  const mark = isBreaking ? "!" : ".";
  const rows = [`${mark} ${printable(change)}`];
  if (advice !== null) rows.push(`  to do: ${printable(advice)}`);
  for (const found of cause) {
    const { file, line, column } = found;
    const place = `    ${printable(file)}:${line}:${column}`;
    const error = errorOf(found, printable);
    rows.push(place + error);
  }
  return rows.join("\n");
}

/**
 * The report as Markdown for a pull request. Text of schemas and of the program
 * is escaped for Markdown and HTML.
 */
export function impactMarkdown(impact: Impact): string {
  return report(impact, [
    ...section("Must change", causesIn(impact, true)),
    ...section("Should be reviewed", causesIn(impact, false)),
  ]);
}

function section(title: string, causes: readonly Cause[]): readonly string[] {
  if (causes.length === 0) return [];
  const items = causes.map(item);
  return [`### ${title}`, items.join("\n")];
}

function item(cause: Cause): string {
  const [{ change, advice }] = cause;
  const rows = [`- ${sentence(change)}`];
  if (advice !== null) rows.push(`  - **to do:** ${sentence(advice)}`);
  for (const found of cause) {
    const place = code(`${found.file}:${found.line}`);
    const error = errorOf(found, prose);
    rows.push(`  - ${place}${error}`);
  }
  return rows.join("\n");
}

/** What the compiler says of a line; empty for a change of behaviour. */
function errorOf(
  { code: error, message }: ImpactLine,
  print: (text: string) => string,
): string {
  if (error === null) return "";
  return ` ${error}: ${print(message ?? "")}`;
}

/** A sentence whose parts between backticks are code. */
function sentence(text: string): string {
  const markdown = inline(text, prose, code);
  return startOfLine(markdown);
}

/**
 * The lines that break, or the others, by what changed, in the order of their
 * first line.
 */
function causesIn({ lines }: Impact, isBreaking: boolean): readonly Cause[] {
  const own = lines.filter((line) => line.isBreaking === isBreaking);
  const groups = groupsOf(own, ({ change, advice }) =>
    JSON.stringify([change, advice]),
  );
  return [...groups.values()];
}

function report(impact: Impact, blocks: readonly string[]): string {
  const parts = [summaryOf(impact), ...blocks, ...impact.notes];
  return `${parts.join("\n\n")}\n`;
}

/**
 * The number of lines that must change and that should be reviewed, as
 * sentences.
 */
function summaryOf({ files, lines }: Impact): string {
  if (files === 0) return "No file of the program imports the generated files.";
  if (lines.length === 0) return "The change touches no line of the program.";
  const placeOf = ({ file, line }: ImpactLine): string => `${file}:${line}`;
  const breaking = lines.filter(({ isBreaking }) => isBreaking);
  const all = new Set(lines.map(placeOf)).size;
  const broken = new Set(breaking.map(placeOf)).size;
  const sentences = [
    `The change touches ${counted(all, "line")} of the program:`,
    `${counted(broken, "line")} must change,`,
    `${counted(all - broken, "line")} should be reviewed.`,
  ];
  return sentences.join(" ");
}
