import { createTwoFilesPatch } from "diff";
import type { PlannedFile } from "../../../emit/write.js";
import type { Style } from "../../terminal.js";

/** The maximum number of changed lines in a diff: more take minutes to compute. */
const maxLines = 1000;

/**
 * The unified diff between a file on the disk and the generated one. A missing or very different file is described in
 * words.
 */
export function staleDiff({ path, current, text, state }: PlannedFile, style: Style): string {
  if (current === null) return `${style.red("missing")}  ${path}\n`;
  const names = [`${path} (on disk, ${state})`, `${path} (as generated)`] as const;
  const options = { context: 3, maxEditLength: maxLines };
  const patch = createTwoFilesPatch(names[0], names[1], current, text, undefined, undefined, options);
  const lines = patch?.split("\n").slice(1) ?? [
    `--- ${names[0]}`,
    `+++ ${names[1]}`,
    `@@ more than ${maxLines} lines differ: the file has ${linesOf(current)}, the generated one ${linesOf(text)} @@`,
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
