import { resolve } from "node:path";
import {
  type Provenance,
  sha256,
  upToDate,
} from "../../../generator/emit/write.js";
import {
  type ExtensionSource,
  namedExtensions,
  type Schemas,
} from "../../../generator/inputs/extensions.js";
import { toolVersion } from "../../../generator/inputs/package.js";
import { shownPath } from "../../../generator/inputs/paths.js";
import {
  namedRevisions,
  pathSource,
  type Replacements,
  revisionSource,
  type Source,
} from "../../../generator/inputs/schemas.js";
import {
  digestTemplates,
  loadOverrides,
  type Overrides,
} from "../../../generator/inputs/templates.js";
import {
  defaultParts,
  type Part,
  allParts,
} from "../../../generator/view/plan/parts.js";
import { usageError } from "../../command-error.js";
import { importExtensionFor } from "../../destination/tsconfig.js";
import { wordsIn } from "../../flag-values.js";
import type { GenerateOptions, WriteOptions } from "../../options.js";

/** The options of `generate` with all defaults and the loaded sources. */
export interface GenerateTask extends WriteOptions {
  /** The path as the user wrote it. */
  readonly out: string;
  /** The absolute path. */
  readonly folder: string;
  readonly sources: readonly Source[];
  readonly extensions: readonly ExtensionSource[];
  readonly emit: readonly Part[];
  readonly runtime: "package" | "vendored";
  readonly importExtension: "js" | "ts" | "none";
  /** Templates that replace built-in ones. */
  readonly overrides: Overrides | null;
}

/**
 * Completes the options: finds sources and templates, and the defaults of the
 * destination. Replacements are used before the schemas that the directory
 * knows.
 */
export async function readTask(
  options: GenerateOptions,
  directory: string,
  replacements?: Schemas,
): Promise<GenerateTask> {
  const {
    out,
    version,
    schema,
    extension = [],
    runtime = "package",
    templates,
  } = options;
  const named = options.emit ?? defaultParts;
  const folder = resolve(directory, out);
  const emit = allParts.filter((part) => named.includes(part));
  return {
    out,
    folder,
    sources: await findSources(
      version,
      schema,
      directory,
      replacements?.revisions,
    ),
    extensions: await namedExtensions(
      wordsIn(extension),
      directory,
      replacements?.extensions,
    ),
    emit,
    runtime,
    importExtension:
      options.importExtension ?? (await importExtensionFor(folder)),
    overrides: await overridesIn(templates, directory),
    mode: options.mode,
    force: options.force,
    clean: options.clean,
  };
}

async function findSources(
  version: GenerateOptions["version"],
  schema: string | undefined,
  directory: string,
  replacements: Replacements | undefined,
): Promise<Source[]> {
  const words = wordsIn(version ?? []);
  if (schema !== undefined) {
    if (words.includes("all") || words.length > 1) {
      throw usageError(
        "MG705",
        "--schema is one schema, but --version names several",
        "use one revision, or none",
      );
    }
    const [word] = words;
    return [
      await pathSource(
        schema,
        word === undefined || word === "latest" ? null : word,
        directory,
      ),
    ];
  }
  const names = await namedRevisions(words, directory, replacements);
  if (names.length === 0)
    throw usageError(
      "MG702",
      "--version has no revision",
      "mcpgen list shows them",
    );
  return await Promise.all(
    names.map((name) => revisionSource(name, directory, replacements)),
  );
}

/**
 * The templates in a folder that replace built-in ones; null without a folder.
 */
export async function overridesIn(
  named: string | undefined,
  directory: string,
): Promise<Overrides | null> {
  return named === undefined
    ? null
    : await loadOverrides(shownPath(named, directory));
}

/**
 * The output of an earlier run, if it is up to date. Null if only reading a
 * schema can tell, because a JSON file may have known defects.
 */
export function unchangedOutput(
  task: GenerateTask,
): ReturnType<typeof upToDate> {
  if (task.sources.some(({ loaded }) => loaded.file.endsWith(".json")))
    return null;
  const sources = task.sources.map(({ loaded, name, revision }) => ({
    revision,
    name,
    sha256: loaded.sha256,
  }));
  return upToDate(task.folder, {
    generator: toolVersion(),
    sources,
    options: optionsOf(task),
  });
}

/** The options of a manifest that the command line determines. */
export function optionsOf(task: GenerateTask): Provenance["options"] {
  return {
    emit: task.emit,
    runtime: task.runtime,
    importExtension: task.importExtension,
    templates: digestTemplates(task.overrides),
    extensions: digestExtensions(task.extensions),
    facts: digestFacts(task.sources),
  };
}

/** A source of generated files, as a manifest names it. */
export const manifestSource = <Revision>({
  revision,
  source: { name, sha256 },
}: {
  readonly revision: Revision;
  readonly source: { readonly name: string; readonly sha256: string };
}) => ({ revision, name, sha256 });

/**
 * The digest of the `facts.json` files of the schemas of the user; null without
 * any.
 */
export function digestFacts(sources: readonly Source[]): string | null {
  const texts = sources.flatMap(({ isBundled, name, loaded: { facts } }) =>
    isBundled || facts === undefined ? [] : [`${name} ${facts.sha256}`],
  );
  return texts.length === 0 ? null : sha256(texts.join("\n"));
}

/**
 * Null without extensions, so that manifests without them have no such member.
 */
export function digestExtensions(
  extensions: GenerateTask["extensions"],
): string | null {
  const texts = extensions.map(({ loaded, name, id = "" }) =>
    `${name} ${loaded.sha256} ${id}`.trimEnd(),
  );
  return texts.length === 0 ? null : sha256(texts.join("\n"));
}
