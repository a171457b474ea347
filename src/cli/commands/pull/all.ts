import { resolve } from "node:path";
import type { ServerJob, ServerSource } from "../../../config.js";
import { Diagnostics } from "../../../diagnostics.js";
import type { LoadedConfig } from "../../config/load.js";
import { Interruption } from "../../command-error.js";
import { contextOfJob, type Context } from "../../command.js";
import { readText } from "../../destination/find.js";
import type { PullOptions } from "../../options.js";
import { worstExitCode, type FailedReport, type PullReport, type PullsReport } from "../../report.js";
import { parseSnapshot } from "../../../sources/snapshots.js";
import { attempt, failed, noSource } from "../configured.js";
import { INTERRUPTED } from "../generate/finish.js";
import { pullReport } from "./report.js";
import { hasJson, writeSnapshot } from "./write.js";
import { pullSource } from "../../live/snapshot.js";

/** The options for all servers; `capabilities` and `timeout` replace the values of each source. */
type Switches = Pick<PullOptions, "check" | "force"> & Pick<ServerSource, "capabilities" | "timeout">;

/** Takes a snapshot of each server of a configuration; an error of one does not stop the others. */
export async function pullAll(
  { config, directory, file }: LoadedConfig,
  { check, force, ...replacements }: Switches,
  context: Context,
): Promise<PullsReport> {
  const jobs = (config.servers ?? []).flatMap((server) => {
    const source = server.source && { ...server.source, ...replacements };
    return source === undefined ? [] : [{ server, source }];
  });
  if (jobs.length === 0) throw noSource(file);
  const inside = { ...context, directory };
  const servers: (PullReport | FailedReport)[] = [];
  for (const [i, { server, source }] of jobs.entries()) {
    const { snapshot } = server;
    const own = contextOfJob(inside, snapshot, i, jobs.length);
    const attempted = await attempt(snapshot, () => pullOne(snapshot, source, { check, force }, own));
    context.status(null);
    const report = attempted.ended
      ? attempted.result
      : failed(snapshot, attempted.code, attempted.diagnostics);
    await context.report(report);
    servers.push(report);
  }
  const exitCode = worstExitCode(servers.map((report) => report.exitCode));
  const advice = nextStep(
    servers,
    jobs.map(({ server }) => server),
  );
  return { kind: "pulls", exitCode, config: file, servers, diagnostics: [], advice };
}

/** What to do after snapshots changed. */
function nextStep(reports: readonly (PullReport | FailedReport)[], servers: readonly ServerJob[]): string {
  const states = new Set(reports.map((report) => (report.kind === "pull" ? report.state : null)));
  if (states.has("stale")) return "run mcpgen pull without --check to update the stale snapshots\n";
  const isUsed = servers.some(({ out }) => out !== undefined);
  return states.has("written") && isUsed ? "next, generate the files: npx mcpgen\n" : "";
}

async function pullOne(
  file: string,
  source: ServerSource,
  { check, force }: Pick<PullOptions, "check" | "force">,
  context: Context,
): Promise<PullReport> {
  const diagnostics = new Diagnostics();
  const text = await pullSource(source, context, diagnostics);
  // A snapshot that cannot be read again is useless.
  const snapshot = await parseSnapshot({ text, file, name: file }, diagnostics);
  const target = { shown: file, path: resolve(context.directory, file) };
  const current = await readText(target.path);
  const state = hasJson(current, text) ? "unchanged" : check ? "stale" : "written";
  if (context.signal.aborted) throw new Interruption(INTERRUPTED);
  if (state === "written") await writeSnapshot(target, text, current, force);
  return pullReport(file, state, text, snapshot, diagnostics.list);
}
