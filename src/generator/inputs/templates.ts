import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { reasonOf } from "../emit/write/disk.js";
import { makeDiagnostic, schemaError, SchemaError } from "../diagnostics.js";
import { type Precompiled, precompiled } from "../emit/precompiled.js";
import { supportFolder } from "../emit/support.js";
import { TemplateError } from "../emit/template-error.js";
import { sha256 } from "../emit/write.js";
import { suggestion } from "../read/nearest.js";
import { packageRoot } from "./package.js";

/** The user's templates that replace built-in ones. */
export interface Overrides {
  readonly folder: string;
  /** By file name, relative to the folder. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * The built-in templates, and the support files that are copied beside
 * generated files.
 */
export async function builtInTemplates(): Promise<ReadonlyMap<string, string>> {
  const module = pathToFileURL(
    join(packageRoot(), "dist", "templates.js"),
  ).href;
  const [templates, support, built] = await Promise.all([
    readTexts(join(packageRoot(), "templates"), ".hbs"),
    supportTexts(),
    // Without a build, each template is compiled when it is used.
    import(module).catch(() => ({ precompiled: [] })) as Promise<{
      precompiled: Iterable<[string, Precompiled]>;
    }>,
  ]);
  for (const [text, template] of built.precompiled)
    precompiled.set(text, template);
  return new Map([...templates, ...support]);
}

/** The support files, by the names that they have among the templates. */
export async function supportTexts(): Promise<ReadonlyMap<string, string>> {
  const texts = await readTexts(
    join(packageRoot(), "src/generator/copied"),
    ".ts",
  );
  return new Map(
    [...texts].map(([name, text]) => [supportFolder + name, text]),
  );
}

/** The built-in templates, some of them replaced by the user's. */
export async function templatesWith(
  overrides: Overrides | null,
): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await builtInTemplates()), ...(overrides?.texts ?? [])]);
}

/**
 * Reads the templates that replace built-in ones. A file that replaces none is
 * an error.
 */
export async function loadOverrides(folder: string): Promise<Overrides> {
  let texts: ReadonlyMap<string, string>;
  try {
    texts = await readTexts(folder, ".hbs");
  } catch (error) {
    throw schemaError(
      "MG711",
      `the templates in ${folder} cannot be read: ${reasonOf(error)}`,
      "name a folder of .hbs files",
    );
  }
  const builtIn = [...(await builtInTemplates()).keys()].filter((name) =>
    name.endsWith(".hbs"),
  );
  const unknownNames = [...texts.keys()].filter(
    (name) => !builtIn.includes(name),
  );
  if (unknownNames.length > 0) {
    throw new SchemaError(
      unknownNames.map((name) => {
        const message = `${join(folder, name)} replaces no built-in template`;
        const hint =
          suggestion(name, builtIn) ??
          `the built-in ones are ${builtIn.join(", ")}`;
        return makeDiagnostic("error", "MG711", message, hint);
      }),
    );
  }
  if (texts.size === 0)
    throw schemaError(
      "MG711",
      `${folder} contains no .hbs file`,
      "name a folder of .hbs files",
    );
  return { folder, texts };
}

/** A digest of all replaced templates; null without any. */
export function digestTemplates(overrides: Overrides | null): string | null {
  return overrides === null
    ? null
    : sha256(JSON.stringify([...overrides.texts]));
}

/**
 * Runs templates. Converts an error in a user's template to a diagnostic that
 * names its file; an error in a built-in one is a bug.
 */
export function withTemplateErrors<T>(
  overrides: Overrides | null,
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    if (overrides === null || !(error instanceof TemplateError)) throw error;
    const { folder, texts } = overrides;
    const { files, reason, at } = error;
    if (!files.some((file) => texts.has(file))) throw error;
    const names = files.map((file) =>
      texts.has(file) ? join(folder, file) : `the built-in ${file}`,
    );
    const file = names.at(-1) ?? folder;
    const diagnostic = {
      code: "MG711",
      severity: "error",
      message: at === null ? `${file}: ${reason}` : reason,
      hint: "fix the template, or start again from the built-in one",
      location: at === null ? null : { file, ...at },
      within: names.slice(0, -1),
    } as const;
    throw new SchemaError([diagnostic]);
  }
}

async function readTexts(
  folder: string,
  ending: string,
): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder, { recursive: true }))
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(ending))
    .sort();
  const texts = await Promise.all(
    names.map((name) => readFile(join(folder, name), "utf8")),
  );
  return new Map(
    names.map((name, index) => [
      name,
      (texts[index] ?? "").replaceAll("\r\n", "\n"),
    ]),
  );
}
