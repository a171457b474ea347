import type { Diagnostics } from "../../../generator/diagnostics.js";
import type { WriteRequest } from "../../../generator/emit/write.js";
import { generate } from "../../../generator/generate.js";
import { formatAll } from "../../destination/formatting.js";
import {
  templatesWith,
  withTemplateErrors,
} from "../../../generator/inputs/templates.js";
import { readExtended } from "../../../generator/inputs/extensions.js";
import { CommandError, Interruption } from "../../command-error.js";
import type { Context } from "../../command.js";
import {
  loadRuntimeSource,
  toolVersion,
} from "../../../generator/inputs/package.js";
import { manifestSource, optionsOf, type GenerateTask } from "./task.js";
import type { Prepared } from "./write.js";

/** Reads the schemas and generates, without writing anything. */
export async function prepare(
  task: GenerateTask,
  context: Context,
  diagnostics: Diagnostics,
): Promise<Prepared> {
  context.status("reading the schemas");
  const protocols = await readExtended(
    task.sources,
    task.extensions,
    diagnostics,
  );
  const { emit, runtime, importExtension, overrides } = task;
  const templates = await templatesWith(overrides);
  const runtimeSource =
    runtime === "vendored"
      ? await loadRuntimeSource()
      : new Map<string, string>();
  const options = {
    protocols,
    emit,
    runtime,
    importExtension,
    templates,
    runtimeSource,
  };
  context.status(
    `generating ${protocols.map(({ revision }) => revision).join(", ")}`,
  );
  const generated = withTemplateErrors(overrides, () =>
    generate(options, diagnostics),
  );
  if (diagnostics.hasErrors) throw new CommandError(diagnostics.list);
  const files = overrides === null ? generated : await formatAll(generated);
  if (context.signal.aborted) throw new Interruption();
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
