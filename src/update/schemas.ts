import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { schemaError, SchemaError } from "../diagnostics.js";
import { digestOf } from "../read/digest.js";
import type { Loaded } from "../read/load.js";
import { decode } from "../read/utf8.js";
import { isPinName } from "../sources/lock.js";
import { archiveLimits, type SchemaBytes } from "./archive.js";

/** The schemas of a source. */
export interface FetchedSchemas {
  /** The revisions that it has, sorted; one empty name if the source is a single schema. */
  readonly names: readonly string[];
  /** The text of a schema. Throws a SchemaError if it is not text. */
  load(name: string): Loaded;
}

/** Schemas by revision, each decoded when it is loaded. */
export function decodeAll(schemas: ReadonlyMap<string, SchemaBytes>, source: string): FetchedSchemas {
  return {
    names: [...schemas.keys()].sort(),
    load: (revision) => {
      const schema = schemas.get(revision);
      if (schema === undefined) throw new Error(`The source has no revision ${revision}.`);
      return decodeSchema(schema.bytes, `${source}/schema/${revision}/${schema.name}`);
    },
  };
}

/** Decodes a schema in the same way as a file on the disk. `file` is its path in diagnostics. */
export function decodeSchema(bytes: Uint8Array, file: string): Loaded {
  const text = decode(bytes);
  if (typeof text !== "string") throw fileError("MG005", file, text.line, text.problem);
  if (text.trim() === "") throw fileError("MG006", file, 1, "the file is empty");
  return { file, text, sha256: digestOf(text) };
}

function fileError(code: string, file: string, line: number, message: string): SchemaError {
  const location = { file, line, column: 1 };
  return new SchemaError([{ code, severity: "error", message, hint: null, location, within: [] }]);
}

/** Reads the files `schema/<revision>/schema.ts` and `schema.json` of a folder. */
export async function folderSchemas(path: string, source: string): Promise<FetchedSchemas> {
  const schemas = new Map<string, SchemaBytes>();
  for (const revision of await readdir(join(path, "schema")).catch(() => [])) {
    if (!isPinName(revision)) continue;
    // A schema.ts is complete; a schema.json lacks names and comments.
    for (const name of ["schema.json", "schema.ts"] as const) {
      const file = join(path, "schema", revision, name);
      const stats = await stat(file).catch(() => null);
      if (stats === null || !stats.isFile()) continue;
      if (stats.size > archiveLimits.schema) {
        const limit = `${archiveLimits.schema / 1_000_000} MB`;
        throw schemaError("MG004", `${file} is larger than ${limit}, the maximum`, null);
      }
      schemas.set(revision, { name, bytes: await readFile(file) });
    }
  }
  return decodeAll(schemas, source);
}
