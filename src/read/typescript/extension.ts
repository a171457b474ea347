import type { Diagnostics } from "../../diagnostics.js";
import type { LocationOf } from "../../ir/check/location.js";
import { extensionId, wellKnownExtensions } from "../../ir/facts.js";
import type { Declaration, Source } from "../../ir/model.js";
import { loadCompiler } from "./compiler.js";
import { importsOf } from "./imports.js";
import { checkUses } from "./names.js";
import { parse } from "./parse.js";
import { readStatements } from "./statements.js";
import { digestOf } from "../digest.js";

/** The schema of an extension: what it adds, and the types that it imports. */
export interface ExtensionSchema {
  /** The key under which both sides declare it: "io.modelcontextprotocol/tasks". */
  readonly id: string;
  readonly source: Source;
  /** The names that it imports from the revision. */
  readonly imports: readonly string[];
  readonly declarations: readonly Declaration[];
  readonly locationOf: LocationOf;
}

/** The id of an extension: a prefix of labels, a slash and a name (requirement EXT-01). */
const identifier =
  /^([A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?\/[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/;

/**
 * Reads the `schema.ts` of an extension, which imports types of the revision. Returns null after an error.
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
  const { declarations, locations, uses, rejected } = readStatements(
    { ts, source, file },
    parsed.statements.filter((statement) => !imports.statements.has(statement)),
    diagnostics,
    imports.names,
  );
  if (parsed.whole) checkUses(uses, declarations, rejected, new Set(imports.names.values()));
  const own = declarations.find((entry) => entry.kind === "constant" && entry.name === extensionId);
  const id = own?.kind === "constant" ? String(own.value) : wellKnownId(declarations);
  if (!identifier.test(id)) {
    const problem =
      own === undefined ? `the file has no ${extensionId}` : `"${id}" is not a valid extension id`;
    const hint = `export const ${extensionId} = "com.example/name"`;
    diagnostics.root.error("MG119", locations.of(extensionId) ?? { file, line: 1, column: 1 }, problem, hint);
  }
  if (diagnostics.list.slice(before).some(({ severity }) => severity === "error")) return null;
  return {
    id,
    source: { name, language: "typescript", sha256: digestOf(text) },
    imports: [...imports.names.values()],
    declarations: declarations.filter((entry) => entry !== own),
    locationOf: locations.of.bind(locations),
  };
}

/** The id of a published schema that does not have its id, by a type that it declares; empty for any other schema. */
function wellKnownId(declarations: readonly Declaration[]): string {
  const row = wellKnownExtensions.find(({ marker }) => declarations.some(({ name }) => name === marker));
  return row?.id ?? "";
}
