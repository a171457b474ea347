import type { ServerSource } from "../../../config.js";
import type { Command } from "../../command.js";
import { usageError } from "../../command-error.js";
import { configFor } from "../../config/load.js";
import { type FlagName, server } from "../../flag-specs.js";
import type { Flags } from "../../flag-values.js";
import { sourceKind } from "../../live/find-address.js";
import { membersIn, sourceOptions } from "../../options.js";
import { configured, namedSources, noServer } from "../../source/find.js";
import { noSource } from "../configured.js";
import { jobsFor, pullAll } from "./all.js";
import { pullOne } from "./one.js";
import { adviceOn } from "./report.js";

export const run: Command = async (words, flags, context) => {
  const given = sourceOptions(flags);
  const out = flags.text("out");
  const switches = { check: flags.on("check"), force: flags.on("force") };
  const { directory } = context;
  const named = await namedSources("server", words, given, directory);
  // A flag names the server.
  if (sourceKind(given) !== null && named[0] !== undefined) {
    const job = {
      source: given,
      directory,
      out,
      base: directory,
      isNamed: out !== null,
      name: null,
    };
    const pulled = await pullOne(job, switches, context);
    return { ...pulled.report, advice: adviceOn([pulled], named) };
  }
  const { capabilities, timeout } = server;
  const common = membersIn<ServerSource>(flags, { capabilities, timeout });
  if (words.length > 0) {
    const jobs = await jobsFor(named, out, directory);
    // The value of a flag is for one server only: it may be a secret.
    if (jobs.length > 1) rejectServerFlags(flags, null);
    const source = jobs.length > 1 ? common : given;
    return await pullAll(jobs, null, { ...switches, source }, context);
  }
  // `--config` names a server here, so the nearest configuration is used.
  const config = out === null ? await configFor(null, directory) : null;
  if (config === null) throw noServer();
  rejectServerFlags(flags, config.file);
  const sources = configured(config, ({ source }) => source !== undefined);
  if (sources.length === 0) throw noSource(config.file);
  const jobs = await jobsFor(sources, null, directory);
  const whole = { ...switches, source: common };
  return await pullAll(jobs, config.file, whole, context);
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
