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
interface Group extends Pick<ImpactLine, "change" | "advice" | "isBreaking"> {
  readonly lines: readonly ImpactLine[];
}

const maxLength = 400;

/**
 * The report for a terminal, without colours: "!" marks lines that break, "."
 * lines to review.
 */
export function impactText(impact: Impact): string {
  const blocks = causesIn(impact).map(({ change, advice, isBreaking, lines }) =>
    [
      `${isBreaking ? "!" : "."} ${printable(change, maxLength)}`,
      ...(advice === null ? [] : [`  to do: ${printable(advice, maxLength)}`]),
      ...lines.map(({ file, line, column, code: error, message }) => {
        const said =
          error === null
            ? ""
            : ` ${error}: ${printable(message ?? "", maxLength)}`;
        return `    ${printable(file, maxLength)}:${line}:${column}${said}`;
      }),
    ].join("\n"),
  );
  return `${[summaryOf(impact), ...blocks, ...impact.notes].join("\n\n")}\n`;
}

/**
 * The report as Markdown for a pull request. Text of schemas and of the program
 * is escaped for Markdown and HTML.
 */
export function impactMarkdown(impact: Impact): string {
  const groups = causesIn(impact);
  const section = (
    title: string,
    isIn: (group: Group) => boolean,
  ): readonly string[] => {
    const own = groups.filter(isIn);
    return own.length === 0 ? [] : [`### ${title}`, own.map(item).join("\n")];
  };
  const blocks = [
    summaryOf(impact),
    ...section("Must change", ({ isBreaking }) => isBreaking),
    ...section("Should be reviewed", ({ isBreaking }) => !isBreaking),
  ];
  return `${[...blocks, ...impact.notes].join("\n\n")}\n`;
}

function item({ change, advice, lines }: Group): string {
  const places = lines.map(({ file, line, code: error, message }) => {
    const at = code(`${file}:${line}`);
    return `  - ${error === null ? at : `${at} ${error}: ${prose(message ?? "", maxLength)}`}`;
  });
  const todo = advice === null ? [] : [`  - **to do:** ${sentence(advice)}`];
  return [`- ${sentence(change)}`, ...todo, ...places].join("\n");
}

/** A sentence whose parts between backticks are code. */
function sentence(text: string): string {
  return startOfLine(inline(text, (part) => prose(part, maxLength), code));
}

/**
 * Lines by what changed, those that break first, otherwise in the order of
 * their first line.
 */
function causesIn({ lines }: Impact): readonly Group[] {
  const keyOf = ({ change, advice, isBreaking }: ImpactLine): string =>
    JSON.stringify([change, advice, isBreaking]);
  return [...groupsOf(lines, keyOf).values()]
    .map((own) => ({ ...own[0], lines: own }))
    .sort((a, b) => Number(b.isBreaking) - Number(a.isBreaking));
}

/**
 * The number of lines that must change and that should be reviewed, as
 * sentences.
 */
function summaryOf({ files, lines }: Impact): string {
  if (files === 0) return "No file of the program imports the generated files.";
  const keyOf = ({ file, line }: ImpactLine): string => `${file}:${line}`;
  const breaking = new Set(
    lines.filter(({ isBreaking }) => isBreaking).map(keyOf),
  ).size;
  const others = new Set(lines.map(keyOf)).size - breaking;
  if (breaking + others === 0)
    return "The change touches no line of the program.";
  const all = counted(breaking + others, "line");
  return `The change touches ${all} of the program: ${counted(breaking, "line")} must change, ${counted(others, "line")} should be reviewed.`;
}
