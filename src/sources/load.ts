import { Diagnostics, SchemaError } from "../diagnostics.js";
import { load, type Loaded } from "../read/load.js";

/** Loads a schema file, or the schema of a folder. Throws a SchemaError if it cannot be loaded. */
export async function loadOrThrow(path: string): Promise<Loaded> {
  const diagnostics = new Diagnostics();
  const loaded = await load(path, diagnostics.root);
  if (loaded === null) throw new SchemaError(diagnostics.list);
  return loaded;
}
