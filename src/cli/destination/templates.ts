import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../emit/write.js";
import { nearest } from "../../read/nearest.js";
import { packageRoot } from "../package.js";
import { Fault, usageFault } from "../fault.js";

/** Templates by file name, the user's in place of ours. */
export interface Templates {
  readonly texts: ReadonlyMap<string, string>;
  /** Changes whenever a replacing template does; null without any. */
  readonly digest: string | null;
}

/** The built-in templates. */
export async function builtInTemplates(): Promise<ReadonlyMap<string, string>> {
  return await readTemplates(join(packageRoot(), "templates"));
}

/** Reads the templates that replace built-in ones; refuses one that would replace nothing. */
export async function loadOverrides(folder: string): Promise<ReadonlyMap<string, string>> {
  let texts: ReadonlyMap<string, string>;
  try {
    texts = await readTemplates(folder);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw usageFault(
      "MG711",
      `the templates in ${folder} cannot be read (${code})`,
      "name a folder of .hbs files",
    );
  }
  const known = [...(await builtInTemplates()).keys()];
  const strange = [...texts.keys()].filter((name) => !known.includes(name));
  if (strange.length > 0) {
    throw new Fault(
      strange.map((name) => {
        const near = nearest(name, known);
        return {
          code: "MG711",
          severity: "error",
          message: `${join(folder, name)} replaces no built-in template`,
          hint: near === null ? `the built-in ones are ${known.join(", ")}` : `did you mean ${near}?`,
          location: null,
          within: [],
        };
      }),
    );
  }
  if (texts.size === 0)
    throw usageFault("MG711", `${folder} holds no .hbs file`, "name a folder of .hbs files");
  return texts;
}

export function digestTemplates(texts: ReadonlyMap<string, string>): string {
  return sha256(JSON.stringify([...texts]));
}

async function readTemplates(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder, { recursive: true }))
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".hbs"))
    .sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return new Map(names.map((name, index) => [name, texts[index] ?? ""]));
}
