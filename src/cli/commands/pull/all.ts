import type { ServerSource } from "../../../config.js";
import type { LoadedConfig } from "../../config/load.js";
import { exitCodes } from "../../command-error.js";
import { contextOfJob, type Context } from "../../command.js";
import type { PullOptions } from "../../options.js";
import { type Report, reportOf, worstExitCode } from "../../report.js";
import { attempt, failed } from "../configured.js";
import { type Pulled, pullOne, type PullJob } from "./one.js";
import { stemIn } from "./target.js";

/** One snapshot of several. */
export interface NamedJob extends PullJob {
  /**
   * The names of the server on the command line; the first one is its title in
   * messages.
   */
  readonly names: readonly string[];
  /** True if files are generated from the snapshot. */
  readonly isUsed: boolean;
}

/** The servers of a configuration that have a source. */
export function jobsIn({ config, directory }: LoadedConfig): NamedJob[] {
  return (config.servers ?? []).flatMap(({ snapshot, source, name, out }) => {
    if (source === undefined) return [];
    const names = [snapshot, stemIn(snapshot), name, source.config].filter(
      (one) => one !== undefined,
    );
    return [
      {
        names,
        source,
        directory,
        out: snapshot,
        base: directory,
        name: null,
        isUsed: out !== undefined,
      },
    ];
  });
}

/**
 * Takes the snapshots one after the other; an error of one does not stop the
 * others. `source` replaces values of each source.
 */
export async function pullAll(
  jobs: readonly NamedJob[],
  config: string | null,
  { source, ...switches }: PullOptions & { readonly source: ServerSource },
  context: Context,
): Promise<Report> {
  const servers: Pulled[] = [];
  for (const [i, job] of jobs.entries()) {
    const title = job.names[0] ?? "";
    const own = contextOfJob(context, title, i, jobs.length);
    const one = { ...job, source: { ...job.source, ...source } };
    const attempted = await attempt(title, () => pullOne(one, switches, own));
    context.status(null);
    const pulled = attempted.ended
      ? attempted.result
      : {
          out: title,
          state: null,
          report: failed(title, attempted.code, attempted.diagnostics),
        };
    context.report(pulled.report);
    servers.push(pulled);
  }
  const rows = servers.map(({ out, state, report }) => {
    return state === null
      ? report.json
      : { ok: report.exitCode === exitCodes.done, out, state };
  });
  const exitCode = worstExitCode(servers.map(({ report }) => report.exitCode));
  return reportOf(
    exitCode,
    { config, servers: rows },
    { advice: nextStep(servers, jobs) },
  );
}

/** What to do after snapshots changed. */
function nextStep(
  servers: readonly Pulled[],
  jobs: readonly NamedJob[],
): string {
  const states = servers.map(({ state }) => state);
  if (states.includes("stale"))
    return "run mcpgen pull without --check to update the stale snapshots\n";
  return jobs.some(({ isUsed }, i) => isUsed && states[i] === "written")
    ? "next, generate the files: npx mcpgen\n"
    : "";
}
