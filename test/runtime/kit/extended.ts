import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate, readSchema } from "../../../src/index.js";
import { Diagnostics } from "../../../src/generator/diagnostics.js";
import {
  extendAll,
  namedExtensions,
} from "../../../src/generator/inputs/extensions.js";
import { put } from "../../files.js";
import type { Json } from "./messages.js";
import {
  type AnyServer,
  type byRevision,
  described,
  type Revision,
  type ServerOptions,
} from "./revisions.js";

/** What is generated for revisions with an extension. */
export interface Extended {
  /** The generated files. */
  readonly folder: string;
  readonly revisions: readonly Revision[];
  createServers(options: Json & ServerOptions): readonly AnyServer[];
}

/**
 * Generates revisions, those that can with a bundled extension, once for all
 * test files of a process that share the caller's module.
 */
export async function extended(
  names: readonly string[],
  extension: string,
): Promise<Extended> {
  const folder = realpathSync(
    mkdtempSync(join(tmpdir(), `mcpgen-${extension}-`)),
  );
  const plain = await Promise.all(names.map((name) => readSchema(name)));
  const protocols = await extendAll(
    plain,
    await namedExtensions([extension], "."),
    new Diagnostics(),
  );
  const { files } = await generate({ protocols });
  for (const { path, text } of files) put(join(folder, path), text);
  const generated = (await import(join(folder, "index.ts"))) as {
    readonly protocols: typeof byRevision;
    createServers(options: Json & ServerOptions): readonly AnyServer[];
  };
  return {
    folder,
    revisions: described(generated.protocols),
    createServers: generated.createServers,
  };
}
