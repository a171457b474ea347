import { Diagnostics } from "../../../diagnostics.js";
import { serialize } from "../../../ir/serialize.js";
import type { Command } from "../../command.js";
import { namedExtensions, readExtended } from "../../../inputs/extensions.js";
import { exitCodes } from "../../command-error.js";
import { namedSource } from "../../../inputs/schemas.js";

export const run: Command = async ([word = ""], flags, { directory }) => {
  const diagnostics = new Diagnostics();
  const extensions = await namedExtensions(flags.list("extension"), directory);
  const protocols = await readExtended(
    [await namedSource(word, directory)],
    extensions,
    diagnostics,
  );
  const text = protocols.map(serialize).join("");
  return {
    exitCode: exitCodes.done,
    diagnostics: diagnostics.list,
    data: () => text,
  };
};
