import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Parser } from "tar/parse";
import { byText } from "../../common/by-text.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import {
  decodeSchema,
  type Loaded,
  schemaNames,
  withJson,
} from "../../generator/read/load.js";
import { decodeOrThrow } from "../../generator/inputs/load.js";
import { isPinName } from "../../generator/inputs/lock.js";

/**
 * The maximum sizes: of an archive, of its content, of one schema, of all its
 * schemas, and of the number of its files.
 */
export const archiveLimits = {
  compressed: 200_000_000,
  unpacked: 1_000_000_000,
  schema: 20_000_000,
  schemas: 100_000_000,
  entries: 200_000,
} as const;

/** An archive that cannot be read or is larger than the limits. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/**
 * The schemas of a source, each loaded on demand. Their keys are the names of
 * the revisions, sorted; one empty name if the source is a single schema.
 * Loading rejects with a SchemaError if a schema is not text.
 */
export type FetchedSchemas = ReadonlyMap<string, () => Promise<Loaded>>;

/**
 * Unpacks the files `schema/<revision>/schema.ts` and `schema.json` of a
 * .tar.gz, by revision. Everything else is skipped, and nothing is written: a
 * path of the archive only gives the name of a revision. Links are skipped too.
 * `source` is the path of the archive in diagnostics.
 *
 * @throws ArchiveError
 */
export async function unpackSchemas(
  compressed: AsyncIterable<Uint8Array>,
  source: string,
): Promise<FetchedSchemas> {
  const schemas = new Map<string, Map<string, Uint8Array[]>>();
  for (const [path, chunks] of await unpack(compressed)) {
    const [revision = "", name = ""] = path.split("/").slice(-2);
    const files = schemas.get(revision) ?? new Map<string, Uint8Array[]>();
    if (files.has(name))
      throw new ArchiveError(`it contains schema/${revision}/${name} twice`);
    schemas.set(revision, files.set(name, chunks));
  }
  const sorted = [...schemas].sort(([a], [b]) => byText(a, b));
  return new Map(
    sorted.map(([revision, files]) => [
      revision,
      () => preferred(files, `${source}/schema/${revision}`),
    ]),
  );
}

/** The schema of a revision, with the other form of it. */
async function preferred(
  files: ReadonlyMap<string, Uint8Array[]>,
  folder: string,
): Promise<Loaded> {
  const [first, second] = schemaNames.flatMap((name) => {
    const chunks = files.get(name);
    return chunks
      ? [[Buffer.concat(chunks), `${folder}/${name}`] as const]
      : [];
  });
  if (first === undefined) throw new Error("A revision has a schema.");
  // It is only a way out, so what is wrong with it is not reported.
  const json = second ? decodeSchema(...second, new Diagnostics().root) : null;
  return withJson(await decodeOrThrow(...first), json);
}

type File = readonly [path: string, chunks: Uint8Array[]];

/**
 * The schemas of an archive, in its order. Only they are in memory, and bytes
 * are counted instead of believing a header.
 */
async function unpack(
  compressed: AsyncIterable<Uint8Array>,
): Promise<readonly File[]> {
  const files: File[] = [];
  const countEntry = limited(
    "entries",
    (limit) => `it contains more than ${limit} files`,
  );
  const countSchemas = limited(
    "schemas",
    (limit) => `its schemas are larger than ${megabytes(limit)}`,
  );
  const countContent = limited(
    "unpacked",
    (limit) => `its content is larger than ${megabytes(limit)}`,
  );
  const parser = new Parser({
    strict: true,
    filter: (path, entry) => {
      countEntry(1);
      return (
        isSchema(path) &&
        "type" in entry &&
        /^(?:Old|Contiguous)?File$/.test(entry.type)
      );
    },
    onReadEntry: (entry) => {
      const countSchema = limited(
        "schema",
        (limit) => `a schema in it is larger than ${megabytes(limit)}`,
      );
      const chunks: Uint8Array[] = [];
      files.push([entry.path, chunks]);
      entry.on("data", (chunk) => {
        countSchema(chunk.length);
        countSchemas(chunk.length);
        chunks.push(chunk);
      });
    },
  });
  const source = Readable.from(compressed, { objectMode: false });
  const content = source.pipe(createGunzip());
  let failure: Error | null = null;
  source.once("error", (error) => content.destroy((failure = error)));
  try {
    // An empty block first: the parser would decompress content that is
    // compressed once more, without a limit.
    parser.write(Buffer.alloc(512));
    for await (const chunk of content as AsyncIterable<Buffer>) {
      countContent(chunk.length);
      parser.write(chunk);
    }
    parser.end();
  } catch (error) {
    // For an archive that is not valid, the parser throws any error.
    if (error === failure || error instanceof ArchiveError) throw error;
    throw new ArchiveError(
      `it is not a complete .tar.gz: ${String((error as Error).message)}`,
    );
  } finally {
    source.destroy();
  }
  return files;
}

/**
 * Counts up to a limit, because a small archive can decompress to very much
 * data.
 */
function limited(
  name: keyof typeof archiveLimits,
  problem: (limit: number) => string,
) {
  let sum = 0;
  return (amount: number): void => {
    sum += amount;
    if (sum > archiveLimits[name])
      throw new ArchiveError(problem(archiveLimits[name]));
  };
}

/**
 * True for `schema/<revision>/schema.ts` and `schema.json`, at the top or in
 * the one folder of an archive of git.
 */
function isSchema(path: string): boolean {
  const [, top, revision = ""] =
    /^(?:([^/]+)\/)?schema\/([^/]+)\/schema\.(?:ts|json)$/.exec(path) ?? [];
  return top !== ".." && isPinName(revision);
}

const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`;
