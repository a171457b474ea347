import type { Diagnostics } from "../../diagnostics.js";
import type { PlaceOf } from "../../ir/check/place.js";
import { extensionId } from "../../ir/facts.js";
import type { Declaration, Source } from "../../ir/model.js";
import { loadCompiler } from "./compiler.js";
import { importsOf } from "./imports.js";
import { checkUses } from "./names.js";
import { parse } from "./parse.js";
import { readStatements } from "./statements.js";
import { digestOf } from "../digest.js";

/** An extension's schema: what it adds, and what it builds on. */
export interface ExtensionSchema {
  /** The key under which both sides declare it: "io.modelcontextprotocol/tasks". */
  readonly id: string;
  readonly source: Source;
  /** Names of the revision's that it imports. */
  readonly imports: readonly string[];
  readonly declarations: readonly Declaration[];
  readonly placeOf: PlaceOf;
}

/** EXT-01: a prefix of labels, a slash and a name. */
const identifier =
  /^([A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?\/[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/;

/**
 * Reads an extension's `schema.ts`, which imports from the schema it adds to. Null when it has a fault, which is reported.
 */
export async function readExtension(
  text: string,
  { file, name }: { readonly file: string; readonly name: string },
  diagnostics: Diagnostics,
): Promise<ExtensionSchema | null> {
  const before = diagnostics.list.length;
  const ts = await loadCompiler();
  const parsed = parse(ts, text, file, diagnostics);
  if (parsed === null) return null;
  const { source } = parsed;
  const imports = importsOf(ts, parsed.statements);
  const { declarations, places, uses, refused } = readStatements(
    { ts, source, file },
    parsed.statements.filter((statement) => !imports.statements.has(statement)),
    diagnostics,
    imports.names,
  );
  if (parsed.whole) checkUses(uses, declarations, refused, new Set(imports.names.values()));
  const own = declarations.find((entry) => entry.kind === "constant" && entry.name === extensionId);
  const id = own?.kind === "constant" ? String(own.value) : "";
  if (!identifier.test(id)) {
    const found =
      own === undefined ? `the file has no ${extensionId}` : `"${id}" is no name for an extension`;
    const hint = `export const ${extensionId} = "com.example/name"`;
    diagnostics.root.error("MG119", places.of(extensionId) ?? { file, line: 1, column: 1 }, found, hint);
  }
  if (diagnostics.list.slice(before).some(({ severity }) => severity === "error")) return null;
  return {
    id,
    source: { name, language: "typescript", sha256: digestOf(text) },
    imports: [...imports.names.values()],
    declarations: declarations.filter((entry) => entry !== own),
    placeOf: places.of.bind(places),
  };
}
