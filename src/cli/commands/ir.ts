import { Diagnostics } from "../../diagnostics.js";
import { serialize } from "../../ir/serialize.js";
import type { Command } from "../commands.js";
import { namedExtensions, readExtended } from "../../sources/extensions.js";
import { exitCodes } from "../command-error.js";
import { namedSource } from "../../sources/schemas.js";
import { tellDiagnostics } from "../terminal.js";

export const run: Command = async ([word = ""], flags, terminal) => {
  const diagnostics = new Diagnostics();
  const extensions = await namedExtensions(flags.list("extension"));
  const protocols = await readExtended([await namedSource(word)], extensions, diagnostics);
  tellDiagnostics(terminal, diagnostics.list, flags.on("quiet"));
  for (const protocol of protocols) await terminal.out(serialize(protocol));
  return exitCodes.done;
};
