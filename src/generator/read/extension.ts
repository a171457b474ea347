import { Diagnostics } from "../diagnostics.js";
import { namesIn } from "../ir/lookup.js";
import { bundledExtensions, loadOptional } from "./load.js";
import {
  type ExtensionFile,
  type ExtensionSchema,
  readExtensionText,
} from "./typescript/extension.js";

/** The file beside a bundled extension with what only its text says. */
const additionsName = "additions.ts";

/**
 * Reads the `schema.ts` of an extension, and adds what only the text of a
 * bundled extension with the same id says, such as who sends its messages.
 * Returns null after an error.
 */
export async function readExtension(
  text: string,
  file: ExtensionFile,
  diagnostics: Diagnostics,
): Promise<ExtensionSchema | null> {
  const schema = await readExtensionText(text, file, diagnostics);
  const additions = schema && (await additionsOf(schema.id));
  return schema && additions ? join(schema, additions, diagnostics) : schema;
}

/** The additions that declare the id; null without any. */
async function additionsOf(id: string): Promise<ExtensionSchema | null> {
  const problems = new Diagnostics();
  for (const { name, folder } of await bundledExtensions()) {
    const path = `${folder}/${additionsName}`;
    const loaded = await loadOptional(path, problems.root);
    if (!loaded?.text.includes(JSON.stringify(id))) continue;
    const file = { file: path, name };
    return await readExtensionText(loaded.text, file, problems);
  }
  return null;
}

/**
 * A declaration that the schema has itself is not added. One that names a type
 * which the schema does not have is left out, with a note: the schema is another
 * version of the extension.
 */
function join(
  schema: ExtensionSchema,
  additions: ExtensionSchema,
  diagnostics: Diagnostics,
): ExtensionSchema {
  const own = new Set(schema.declarations.map(({ name }) => name));
  const missing = additions.imports.filter((name) => !own.has(name));
  const added = additions.declarations.filter(({ name }) => !own.has(name));
  const fitting = added.filter(
    (entry) => !namesIn(entry).some((name) => missing.includes(name)),
  );
  if (fitting.length < added.length)
    diagnostics.root.note(
      "MG125",
      null,
      `the schema of ${schema.id} has no ${missing.join(", ")}, so what mcpgen knows about it is left out: ${added
        .filter((entry) => !fitting.includes(entry))
        .map(({ name }) => name)
        .join(", ")}`,
      "update mcpgen, or declare these types in the schema",
    );
  return {
    ...schema,
    declaredBy: schema.declaredBy ?? additions.declaredBy,
    declarations: [...schema.declarations, ...fitting],
    locationOf: (name, member) =>
      own.has(name)
        ? schema.locationOf(name, member)
        : additions.locationOf(name, member),
  };
}
