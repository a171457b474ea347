import { Diagnostics } from "../../diagnostics.js";
import { serialize } from "../../ir/serialize.js";
import type { Command } from "../commands.js";
import { exitCodes, Fault } from "../fault.js";
import { namedSource, readSource } from "../source.js";
import { tellDiagnostics } from "../terminal.js";

export const run: Command = async ([word = ""], flags, terminal) => {
  const diagnostics = new Diagnostics();
  const protocol = await readSource(await namedSource(word), diagnostics);
  if (protocol === null) throw new Fault(diagnostics.list);
  tellDiagnostics(terminal, diagnostics.list, flags.on("quiet"));
  await terminal.out(serialize(protocol));
  return exitCodes.done;
};
