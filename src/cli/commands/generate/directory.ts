import { Diagnostics } from "../../../generator/diagnostics.js";
import type { Context } from "../../command.js";
import type { GenerateOptions } from "../../options.js";
import type { Report } from "../../report.js";
import { writeOrCompare } from "./write.js";
import { filesReport } from "./report.js";
import { readTask, unchangedOutput } from "./task.js";

/** Generates one directory of files, or compares it with the existing one. */
export async function generate(
  options: GenerateOptions,
  context: Context,
): Promise<Report> {
  const task = await readTask(options, context.directory);
  const unchanged = task.force ? null : unchangedOutput(task);
  if (unchanged !== null) {
    const revisions = unchanged.manifest.sources.map(
      ({ revision }) => revision,
    );
    return filesReport({ ...task, revisions, files: unchanged.files });
  }
  // The generator is loaded here: a run with nothing to do returns before.
  const { prepare } = await import("./prepare.js");
  const diagnostics = new Diagnostics();
  const { request, protocols } = await prepare(task, context, diagnostics);
  const revisions = protocols.map(({ revision }) => revision);
  return await writeOrCompare(task, request, revisions, diagnostics, context);
}
