import { Diagnostics } from "../../diagnostics.js";
import { readSnapshot } from "../../read/snapshot/index.js";
import type { Command, Context } from "../command.js";
import { exitCodes, CommandError, Interruption, usageError } from "../command-error.js";
import type { Flags } from "../flag-specs.js";
import { readText } from "../destination/find.js";
import { sourceKind } from "../live/find-address.js";
import { pullSnapshot } from "../live/snapshot.js";
import { present, sourceOptions, type PullOptions } from "../options.js";
import type { PullReport } from "../report.js";
import { configFor } from "./configured.js";
import { INTERRUPTED } from "./generate/finish.js";
import { pullAll } from "./pull/all.js";
import { pullReport } from "./pull/report.js";
import { targetOf } from "./pull/target.js";
import { hasJson, writeSnapshot } from "./pull/write.js";

export const run: Command = async (_words, flags, context) => {
  const source = sourceOptions(flags);
  const named = present({ out: flags.text("out") });
  const switches = { check: flags.on("check"), force: flags.on("force") };
  if (sourceKind(source) !== null) return await pull({ source, ...switches, ...named }, context);
  // `--config` names a server here, so the nearest configuration is used.
  const config = named.out === undefined ? await configFor(null, context.directory) : null;
  if (config !== null) {
    rejectServerFlags(flags, config.file);
    const { capabilities = null, timeout = null } = source;
    return await pullAll(config, { ...switches, ...present({ capabilities, timeout }) }, context);
  }
  throw usageError(
    "MG705",
    "no server is given",
    'use --url <url>, --stdio "<command>", --config <name> or --module <file#export>, or create a configuration with mcpgen init',
  );
};

/** Rejects flags that apply to one server, because a configuration has their values for each server. */
function rejectServerFlags(flags: Flags, file: string): void {
  const flag = (["header", "auth", "issuer", "env", "not-secret"] as const).find(
    (name) => flags.text(name) !== null,
  );
  if (flag === undefined) return;
  const key = flag === "not-secret" ? "notSecret" : flag;
  const hint = `set "${key}" in the source of a server there, or name one server with --url, --stdio, --module or --config`;
  throw usageError("MG705", `--${flag} is set for each server in ${file}`, hint);
}

/** Takes a snapshot of one server and writes it, or compares it with the file. */
async function pull({ source, out, check, force }: PullOptions, context: Context): Promise<PullReport> {
  const diagnostics = new Diagnostics();
  const text = await pullSnapshot(source, context, diagnostics);
  const target = await targetOf(out ?? null, context.directory, nameIn(text));
  const { shown: file } = target;
  const snapshot = await readSnapshot(text, { file, name: file }, diagnostics);
  // A snapshot that cannot be read again is useless.
  if (snapshot === null) throw new CommandError(diagnostics.list, exitCodes.unreachable);
  const current = await readText(target.path);
  const state = hasJson(current, text) ? "unchanged" : check ? "stale" : "written";
  if (context.signal.aborted) throw new Interruption(INTERRUPTED);
  if (state === "written") await writeSnapshot(target, text, current, force);
  const report = pullReport(file, state, text, snapshot, diagnostics.list);
  const advice = state === "stale" ? "run the same command without --check to write it\n" : "";
  return { ...report, advice };
}

/** The server's own name, for the name of a file. */
function nameIn(text: string): string {
  const { server } = JSON.parse(text) as { readonly server: { readonly name?: unknown } };
  return typeof server.name === "string" ? server.name : "";
}
