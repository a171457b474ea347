import type { ServerSource } from "../../../config.js";
import { exitCodes, usageError } from "../../command-error.js";
import { contextOfJob, type Context } from "../../command.js";
import { findNamed } from "../../live/entry.js";
import type { PullOptions } from "../../options.js";
import { type Report, reportOf, worstExitCode } from "../../report.js";
import { isFolder, stemIn } from "../../snapshot-file.js";
import type { Source } from "../../source/find.js";
import { shownSource } from "../../source/shown.js";
import { attempt, failed } from "../configured.js";
import { type Pulled, pullOne, type PullJob } from "./one.js";
import { adviceOn } from "./report.js";

/** One snapshot of several. */
interface NamedJob extends PullJob {
  /** The title in messages. */
  readonly title: string;
  readonly from: Source;
}

/** The snapshots to take of these sources, each once. */
export async function jobsFor(
  sources: readonly Source[],
  out: string | null,
  directory: string,
): Promise<readonly NamedJob[]> {
  const jobs: NamedJob[] = [];
  for (const from of sources) {
    const { job } = from.parts;
    if (jobs.some((other) => job && other.from.parts.job === job)) continue;
    jobs.push(await jobFor(from, out, directory));
  }
  if (out === null || jobs.length < 2 || (await isFolder(out, directory)))
    return jobs;
  const message = `-o names one file, and ${jobs.length} snapshots are taken`;
  throw usageError("MG705", message, "use a folder, for example -o snapshots/");
}

async function jobFor(
  from: Source,
  out: string | null,
  directory: string,
): Promise<NamedJob> {
  const { kind, text, parts } = from;
  const source = parts.server ?? {};
  const recorded = parts.job?.snapshot ?? null;
  const isNamed = out !== null;
  const { directory: folder } = from;
  const own = { source, directory: folder, from, isNamed, job: parts.job };
  if (recorded !== null) {
    return {
      ...own,
      title: recorded,
      out: out ?? recorded,
      base: isNamed ? directory : from.directory,
      name: isNamed ? stemIn(recorded) : null,
    };
  }
  // The file of an entry has its name.
  const name =
    kind === "entry" ? (await findNamed(text, directory)).name : null;
  return { ...own, title: shownSource(from), out, base: directory, name };
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
    const { title } = job;
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
  const advice = adviceOn(
    servers,
    jobs.map(({ from }) => from),
  );
  return reportOf(exitCode, { config, servers: rows }, { advice });
}
