import type { Surface } from "../../../ir/surface/model.js";
import { formatBytes, visible } from "../../terminal.js";

/** What became of a snapshot and what it holds, in one line. */
export function pulledLine(file: string, state: string, text: string, surface: Surface): string {
  return visible(`${file}: ${state}, ${formatBytes(Buffer.byteLength(text))}, ${sentence(surface)}\n`);
}

function sentence({ revision, tools, prompts, resources, templates }: Surface): string {
  const counts = [
    [tools.length, "tool"],
    [prompts.length, "prompt"],
    [resources.length, "resource"],
    [templates.length, "resource template"],
  ] as const;
  const told = counts
    .filter(([count]) => count > 0)
    .map(([count, of]) => `${count} ${of}${count === 1 ? "" : "s"}`);
  return `revision ${revision}, ${told.length === 0 ? "nothing offered" : told.join(", ")}`;
}
