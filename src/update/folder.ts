import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { schemaError } from "../diagnostics.js";
import { isPinName } from "../sources/lock.js";
import { archiveLimits, type SchemaBytes } from "./archive.js";
import { decodeAll, type FetchedSchemas } from "./schemas.js";

/** Reads the files `schema/<revision>/schema.ts` and `schema.json` of a folder. */
export async function folderSchemas(path: string, name: string): Promise<FetchedSchemas> {
  const schemas = new Map<string, SchemaBytes>();
  const entries = await readdir(join(path, "schema"), { withFileTypes: true }).catch(() => []);
  for (const { name: revision } of entries.filter((entry) => isPinName(entry.name))) {
    const schema = await schemaIn(join(path, "schema", revision));
    if (schema !== null) schemas.set(revision, schema);
  }
  return decodeAll(schemas, name);
}

async function schemaIn(folder: string): Promise<SchemaBytes | null> {
  for (const name of ["schema.ts", "schema.json"] as const) {
    const file = join(folder, name);
    const stats = await stat(file).catch(() => null);
    if (stats === null || !stats.isFile()) continue;
    if (stats.size > archiveLimits.schema) {
      const limit = `${archiveLimits.schema / 1_000_000} MB`;
      throw schemaError("MG004", `${file} is larger than ${limit}, the maximum`, null);
    }
    return { name, bytes: await readFile(file) };
  }
  return null;
}
