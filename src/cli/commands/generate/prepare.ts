import type { Diagnostics } from "../../../diagnostics.js";
import type { WriteRequest } from "../../../emit/write.js";
import { generate, type GeneratedFile } from "../../../generate.js";
import type { Protocol } from "../../../ir/model.js";
import { formatAll } from "../../destination/formatting.js";
import { templatesWith, withTemplateErrors } from "../../../inputs/templates.js";
import { readExtended } from "../../../inputs/extensions.js";
import { CommandError, Interruption } from "../../command-error.js";
import type { Context } from "../../command.js";
import { loadRuntimeSource, toolVersion } from "../../../inputs/package.js";
import { manifestSource, optionsOf, type GenerateTask } from "./task.js";
import { INTERRUPTED, type Prepared } from "./write.js";

/** Reads the schemas and generates, without writing anything. */
export async function prepare(
  task: GenerateTask,
  context: Context,
  diagnostics: Diagnostics,
): Promise<Prepared> {
  context.status("reading the schemas");
  const protocols = await readExtended(task.sources, task.extensions, diagnostics);
  const files = await makeFiles(task, protocols, context, diagnostics);
  if (context.signal.aborted) throw new Interruption(INTERRUPTED);
  const request: WriteRequest = {
    out: task.folder,
    files,
    provenance: {
      generator: toolVersion(),
      sources: protocols.map(manifestSource),
      options: optionsOf(task),
    },
    force: task.force,
    clean: task.clean,
    signal: context.signal,
  };
  return { request, protocols };
}

async function makeFiles(
  task: GenerateTask,
  protocols: readonly Protocol[],
  context: Context,
  diagnostics: Diagnostics,
): Promise<readonly GeneratedFile[]> {
  const templates = await templatesWith(task.overrides);
  const { emit, runtime, importExtension } = task;
  const runtimeSource = runtime === "vendored" ? await loadRuntimeSource() : new Map<string, string>();
  const options = {
    protocols,
    emit,
    runtime,
    importExtension,
    templates,
    runtimeSource,
  };
  context.status(`generating ${protocols.map(({ revision }) => revision).join(", ")}`);
  const files = withTemplateErrors(task.overrides, () => generate(options, diagnostics));
  if (diagnostics.hasErrors) throw new CommandError(diagnostics.list);
  return task.overrides === null ? files : await formatAll(files);
}
