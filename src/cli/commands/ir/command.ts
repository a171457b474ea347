import { Diagnostics } from "../../../generator/diagnostics.js";
import { serialize } from "../../../generator/ir/serialize.js";
import type { Command } from "../../command.js";
import {
  namedExtensions,
  readExtended,
} from "../../../generator/inputs/extensions.js";
import { exitCodes } from "../../command-error.js";
import { namedSource } from "../../../generator/inputs/schemas.js";

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
