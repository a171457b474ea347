import { Diagnostics, SchemaError, type Scope } from "../diagnostics.js";
import type { Protocol } from "../ir/model.js";
import { factsFor } from "./facts.js";
import { readJsonSchema, type ReadJsonOptions } from "./json/index.js";
import { bundled, loadOptional, loadSchema, type Loaded } from "./load.js";
import { revisionOf } from "./revision.js";
import { namedRevision } from "./revisions.js";
import { readTypeScript } from "./typescript/index.js";

export { extend, fits } from "./extend.js";
export { bundled, bundledExtensions, load, type Loaded } from "./load.js";
export { readJsonSchema } from "./json/index.js";
export { type ExtensionSchema, readExtension } from "./typescript/extension.js";
export { readTypeScript } from "./typescript/index.js";

export interface SchemaOptions {
  /** The name of the revision; by default derived from the path or the schema. */
  readonly revision?: string;
  /** The path in the result; by default the path of the source, where an absolute one is cut to its last two segments. */
  readonly name?: string;
}

/**
 * Reads a bundled revision by its name ("2025-03-26", or "latest"), or a schema by its path: a `schema.ts`, a
 * `schema.json`, or a folder with one. Prints nothing.
 *
 * @throws SchemaError with all diagnostics of the source.
 */
export async function readSchema(source: string, options: SchemaOptions = {}): Promise<Protocol> {
  const diagnostics = new Diagnostics();
  const path = await pathOf(source, diagnostics.root);
  const protocol = path === null ? null : await readPath(path, options, diagnostics);
  if (protocol === null) throw new SchemaError(diagnostics.list);
  return protocol;
}

/** Reads a schema by its path and adds diagnostics. Returns null after an error. */
export async function readPath(
  path: string,
  options: SchemaOptions,
  diagnostics: Diagnostics,
): Promise<Protocol | null> {
  const loaded = await loadSchema(path, diagnostics.root);
  return loaded === null ? null : readLoaded(loaded, options, diagnostics);
}

/** Reads a loaded schema, whose file name determines the language. */
export async function readLoaded(
  loaded: Loaded,
  { revision, name = shortName(loaded.file) }: SchemaOptions,
  diagnostics: Diagnostics,
): Promise<Protocol | null> {
  const { file, text, sha256 } = loaded;
  const revisionOption = revision === undefined ? {} : { revision };
  if (isRepresentation(loaded)) return rejectRepresentation(file, diagnostics.root);
  if (!/\.(json|[cm]?ts)$/.test(file)) return unknownLanguage(file, diagnostics.root);
  const facts = await factsFor(loaded, diagnostics);
  if (facts === null) return null;
  const options = { file, name, facts, ...revisionOption };
  const protocol = file.endsWith(".json")
    ? await readJson(loaded, options, diagnostics)
    : await readTypeScript(text, options, diagnostics);
  // The readers get decoded text, but the hash is of the loaded bytes.
  return protocol === null ? null : { ...protocol, source: { ...protocol.source, sha256 } };
}

async function readJson(
  { file, text }: Loaded,
  options: ReadJsonOptions,
  diagnostics: Diagnostics,
): Promise<Protocol | null> {
  const before = diagnostics.list.length;
  const defects = await knownDefects(file, options.revision, diagnostics);
  if (diagnostics.list.slice(before).some(({ severity }) => severity === "error")) return null;
  return readJsonSchema(text, { ...options, defects }, diagnostics);
}

/** The known defects next to the schema, or those of the bundled revision with the same name. */
async function knownDefects(
  file: string,
  revisionName: string | undefined,
  diagnostics: Diagnostics,
): Promise<Loaded | null> {
  const beside = await loadOptional(
    `${file.slice(0, file.lastIndexOf("/") + 1)}${defectsName}`,
    diagnostics.root,
  );
  if (beside !== null) return beside;
  const revision = revisionOf(file, [], revisionName, diagnostics);
  const home = (await bundled()).find((entry) => entry.revision === revision);
  return home === undefined ? null : loadOptional(`${home.folder}/${defectsName}`, diagnostics.root);
}

const defectsName = "json-defects.json";

/** Tests for output of `mcpgen ir`, of this version or an earlier one: its format is one of its first members. */
function isRepresentation({ file, text }: Loaded): boolean {
  const start = /^\s*\{\s*("\$schema"\s*:\s*"[^"]*"\s*,\s*"mcpgen:format"|"format")\s*:/;
  return file.endsWith(".json") && start.test(text);
}

function rejectRepresentation(file: string, scope: Scope): null {
  scope.error(
    "MG601",
    { file, line: 1, column: 1 },
    "the file is output of `mcpgen ir`, which mcpgen does not read",
    "pass the revision or the schema that it was made from; `source` names it",
  );
  return null;
}

function unknownLanguage(file: string, scope: Scope): null {
  scope.error("MG007", null, `${file} is not a schema file`, "pass a .ts or .json file");
  return null;
}

/** The folder of a bundled revision, or the path itself if the source is one. */
async function pathOf(source: string, scope: Scope): Promise<string | null> {
  if (/[/\\.]/.test(source)) return source;
  const folders = await bundled();
  const names = folders.map(({ revision }) => revision);
  const name = namedRevision(source, names, scope);
  return folders.find(({ revision }) => revision === name)?.folder ?? null;
}

function shortName(file: string): string {
  const outside = file.startsWith("/") || /^[A-Za-z]:/.test(file) || file.split("/").includes("..");
  return outside ? file.split("/").slice(-2).join("/") : file.replace(/^(\.\/)+/, "");
}
