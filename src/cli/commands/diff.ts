import { Diagnostics } from "../../diagnostics.js";
import { diff, renderJson, renderMarkdown, renderText } from "../../ir/diff/index.js";
import type { Protocol } from "../../ir/model.js";
import type { Command } from "../commands.js";
import { askedExtensions, readExtended } from "../extensions.js";
import { exitCodes } from "../fault.js";
import { namedSource } from "../source.js";
import { tellDiagnostics, visible } from "../terminal.js";

export const run: Command = async ([a = "", b = ""], flags, terminal) => {
  const diagnostics = new Diagnostics();
  const extensions = await askedExtensions(flags.text("extension"));
  const sources = [await namedSource(a), await namedSource(b)];
  const protocols = await readExtended(sources, extensions, diagnostics);
  const [before, after] = protocols as [Protocol, Protocol];
  tellDiagnostics(terminal, diagnostics.list, flags.on("quiet"));
  const comparison = diff(before, after);
  const render = flags.on("json") ? renderJson : flags.on("markdown") ? renderMarkdown : renderText;
  const text = flags.on("json") ? render(comparison) : visible(render(comparison));
  if (text !== "") await terminal.out(text.endsWith("\n") ? text : `${text}\n`);
  return comparison.differences.length === 0 ? exitCodes.done : exitCodes.found;
};
