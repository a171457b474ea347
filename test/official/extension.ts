import { Diagnostics } from "../../src/generator/diagnostics.js";
import type { Declaration } from "../../src/generator/ir/model.js";
import { revision } from "../read/typescript/reading.js";
import { revisions } from "../repository.js";
import {
  bundledExtensions,
  load,
  readExtension,
} from "../../src/generator/read/index.js";

/**
 * The bundled extensions with an official schema. That of skills has only
 * prose.
 */
export const officialExtensions = async (): Promise<
  { name: string; folder: string }[]
> => (await bundledExtensions()).filter(({ name }) => name !== "skills");

/**
 * The declarations of an extension, without those that it adds to types of the
 * revision, which are official only in prose.
 */
export async function ownDeclarations(
  path: string,
  more = "",
): Promise<{
  readonly id: string;
  readonly imports: readonly string[];
  readonly own: readonly Declaration[];
}> {
  const diagnostics = new Diagnostics();
  const loaded = await load(path, diagnostics.root);
  const options = { file: path, name: path };
  const schema =
    loaded && (await readExtension(loaded.text + more, options, diagnostics));
  if (!schema) throw new Error(JSON.stringify(diagnostics.list));
  const { id, imports, declarations } = schema;
  const known = new Set(
    (await revision(revisions.at(-1) ?? "")).declarations.map(
      ({ name }) => name,
    ),
  );
  return {
    id,
    imports,
    own: declarations.filter(({ name }) => !known.has(name)),
  };
}
