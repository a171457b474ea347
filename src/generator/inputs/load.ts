import { Diagnostics, SchemaError, type Scope } from "../diagnostics.js";
import {
  decodeSchema,
  loadSchema,
  type Loaded,
  withFacts,
} from "../read/load.js";

/**
 * Loads a schema file, or the schema of a folder, and its `facts.json`. Throws
 * a SchemaError if one cannot be loaded.
 */
export const loadOrThrow = async (path: string): Promise<Loaded> =>
  await orThrow((scope) => loadSchema(path, scope));

/**
 * Adds the `facts.json` in the folder where the schema is or will be written.
 * Throws a SchemaError if it cannot be loaded.
 */
export const withFactsAt = async (
  loaded: Loaded,
  path: string,
): Promise<Loaded> => await orThrow((scope) => withFacts(loaded, path, scope));

/**
 * Decodes the bytes of a schema. Throws a SchemaError, which names `file`, if
 * they are not text.
 */
export const decodeOrThrow = async (
  bytes: Uint8Array,
  file: string,
): Promise<Loaded> =>
  await orThrow((scope) => decodeSchema(bytes, file, scope));

async function orThrow(
  load: (scope: Scope) => Loaded | null | Promise<Loaded | null>,
): Promise<Loaded> {
  const diagnostics = new Diagnostics();
  const loaded = await load(diagnostics.root);
  if (loaded === null) throw new SchemaError(diagnostics.list);
  return loaded;
}
