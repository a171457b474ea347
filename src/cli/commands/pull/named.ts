import type { ServerSource } from "../../../config.js";
import { suggestion } from "../../../generator/read/nearest.js";
import { usageError } from "../../command-error.js";
import type { LoadedConfig } from "../../config/load.js";
import { findNamed } from "../../live/entry.js";
import { jobsIn, type NamedJob } from "./all.js";
import { isFolder, stemIn } from "./target.js";

/**
 * The jobs for names on the command line. A server of the configuration has the
 * names of its snapshot, of its `name`, and of the entry that its source names;
 * other names are those of entries in clients' files.
 */
export async function jobsNamed(
  names: readonly string[],
  config: LoadedConfig | null,
  out: string | null,
  directory: string,
): Promise<readonly NamedJob[]> {
  const configured = config === null ? [] : jobsIn(config);
  const found = await Promise.all(
    names.map(async (name) => {
      const own = configured.filter((job) => job.names.includes(name));
      return own.length > 0
        ? own
        : [await jobOfEntry(name, configured, directory)];
    }),
  );
  const jobs = [...new Set(found.flat())];
  if (out === null) return jobs;
  if (jobs.length > 1 && !(await isFolder(out, directory))) {
    const message = `-o names one file, and ${jobs.length} snapshots are taken`;
    throw usageError(
      "MG705",
      message,
      "use a folder, for example -o snapshots/",
    );
  }
  return jobs.map((job) => ({
    ...job,
    out,
    base: directory,
    name: job.name ?? stemIn(job.out ?? ""),
  }));
}

/**
 * The job for an entry of a client's file. What the entry lacks is an error of
 * its own job.
 */
async function jobOfEntry(
  name: string,
  others: readonly NamedJob[],
  directory: string,
): Promise<NamedJob> {
  const known = others.flatMap((job) => job.names);
  const entry = await findNamed(name, directory, suggestion(name, known));
  const source: ServerSource = { config: name };
  return {
    names: [name],
    source,
    directory,
    out: null,
    base: directory,
    name: entry.name,
    isUsed: false,
  };
}
