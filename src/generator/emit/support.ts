/** Where the support files are among the templates. */
export const supportFolder = "copied/";

const copiedHeader =
  "// Copied by mcpgen. Do not edit.\n/* eslint-disable */\n";
const relativeImport = /(from "\.\/[\w-]+)\.js(?=")/g;

/**
 * The extension of relative imports in generated files, for the option of that
 * name.
 */
export const extensionOf = (option = "js"): string =>
  option === "none" ? "" : `.${option}`;

/** The names of all support files. */
export const supportNames = (
  templates: ReadonlyMap<string, string>,
): string[] =>
  [...templates.keys()].flatMap((name) =>
    name.startsWith(supportFolder) ? name.slice(supportFolder.length) : [],
  );

/**
 * A copy of a file of `src/generator/copied`: code that generated files import and that
 * is the same for every schema.
 *
 * @param templates the built-in templates, which the support files are loaded
 *   with
 * @param extension the ending of relative imports: ".js", ".ts" or ""
 */
export function supportFile(
  templates: ReadonlyMap<string, string>,
  name: string,
  extension: string,
): { readonly path: string; readonly text: string } {
  const text = templates.get(supportFolder + name);
  if (text === undefined)
    throw new Error(
      `The package is incomplete: it has no src/generator/copied/${name}.`,
    );
  return {
    path: name,
    text: `${copiedHeader}\n${text.replace(relativeImport, `$1${extension}`)}`,
  };
}
