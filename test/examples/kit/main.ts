/**
 * Runs programs of the guides in one process, and writes what each printed and
 * sent into a file.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import { pathToFileURL } from "node:url";
import { startRun } from "./shims/recorder.js";

/**
 * A run of one program in one revision, and the programs that must run before
 * it.
 */
export interface Job {
  readonly guide: string;
  readonly file: string;
  /** A server that listens before the program starts. */
  readonly before: string | undefined;
  readonly revision: string | undefined;
  readonly inProcesses: boolean;
}

/** What a run printed and sent. */
export interface Outcome {
  readonly output: string;
  /** What went to the standard error. */
  readonly errors: string;
  readonly wire: readonly string[];
}

const [folder = "", text = "[]"] = process.argv.slice(2);
const outcomes: Outcome[] = [];
let printed: string[] = [];
let errors: string[] = [];
console.log = (...values: unknown[]) =>
  void printed.push(`${format(...values)}\n`);
console.error = (...values: unknown[]) =>
  void errors.push(`${format(...values)}\n`);
console.warn = console.error;
process.on(
  "unhandledRejection",
  (error) => void errors.push(format("unhandled rejection:", error)),
);

for (const [id, job] of (JSON.parse(text) as Job[]).entries()) {
  printed = [];
  errors = [];
  const wire: string[] = [];
  const cleanups: (() => Promise<void>)[] = [];
  const own = `${folder}/${job.guide}`;
  // As in the folder of a user, where the files of the page are.
  process.chdir(own);
  startRun({ ...job, folder: own, id, wire, cleanups });
  const load = (file: string): Promise<unknown> =>
    import(
      `${pathToFileURL(`${own}/${file.replace(/\.ts$/, ".mjs")}`).href}?run=${id}`
    );
  const work = async (): Promise<void> => {
    if (job.before !== undefined) await load(job.before);
    await load(job.file);
  };
  try {
    await Promise.race([work(), late()]);
  } catch (error) {
    errors.push(format(error));
  }
  await Promise.all(cleanups.map((close) => close()));
  outcomes.push({ output: printed.join(""), errors: errors.join(""), wire });
}
// A file, because a pipe may not take all of it before the process exits.
writeFileSync(join(folder, "outcomes.json"), JSON.stringify(outcomes));
process.exit();

function late(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(
      reject,
      120_000,
      new Error("The program did not end within two minutes."),
    ).unref();
  });
}
