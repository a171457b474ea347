import type { ServerSource } from "../../../config.js";
import type { Command } from "../../command.js";
import { usageError } from "../../command-error.js";
import { type FlagName, server } from "../../flag-specs.js";
import type { Flags } from "../../flag-values.js";
import { sourceKind } from "../../live/find-address.js";
import { membersIn, sourceOptions } from "../../options.js";
import { configFor, noSource } from "../configured.js";
import { jobsIn, pullAll } from "./all.js";
import { jobsNamed } from "./named.js";
import { pullOne } from "./one.js";

export const run: Command = async (names, flags, context) => {
  const source = sourceOptions(flags);
  const out = flags.text("out");
  const switches = { check: flags.on("check"), force: flags.on("force") };
  const { directory } = context;
  const kind = sourceKind(source);
  if (kind !== null) {
    if (names[0] !== undefined) {
      const message = `${JSON.stringify(names[0])} and --${kind} name two servers`;
      throw usageError("MG705", message, "remove one of them");
    }
    const job = { source, directory, out, base: directory, name: null };
    const { state, report } = await pullOne(job, switches, context);
    const advice =
      state === "stale"
        ? "run the same command without --check to write it\n"
        : "";
    return { ...report, advice };
  }
  // `--config` names a server here, so the nearest configuration is used.
  const config =
    names.length > 0 || out === null ? await configFor(null, directory) : null;
  const { capabilities, timeout } = server;
  const replacements = membersIn<ServerSource>(flags, {
    capabilities,
    timeout,
  });
  if (names.length > 0) {
    const jobs = await jobsNamed(names, config, out, directory);
    // The value of a flag is for one server only: it may be a secret.
    if (jobs.length > 1) rejectServerFlags(flags, null);
    const own = jobs.length > 1 ? replacements : source;
    return await pullAll(
      jobs,
      config?.file ?? null,
      { ...switches, source: own },
      context,
    );
  }
  if (config !== null) {
    rejectServerFlags(flags, config.file);
    const jobs = jobsIn(config);
    if (jobs.length === 0) throw noSource(config.file);
    return await pullAll(
      jobs,
      config.file,
      { ...switches, source: replacements },
      context,
    );
  }
  throw usageError(
    "MG705",
    "no server is given",
    'name an entry of .mcp.json, use --url <url>, --stdio "<command>" or --module <file#export>, or create a configuration with mcpgen init',
  );
};

/**
 * Rejects flags that apply to one server, since several are read: those of a
 * configuration, unless `file` is null.
 */
function rejectServerFlags(flags: Flags, file: string | null): void {
  const ofOne = Object.entries(server).filter(
    ([name]) => name !== "capabilities" && name !== "timeout",
  );
  const [flag, spec] =
    ofOne.find(([name]) => flags.text(name as FlagName) !== null) ?? [];
  if (flag === undefined) return;
  if (file === null)
    throw usageError(
      "MG705",
      `--${flag} is for one server`,
      "name only that server",
    );
  const hint = `set "${spec?.sets?.member}" in the source of a server there, or name one server with --url, --stdio, --module or --config`;
  throw usageError(
    "MG705",
    `--${flag} is set for each server in ${file}`,
    hint,
  );
}
