import type { Command } from "../../command.js";
import { usageError } from "../../command-error.js";
import { generateJob, namesOf } from "../../flag-specs.js";
import { generateOptions, writeOptions } from "../../options.js";
import { generate } from "./directory.js";

export const run: Command = async (_words, flags, context) => {
  const isBare = (["version", "schema", "out"] as const).every(
    (name) => flags.text(name) === null,
  );
  if (!isBare) {
    if (flags.text("config") === null)
      return await generate(generateOptions(flags), context);
    const message =
      "--config and --version, --schema or --out exclude each other";
    throw usageError(
      "MG705",
      message,
      "a configuration sets them for each job",
    );
  }
  const { runJobs } = await import("../configured.js");
  const { configFor } = await import("../../config/load.js");
  const config = await configFor(flags.text("config"), context.directory);
  if (config === null) {
    throw usageError(
      "MG740",
      "no configuration was found, so there is nothing to generate",
      "run mcpgen add <server> to call a server, mcpgen init to create one, or mcpgen --version all --out <dir> to generate without one",
    );
  }
  const flag = namesOf(generateJob).find((name) => flags.text(name) !== null);
  if (flag !== undefined) {
    throw usageError(
      "MG705",
      `--${flag} is set for each job in ${config.file}`,
      "set it there",
    );
  }
  return await runJobs(config, writeOptions(flags), context);
};
