import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { isPinName } from "../sources/lock.js";
import { ArchiveError, readTar, type TarContent, type TarFile } from "./tar.js";

/** The maximum sizes: of an archive, of its content, of one schema, of all its schemas, and of the number of its files. */
export const archiveLimits = {
  compressed: 200_000_000,
  unpacked: 1_000_000_000,
  schema: 20_000_000,
  schemas: 100_000_000,
  entries: 200_000,
} as const;

/** A schema of a source that is not decoded yet. */
export interface SchemaBytes {
  readonly name: "schema.ts" | "schema.json";
  readonly bytes: Uint8Array;
}

/**
 * Unpacks the files `schema/<revision>/schema.ts` and `schema.json` of a .tar.gz, by revision. Everything else is skipped, and
 * nothing is written: a path of the archive only gives the name of a revision. Links are skipped too.
 */
export async function unpackSchemas(
  compressed: AsyncIterable<Uint8Array>,
): Promise<ReadonlyMap<string, SchemaBytes>> {
  const schemas = new Map<string, SchemaBytes>();
  for (const { path, bytes } of await unpack(compressed)) {
    const [revision = "", name = ""] = path.split("/").slice(-2);
    const other = schemas.get(revision);
    if (other?.name === name) throw new ArchiveError(`it contains schema/${revision}/${name} twice`);
    // A schema.ts is complete; a schema.json lacks names and comments.
    if (name === "schema.ts" || (name === "schema.json" && other === undefined))
      schemas.set(revision, { name, bytes });
  }
  return schemas;
}

async function unpack(compressed: AsyncIterable<Uint8Array>): Promise<readonly TarContent[]> {
  const gunzip = createGunzip();
  let problem: unknown = null;
  // An error of the source ends the decompression without being lost.
  const input = pipeline(Readable.from(compressed, { objectMode: false }), gunzip).catch((error: unknown) => {
    problem = error;
  });
  let entries = 0;
  let total = 0;
  const filter = ({ path, size }: TarFile): boolean => {
    entries += 1;
    if (entries > archiveLimits.entries)
      throw new ArchiveError(`it contains more than ${archiveLimits.entries} files`);
    if (!isSchema(path)) return false;
    total += size;
    if (size > archiveLimits.schema)
      throw new ArchiveError(`a schema in it is larger than ${megabytes(archiveLimits.schema)}`);
    if (total > archiveLimits.schemas)
      throw new ArchiveError(`its schemas are larger than ${megabytes(archiveLimits.schemas)}`);
    return true;
  };
  try {
    const files = await readTar(bounded(gunzip), filter);
    await input;
    if (problem !== null) throw problem;
    return files;
  } catch (error) {
    gunzip.destroy();
    await input;
    // Ending the decompression early is an error of the source too, but not the cause.
    throw error instanceof ArchiveError ? error : causeOf(problem ?? error);
  }
}

/** Passes the data on until it exceeds the limit, because a small archive can decompress to very much data. */
async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > archiveLimits.unpacked)
      throw new ArchiveError(`its content is larger than ${megabytes(archiveLimits.unpacked)}`);
    yield chunk;
  }
}

/** True for `schema/<revision>/schema.ts` and `schema.json`, at the top or in the one folder of an archive of git. */
function isSchema(path: string): boolean {
  const [, top, revision = ""] = /^(?:([^/]+)\/)?schema\/([^/]+)\/schema\.(?:ts|json)$/.exec(path) ?? [];
  return top !== ".." && isPinName(revision);
}

/** An error of the decompression; another error is passed on. */
function causeOf(error: unknown): unknown {
  const isFormat = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
  return isFormat ? new ArchiveError(`it is not a complete .tar.gz: ${error.message}`) : error;
}

const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`;
