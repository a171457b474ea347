import { Diagnostics } from "../../diagnostics.js";
import { diff, renderJson, renderMarkdown, renderText } from "../../ir/diff/index.js";
import type { Command } from "../commands.js";
import { exitCodes, Fault } from "../fault.js";
import { namedSource, readSource, type Source } from "../source.js";
import { tellDiagnostics, visible } from "../terminal.js";

export const run: Command = async ([a = "", b = ""], flags, terminal) => {
  const diagnostics = new Diagnostics();
  const read = async (source: Source) => await readSource(source, diagnostics);
  const before = await read(await namedSource(a));
  const after = await read(await namedSource(b));
  // Both are read before either is complained of, so that one run shows the faults of both.
  if (before === null || after === null) throw new Fault(diagnostics.list);
  tellDiagnostics(terminal, diagnostics.list, flags.on("quiet"));
  const comparison = diff(before, after);
  const render = flags.on("json") ? renderJson : flags.on("markdown") ? renderMarkdown : renderText;
  const text = flags.on("json") ? render(comparison) : visible(render(comparison));
  if (text !== "") await terminal.out(text.endsWith("\n") ? text : `${text}\n`);
  return comparison.differences.length === 0 ? exitCodes.done : exitCodes.found;
};
