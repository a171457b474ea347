import { Diagnostics, SchemaError } from "../diagnostics.js";
import { loadSchema, type Loaded, withFacts } from "../read/load.js";

/** Loads a schema file, or the schema of a folder, and its `facts.json`. Throws a SchemaError if one cannot be loaded. */
export async function loadOrThrow(path: string): Promise<Loaded> {
  const diagnostics = new Diagnostics();
  const loaded = await loadSchema(path, diagnostics.root);
  if (loaded === null) throw new SchemaError(diagnostics.list);
  return loaded;
}

/** Adds the `facts.json` in the folder where the schema is or will be written. Throws a SchemaError if it cannot be loaded. */
export async function withFactsAt(loaded: Loaded, path: string): Promise<Loaded> {
  const diagnostics = new Diagnostics();
  const complete = await withFacts(loaded, path, diagnostics.root);
  if (complete === null) throw new SchemaError(diagnostics.list);
  return complete;
}
