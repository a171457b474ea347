import { Diagnostics, schemaError, SchemaError } from "../diagnostics.js";
import type { Protocol } from "../ir/model.js";
import type { ExtensionSchema } from "../read/index.js";
import { givenExtension } from "../read/extension-id.js";
import { bundledExtensions, type Loaded } from "../read/load.js";
import { suggestion } from "../read/nearest.js";
import { loadOrThrow } from "./load.js";
import { loadPinned, pinnedExtensions } from "./pins.js";
import { pathSource, readBuilt, readSource, type Source } from "./schemas.js";

/** The loaded schema of an extension, not parsed yet. */
export interface ExtensionSource {
  readonly loaded: Loaded;
  /** Its name in generated files. */
  readonly name: string;
  /** Its name among the bundled extensions; null for a file of the user. */
  readonly bundledAs: string | null;
  /** The id that the user gives it; absent if the file says it. */
  readonly id?: string | undefined;
}

/** Schemas by name. */
export interface Schemas {
  readonly revisions: ReadonlyMap<string, Source>;
  readonly extensions: ReadonlyMap<string, ExtensionSource>;
}

/**
 * Extensions by their names, or by paths relative to a directory; each once.
 * Replacements are used before those of the directory.
 */
export async function namedExtensions(
  words: readonly string[],
  directory: string,
  replacements: ReadonlyMap<string, ExtensionSource> = new Map(),
): Promise<ExtensionSource[]> {
  return await Promise.all(
    [...new Set(words)].map(
      async (word) =>
        replacements.get(word) ?? (await namedExtension(word, directory)),
    ),
  );
}

async function namedExtension(
  word: string,
  directory: string,
): Promise<ExtensionSource> {
  if (/[/\\.]/.test(word)) {
    const { id, place } = givenExtension(word);
    const { loaded, name } = await pathSource(place, null, directory);
    return { loaded, name, bundledAs: null, id };
  }
  const pins = await pinnedExtensions(directory);
  const pin = pins.get(word);
  if (pin !== undefined)
    return {
      loaded: await loadPinned(pin, directory),
      name: pin.file,
      bundledAs: null,
      id: pin.id,
    };
  const bundled = await bundledExtension(word);
  if (bundled !== null) return bundled;
  const extensions = await bundledExtensions();
  const names = [
    ...new Set([...extensions.map(({ name }) => name), ...pins.keys()]),
  ].sort();
  const all = `the extensions are ${names.join(", ")}; a path contains a dot or a slash`;
  throw schemaError(
    "MG712",
    `unknown extension "${word}"`,
    suggestion(word, names) ?? all,
  );
}

/** A bundled extension by its name; null without one. */
export async function bundledExtension(
  word: string,
): Promise<ExtensionSource | null> {
  const extension = (await bundledExtensions()).find(
    ({ name }) => name === word,
  );
  if (extension === undefined) return null;
  const name = `schema/extensions/${word}/schema.ts`;
  return { loaded: await loadOrThrow(extension.folder), name, bundledAs: word };
}

/**
 * Reads schemas, and merges into each the extensions that fit it. Throws one
 * SchemaError with all diagnostics.
 */
export async function readExtended(
  sources: readonly Source[],
  extensions: readonly ExtensionSource[],
  diagnostics: Diagnostics,
): Promise<Protocol[]> {
  const protocols: Protocol[] = [];
  for (const source of sources) {
    const protocol = await readSource(source, diagnostics);
    if (protocol !== null) protocols.push(protocol);
  }
  if (protocols.length < sources.length)
    throw new SchemaError(diagnostics.list);
  return await extendAll(protocols, extensions, diagnostics);
}

/**
 * Merges into each protocol the extensions that fit it. An extension that fits
 * no protocol is an error.
 */
export async function extendAll(
  protocols: readonly Protocol[],
  extensions: readonly ExtensionSource[],
  diagnostics: Diagnostics,
): Promise<Protocol[]> {
  if (extensions.length === 0) return [...protocols];
  const { extend, fits } = await import("../read/index.js");
  let results: Protocol[] = [...protocols];
  for (const source of extensions) {
    const addition = await readSchema(source, diagnostics);
    if (addition === null) continue;
    if (!results.some((protocol) => fits(protocol, addition))) {
      const names = [
        ...new Set(protocols.map(({ revision }) => revision)),
      ].join(", ");
      diagnostics.root.error(
        "MG120",
        { file: source.loaded.file, line: 1, column: 1 },
        `the extension "${addition.id}" imports types that revision ${names} does not have`,
        "use a revision that it supports",
      );
      continue;
    }
    results = results.map((protocol) =>
      fits(protocol, addition)
        ? (extend(protocol, addition, diagnostics) ?? protocol)
        : protocol,
    );
  }
  if (diagnostics.hasErrors) throw new SchemaError(diagnostics.list);
  return results;
}

/** Reads all extensions that a directory knows, pinned and bundled. */
export async function readKnownExtensions(
  directory: string,
): Promise<ReadonlyMap<string, ExtensionSchema>> {
  const diagnostics = new Diagnostics();
  const schemas = new Map<string, ExtensionSchema>();
  const pins = await pinnedExtensions(directory);
  const names = [
    ...(await bundledExtensions()).map(({ name }) => name),
    ...pins.keys(),
  ];
  for (const name of [...new Set(names)].sort()) {
    const schema = await readSchema(
      await namedExtension(name, directory),
      diagnostics,
    );
    if (schema !== null) schemas.set(name, schema);
  }
  if (diagnostics.hasErrors) throw new SchemaError(diagnostics.list);
  return schemas;
}

/**
 * Reads an extension. The build has read the bundled ones; its result is used
 * if the hash is still the same.
 */
async function readSchema(
  { loaded, name, bundledAs, id }: ExtensionSource,
  diagnostics: Diagnostics,
): Promise<ExtensionSchema | null> {
  const file = `extensions/${bundledAs}.json`;
  const built =
    bundledAs === null
      ? null
      : await readBuilt<ExtensionSchema>(file, loaded.sha256);
  if (built !== null) return { ...built, locationOf: () => null };
  const { readExtension } = await import("../read/index.js");
  const schema = await readExtension(
    loaded.text,
    { file: loaded.file, name, id },
    diagnostics,
  );
  // The reader gets decoded text, and the hash is of the bytes.
  return schema === null
    ? null
    : { ...schema, source: { ...schema.source, sha256: loaded.sha256 } };
}
