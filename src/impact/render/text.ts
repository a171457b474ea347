import { printable } from "../../ir/diff/render/groups.js";
import type { Impact, ImpactLine } from "../model.js";
import { groupsOf, summaryOf } from "./groups.js";

/** The report for a terminal, without colours: "!" marks lines that break, "." lines to review. */
export function impactText(impact: Impact): string {
  const blocks = groupsOf(impact).map(({ change, advice, lines }) =>
    [
      `${lines[0]?.isBreaking === true ? "!" : "."} ${printable(change, maxLength)}`,
      ...(advice === null ? [] : [`  to do: ${printable(advice, maxLength)}`]),
      ...lines.map(lineOf),
    ].join("\n"),
  );
  return `${[summaryOf(impact), ...blocks, ...impact.notes].join("\n\n")}\n`;
}

const maxLength = 400;

function lineOf({ file, line, column, code, message }: ImpactLine): string {
  const error = code === null ? "" : ` ${code}: ${printable(message ?? "", maxLength)}`;
  return `    ${printable(file, maxLength)}:${line}:${column}${error}`;
}
