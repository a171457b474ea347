import { Diagnostics, type Diagnostic } from "../../../diagnostics.js";
import { upToDate } from "../../../emit/write.js";
import type { Job } from "../../config/jobs.js";
import { findFormatting } from "../../destination/formatting.js";
import type { Flags } from "../../flags.js";
import type { Terminal } from "../../terminal.js";
import { expectationOf, readJob } from "../generate.js";
import { prepareStubs } from "../stubs.js";
import type { Accepted } from "./accepted.js";
import { liveDrift, type LiveDrift } from "./drift.js";
import { stalenessOf, type Staleness } from "./staleness.js";

/** What a check found out about one job. */
export interface JobCheck {
  readonly out: string | null;
  readonly snapshot: string | null;
  /** Null for a server of which nothing is generated. */
  readonly output: Staleness | null;
  /** Null without `--live`, and for a server without a source. */
  readonly drift: LiveDrift | null;
  /** Notes and warnings on the way. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Is the output of a job what would be generated now? */
export async function checkOutput(job: Job, terminal: Terminal): Promise<JobCheck> {
  const diagnostics = new Diagnostics();
  const output = await outputOf(job, terminal, diagnostics);
  const snapshot = job.kind === "server" ? job.server.snapshot : null;
  return {
    out: output === null ? null : job.title,
    snapshot,
    output,
    drift: null,
    diagnostics: diagnostics.list,
  };
}

async function outputOf(job: Job, terminal: Terminal, diagnostics: Diagnostics): Promise<Staleness | null> {
  if (job.kind === "server") {
    if (job.flags === null) return null;
    const { request } = await prepareStubs(job.server.snapshot, job.flags, terminal, diagnostics, job.server);
    return await stalenessOf(request, diagnostics);
  }
  const read = await readJob(job.flags, terminal);
  const formatting = await findFormatting(read.folder);
  const expectation = expectationOf(read, formatting?.digest ?? null);
  if (expectation !== null && (await upToDate(read.folder, expectation)) !== null) {
    return { state: "current", reasons: [], files: [] };
  }
  const { prepare } = await import("../generate/produce.js");
  const { request } = await prepare(read, formatting, terminal, diagnostics);
  return await stalenessOf(request, diagnostics);
}

/** Does the server of a job still offer what its snapshot says? */
export async function checkServer(
  job: Job,
  accepted: Accepted,
  flags: Flags,
  terminal: Terminal,
): Promise<LiveDrift | null> {
  if (job.kind !== "server") return null;
  const rows = accepted.servers.get(job.server.snapshot) ?? [];
  return await liveDrift(job.server, rows, flags, terminal, new Diagnostics());
}
