import { builtInTemplates } from "./generator/inputs/templates.js";
import { extendAll, namedExtensions } from "./generator/inputs/extensions.js";
import { loadRuntimeSource } from "./generator/inputs/package.js";
import { loadSnapshot, parseSnapshot } from "./generator/inputs/snapshots.js";
import { shownPath } from "./generator/inputs/paths.js";
import { namedSource, readSource } from "./generator/inputs/schemas.js";
import {
  Diagnostics,
  SchemaError,
  type Diagnostic,
} from "./generator/diagnostics.js";
import {
  generate as generateFiles,
  type GeneratedFile,
  type Part,
} from "./generator/generate.js";
import type { Protocol } from "./generator/ir/model.js";
import type { Comparison } from "./generator/ir/change/model.js";
import { compareSnapshots as compareWith } from "./generator/ir/snapshot/diff/index.js";
import type { Snapshot } from "./generator/ir/snapshot/model.js";
import { memberNamesOf } from "./generator/view/project/naming.js";
import { readPath, type SchemaOptions } from "./generator/read/index.js";

/**
 * Reads a pinned or bundled revision by its name ("latest" is the newest), or a
 * schema by its path: a `schema.ts`, a `schema.json`, or a folder with one.
 *
 * @throws SchemaError with all diagnostics of the source.
 */
export async function readSchema(
  source: string,
  {
    extensions = [],
    directory = ".",
    ...options
  }: SchemaOptions & ProjectOptions = {},
): Promise<Protocol> {
  const protocol = await readOne(source, options, directory);
  const additions = await namedExtensions(extensions, directory);
  const [extended] = await extendAll([protocol], additions, new Diagnostics());
  return extended ?? protocol;
}

interface ProjectOptions {
  /**
   * Extensions to merge into the revision: names of pinned or bundled
   * extensions, or paths of their schemas; `com.example/name=<path>` for a
   * schema that does not have its id.
   */
  readonly extensions?: readonly string[];
  /**
   * The folder where paths start; "." by default. Schemas that the
   * `mcpgen.lock.json` here or above pins come before the bundled ones.
   */
  readonly directory?: string;
}

async function readOne(
  source: string,
  options: SchemaOptions,
  directory: string,
): Promise<Protocol> {
  const diagnostics = new Diagnostics();
  const named = /[/\\.]/.test(source)
    ? null
    : await namedSource(source, directory);
  // The build parses the bundled revisions, but only without options.
  const isBuilt = named !== null && Object.keys(options).length === 0;
  const protocol = isBuilt
    ? await readSource(named, diagnostics)
    : await readPath(
        named?.loaded.file ?? shownPath(source, directory),
        options,
        diagnostics,
      );
  if (protocol === null) throw new SchemaError(diagnostics.list);
  return protocol;
}

/**
 * Reads a snapshot of `mcpgen pull` by its path, for `compareSnapshots`.
 * Schemas of tools may be malformed; the types of those parts are `unknown`.
 *
 * @throws SchemaError with all diagnostics of the file.
 */
export async function readSnapshot(path: string): Promise<Snapshot> {
  const diagnostics = new Diagnostics();
  return await parseSnapshot(
    await loadSnapshot(path, ".", diagnostics),
    diagnostics,
  );
}

/**
 * The differences between the snapshot `a` and the newer snapshot `b`, for each
 * tool, each member and each generated name, with their consequences for
 * callers and implementers. Returns plain data and prints nothing. Order does
 * not matter.
 */
export function compareSnapshots(a: Snapshot, b: Snapshot): Comparison {
  return compareWith(a, b, memberNamesOf);
}

export type { GeneratedFile, Part } from "./generator/generate.js";
export type { SchemaOptions } from "./generator/read/index.js";

export interface GenerateOptions {
  /** Results of `readSchema`; several give one folder per revision. */
  readonly protocols: readonly Protocol[];
  /** The parts to generate; all but `stubs` by default. */
  readonly emit?: readonly Part[];
  /**
   * Import `@mcpgen/runtime` (the default), or add a copy of the required files
   * to the output.
   */
  readonly runtime?: "package" | "vendored";
  /** The file extension of relative imports; `js` by default. */
  readonly importExtension?: "js" | "ts" | "none";
  /** Templates that replace built-in ones, by file name: `client.ts.hbs`. */
  readonly templates?: ReadonlyMap<string, string>;
}

export interface Generation {
  readonly files: readonly GeneratedFile[];
  /**
   * Warnings and notes, for example about renamed identifiers and assumptions.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Generates the files of one or several protocols. Writes nothing and prints
 * nothing.
 *
 * @throws SchemaError with all diagnostics of the run.
 */
export async function generate({
  templates,
  ...options
}: GenerateOptions): Promise<Generation> {
  const diagnostics = new Diagnostics();
  const texts = new Map([...(await builtInTemplates()), ...(templates ?? [])]);
  const vendored =
    options.runtime === "vendored"
      ? { runtimeSource: await loadRuntimeSource() }
      : {};
  const files = generateFiles(
    { ...options, ...vendored, templates: texts },
    diagnostics,
  );
  if (diagnostics.hasErrors) throw new SchemaError(diagnostics.list);
  return { files, diagnostics: diagnostics.list };
}
