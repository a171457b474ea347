import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { extensionOf, supportFile, supportNames } from "../emit/support.js";
import { digestOf, hasDigest, type Manifest } from "../emit/write.js";
import { supportTexts } from "./templates.js";

/** The support files that an earlier run has written to a folder. */
interface SupportIn {
  readonly names: readonly string[];
  /**
   * Those that another version of mcpgen wrote, or that somebody has edited or
   * removed.
   */
  readonly outdated: readonly string[];
}

/**
 * Compares the support files of a generated folder, in any layout, with those
 * of this version of mcpgen.
 */
export async function supportIn(
  folder: string,
  { files, options }: Manifest,
): Promise<SupportIn> {
  const texts = await supportTexts();
  const extension = extensionOf(options.importExtension);
  const names = supportNames(texts).filter((name) => files.has(name));
  const outdated: string[] = [];
  for (const name of names) {
    const bytes = await readFile(join(folder, name)).catch(() => null);
    const digest = digestOf(name, supportFile(texts, name, extension).text);
    const isSame = bytes !== null && hasDigest(bytes, digest);
    if (!isSame) outdated.push(name);
  }
  return { names, outdated };
}
