import { createTwoFilesPatch } from "diff";
import type { PlannedFile } from "../../../emit/write.js";
import type { Style } from "../../terminal.js";

/** How a file on the disk differs from what would be written, as a unified diff; a file that is missing, in one line. */
export function staleDiff({ path, current, text, state }: PlannedFile, style: Style): string {
  if (current === null) return `${style.red("missing")}  ${path}\n`;
  const names = [`${path} (on disk, ${state})`, `${path} (as generated)`] as const;
  const patch = createTwoFilesPatch(names[0], names[1], current, text, undefined, undefined, { context: 3 });
  return patch
    .split("\n")
    .slice(1)
    .map((line) => paint(line, style))
    .join("\n");
}

function paint(line: string, style: Style): string {
  if (line.startsWith("+++") || line.startsWith("---")) return style.bold(line);
  if (line.startsWith("+")) return style.green(line);
  if (line.startsWith("-")) return style.red(line);
  return line.startsWith("@@") ? style.cyan(line) : line;
}
