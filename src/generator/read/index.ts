import { Diagnostics, type Scope } from "../diagnostics.js";
import { assemble } from "../ir/derive/index.js";
import type { Declared } from "../ir/lookup.js";
import type { Protocol } from "../ir/model.js";
import { factsFor } from "./facts.js";
import { readJsonSchema } from "./json/index.js";
import { bundled, loadOptional, loadSchema, type Loaded } from "./load.js";
import { revisionOf } from "./revision.js";
import { readTypeScript } from "./typescript/index.js";

export { extend, fits } from "./extend.js";
export { bundled, bundledExtensions, load, type Loaded } from "./load.js";
export { readExtension } from "./extension.js";
export { type ExtensionSchema } from "./typescript/extension.js";

export interface SchemaOptions {
  /**
   * The name of the revision; by default derived from the path or the schema.
   */
  readonly revision?: string;
  /**
   * The path in the result; by default the path of the source, where an
   * absolute one is cut to its last two segments.
   */
  readonly name?: string;
}

/**
 * Reads a schema by its path and adds diagnostics. Returns null after an error.
 */
export async function readPath(
  path: string,
  options: SchemaOptions,
  diagnostics: Diagnostics,
): Promise<Protocol | null> {
  const loaded = await loadSchema(path, diagnostics.root);
  return loaded === null ? null : readLoaded(loaded, options, diagnostics);
}

/**
 * Reads a loaded schema, whose file name determines the language. A `schema.ts`
 * that cannot be read is replaced by the `schema.json` beside it, if that one
 * can be read; a note says why.
 */
export async function readLoaded(
  { json, ...loaded }: Loaded,
  { revision, name = shortName(loaded.file) }: SchemaOptions,
  diagnostics: Diagnostics,
): Promise<Protocol | null> {
  if (json === undefined)
    return await readOne(loaded, { revision, name }, diagnostics);
  const attempt = new Diagnostics();
  const protocol = await readOne(loaded, { revision, name }, attempt);
  const second = new Diagnostics();
  const replaced =
    protocol === null
      ? await readOne(
          { ...loaded, ...json },
          {
            revision,
            name: `${name.slice(0, name.lastIndexOf("/") + 1)}schema.json`,
          },
          second,
        )
      : null;
  if (replaced !== null) noteReplaced(attempt, json.file, diagnostics.root);
  for (const entry of (replaced === null ? attempt : second).list)
    diagnostics.add(entry);
  return protocol ?? replaced;
}

function noteReplaced({ list }: Diagnostics, file: string, scope: Scope): void {
  const reason = list.find(({ severity }) => severity === "error");
  const { code, location = null, message } = reason ?? {};
  scope.note(
    "MG124",
    location,
    `${file} is read in place of schema.ts, without what only TypeScript says: constants such as the name of the revision, bases, tags of comments; schema.ts cannot be read: ${code} ${message}`,
    "nothing, or correct the line to keep them",
  );
}

async function readOne(
  loaded: Loaded,
  {
    revision,
    name,
  }: { readonly revision: string | undefined; readonly name: string },
  diagnostics: Diagnostics,
): Promise<Protocol | null> {
  const { file, sha256 } = loaded;
  const hasErrors = diagnostics.watch();
  if (isRepresentation(loaded))
    return rejectRepresentation(file, diagnostics.root);
  if (!/\.(json|[cm]?ts)$/.test(file))
    return unknownLanguage(file, diagnostics.root);
  const facts = await factsFor(loaded, diagnostics);
  if (facts === null) return null;
  const isJson = file.endsWith(".json");
  const declared = isJson
    ? await readJson(loaded, revision, diagnostics)
    : await readTypeScript(loaded, diagnostics);
  if (declared === null) return null;
  const { declarations, locationOf } = declared;
  const protocol = assemble(
    declarations,
    {
      revision: revisionOf(
        file,
        declarations,
        revision,
        diagnostics,
        locationOf,
      ),
      source: { name, language: isJson ? "json-schema" : "typescript", sha256 },
      facts,
      locationOf,
    },
    diagnostics,
  );
  return hasErrors() ? null : protocol;
}

async function readJson(
  loaded: Loaded,
  revision: string | undefined,
  diagnostics: Diagnostics,
): Promise<Declared | null> {
  const hasErrors = diagnostics.watch();
  const defects = await knownDefects(loaded.file, revision, diagnostics);
  return hasErrors() ? null : readJsonSchema(loaded, defects, diagnostics);
}

/**
 * The known defects next to the schema, or those of the bundled revision with
 * the same name.
 */
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
  return home === undefined
    ? null
    : loadOptional(`${home.folder}/${defectsName}`, diagnostics.root);
}

const defectsName = "json-defects.json";

/**
 * Tests for output of `mcpgen ir`, of this version or an earlier one: its
 * format is one of its first members.
 */
function isRepresentation({ file, text }: Loaded): boolean {
  const start =
    /^\s*\{\s*("\$schema"\s*:\s*"[^"]*"\s*,\s*"mcpgen:format"|"format")\s*:/;
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
  scope.error(
    "MG007",
    null,
    `${file} is not a schema file`,
    "pass a .ts or .json file",
  );
  return null;
}

function shortName(file: string): string {
  const outside =
    file.startsWith("/") ||
    /^[A-Za-z]:/.test(file) ||
    file.split("/").includes("..");
  return outside
    ? file.split("/").slice(-2).join("/")
    : file.replace(/^(\.\/)+/, "");
}
