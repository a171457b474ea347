import { builtInTemplates } from "./cli/destination/templates.js";
import { loadRuntimeSource, toolVersion } from "./cli/package.js";
import { Diagnostics, SchemaError, type Diagnostic } from "./diagnostics.js";
import { generate as generateFiles, type GeneratedFile, type Part } from "./generate.js";
import type { Protocol } from "./ir/model.js";

export type { GeneratedFile, Part } from "./generate.js";

export interface GenerateOptions {
  /** What `readSchema` read; several give one folder per revision. */
  readonly protocols: readonly Protocol[];
  /** What to generate; everything by default. */
  readonly emit?: readonly Part[];
  /** Import `@mcpgen/runtime` (the default), or add a copy of what is needed to the files. */
  readonly runtime?: "package" | "vendored";
  /** The ending of relative imports; `js` by default. */
  readonly importExtension?: "js" | "ts" | "none";
  /** Templates in place of the built-in ones, by file name: `client.ts.hbs`. */
  readonly templates?: ReadonlyMap<string, string>;
}

export interface Generation {
  readonly files: readonly GeneratedFile[];
  /** Warnings and notes: what had to be renamed or assumed. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Generates the files of one or several protocols. Writes nothing and prints nothing.
 *
 * @throws SchemaError with every fault of the run.
 */
export async function generate({ templates, ...options }: GenerateOptions): Promise<Generation> {
  const diagnostics = new Diagnostics();
  const texts = new Map([...(await builtInTemplates()), ...(templates ?? [])]);
  const vendored = options.runtime === "vendored" ? { runtimeSource: await loadRuntimeSource() } : {};
  const files = generateFiles(
    { ...options, ...vendored, templates: texts, version: toolVersion() },
    diagnostics,
  );
  if (diagnostics.hasErrors) throw new SchemaError(diagnostics.list);
  return { files, diagnostics: diagnostics.list };
}
