import { createTwoFilesPatch } from "diff";
import type { PlannedFile } from "../../../generator/emit/write.js";
import type { Style } from "../../terminal.js";

/**
 * The maximum number of changed lines in a diff: more take minutes to compute.
 */
const maxLines = 1000;

/**
 * The unified diff between a file on the disk and the generated one. A missing
 * or very different file is described in words.
 */
export function staleDiff(
  { path, current, text, state }: PlannedFile,
  style: Style,
): string {
  if (current === null) return `${style.red("missing")}  ${path}\n`;
  return unifiedDiff(
    [`${path} (on disk, ${state})`, `${path} (as generated)`],
    [current, text],
    style,
  );
}

/** The unified diff between two texts, each with its name. */
export function unifiedDiff(
  [from, to]: readonly [string, string],
  [before, after]: readonly [string, string],
  style: Style,
): string {
  const options = { context: 3, maxEditLength: maxLines };
  const patch = createTwoFilesPatch(
    from,
    to,
    before,
    after,
    undefined,
    undefined,
    options,
  );
  const lines = patch?.split("\n").slice(1) ?? [
    `--- ${from}`,
    `+++ ${to}`,
    `@@ more than ${maxLines} lines differ: the file has ${linesOf(before)}, the new one ${linesOf(after)} @@`,
    "",
  ];
  return lines.map((line) => paint(line, style)).join("\n");
}

function linesOf(text: string): number {
  return text.split("\n").length - 1;
}

function paint(line: string, style: Style): string {
  if (line.startsWith("+++") || line.startsWith("---")) return style.bold(line);
  if (line.startsWith("+")) return style.green(line);
  if (line.startsWith("-")) return style.red(line);
  return line.startsWith("@@") ? style.cyan(line) : line;
}
