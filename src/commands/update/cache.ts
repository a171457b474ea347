import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { SchemaError } from "../../generator/diagnostics.js";
import type { Loaded } from "../../generator/read/load.js";
import { loadOrThrow } from "../../generator/inputs/load.js";
import { upwards } from "../../generator/inputs/paths.js";
import { loadIfIntact } from "../../generator/inputs/pins.js";
import type { Candidate } from "./pins.js";

/**
 * Keeps the schemas that an update replaces, so that later runs can compare
 * outputs that were generated from them. A cache: it is not committed, and a
 * project without `node_modules`, or a disk that cannot be written, has none.
 */
export async function keepReplaced(
  pins: readonly Candidate[],
  project: string,
): Promise<void> {
  const cache = cacheFolder(project);
  if (cache === null) return;
  for (const { pin, loaded } of pins) {
    if (pin === null || pin.sha256 === loaded.sha256) continue;
    const replaced = await loadIfIntact(pin, project);
    if (typeof replaced !== "string")
      await write(
        cache,
        `${replaced.sha256}${extname(pin.file)}`,
        replaced.text,
      );
  }
}

/** The kept schemas whose digest is still that of their name. */
export async function replacedSchemas(
  project: string,
): Promise<readonly Loaded[]> {
  const cache = cacheFolder(project);
  const names = cache === null ? [] : await readdir(cache).catch(() => []);
  const schemas: Loaded[] = [];
  for (const name of names
    .filter((file) => /^[0-9a-f]{64}\.(?:ts|json)$/.test(file))
    .sort()) {
    const loaded = await loadOrThrow(join(cache ?? "", name)).catch(
      (error: unknown) => {
        if (error instanceof SchemaError) return null;
        throw error;
      },
    );
    if (loaded !== null && name.startsWith(loaded.sha256)) schemas.push(loaded);
  }
  return schemas;
}

/** The number of files that the cache keeps, which are the newest ones. */
const maxFiles = 50;

/**
 * Writes a file. Ignores a failure: without the cache, a later run only does
 * more work.
 */
async function write(cache: string, name: string, text: string): Promise<void> {
  try {
    await mkdir(cache, { recursive: true });
    await writeFile(join(cache, name), text);
    const files = (await readdir(cache)).map((file) => join(cache, file));
    const times = await Promise.all(
      files.map(async (file) => ({ file, time: (await stat(file)).mtimeMs })),
    );
    for (const { file } of times
      .sort((a, b) => b.time - a.time)
      .slice(maxFiles))
      await rm(file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

/**
 * In the nearest `node_modules`, here or above, where tools keep such files.
 */
function cacheFolder(project: string): string | null {
  const folders = Array.from(upwards(resolve(project)), (folder) =>
    join(folder, "node_modules"),
  );
  const nearest = folders.find(existsSync);
  return nearest === undefined ? null : join(nearest, ".cache/mcpgen");
}
