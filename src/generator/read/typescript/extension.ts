import type { ts } from "ts-morph";
import type { Diagnostics, Location, Scope } from "../../diagnostics.js";
import type { Declared } from "../../ir/lookup.js";
import { constantIn } from "../../ir/constraint/form.js";
import {
  extensionId,
  extensionTags,
  wellKnownExtensions,
} from "../../ir/facts.js";
import type { Declaration, Extension } from "../../ir/model.js";
import { checkUses } from "./names.js";
import { parse } from "./parse.js";
import { readStatements } from "./statements.js";
import { digestOf } from "../digest.js";
import { idInComment, isExtensionId } from "../extension-id.js";
import { loadCompiler, type Compiler } from "./parse-context.js";

/** The schema of an extension: what it adds, and the types that it imports. */
export interface ExtensionSchema
  extends Declared, Pick<Extension, "id" | "source"> {
  readonly declaredBy: Extension["declaredBy"];
  /** The names that it imports from the revision. */
  readonly imports: readonly string[];
}

/** A file with the schema of an extension. */
export interface ExtensionFile {
  readonly file: string;
  /** Its name in generated files. */
  readonly name: string;
  /** The id that the user gives it; absent if the file says it. */
  readonly id?: string | undefined;
}

/**
 * Reads the `schema.ts` of an extension, which imports types of the revision.
 * Returns null after an error.
 */
export async function readExtensionText(
  text: string,
  { file, name, id: given }: ExtensionFile,
  diagnostics: Diagnostics,
): Promise<ExtensionSchema | null> {
  const hasErrors = diagnostics.watch();
  const ts = await loadCompiler();
  const tree = parse(ts, text, file, diagnostics);
  if (tree === null) return null;
  const { source } = tree;
  const imports = importsOf(ts, tree.statements);
  const { declarations, locations, uses, rejected } = readStatements(
    { ts, source, file, isWhole: tree.whole },
    tree.statements.filter((statement) => !imports.statements.has(statement)),
    diagnostics,
    imports.names,
  );
  if (tree.whole)
    checkUses(uses, declarations, rejected, new Set(imports.names.values()));
  const idConstant = declarations.find(
    (entry) => entry.kind === "constant" && entry.name === extensionId,
  );
  const id = readId(
    {
      own: idConstant && String(constantIn(idConstant.schema)),
      given,
      known: wellKnownId(declarations),
      comment: text.slice(0, tree.statements[0]?.getStart(source)),
      place: locations.of(extensionId) ?? { file, line: 1, column: 1 },
    },
    diagnostics.root,
  );
  const declarer = idConstant?.schema.doc.tags.find(
    (tag) => tag.name === extensionTags.declaredBy,
  )?.text;
  if (declarer !== undefined && declarer !== "server") {
    diagnostics.root.error(
      "MG112",
      locations.of(extensionId),
      `the value "${declarer}" of @${extensionTags.declaredBy} is not valid`,
      "write `@declaredBy server` if only the server declares the extension; remove the tag if both sides do",
    );
  }
  if (hasErrors()) return null;
  return {
    id,
    declaredBy: declarer === "server" ? declarer : undefined,
    source: { name, language: "typescript", sha256: digestOf(text) },
    imports: [...imports.names.values()],
    declarations: declarations.filter((entry) => entry !== idConstant),
    locationOf: locations.of.bind(locations),
  };
}

/**
 * The id that the file or the user says, otherwise that of a type which it
 * declares, otherwise that of its first comment, with a note. Reports an id that
 * is missing, not valid, or said in two ways.
 */
function readId(
  {
    own,
    given,
    known,
    comment,
    place,
  }: {
    readonly own: string | undefined;
    readonly given: string | undefined;
    readonly known: string | undefined;
    readonly comment: string;
    readonly place: Location;
  },
  scope: Scope,
): string {
  const said = own ?? given ?? known;
  const named = said === undefined ? idInComment(comment) : null;
  const id = said ?? named ?? "";
  if (named !== null) {
    const message = `the file has no ${extensionId}; the id "${id}" is that of its comment`;
    const hint = `nothing, or name it: --extension ${id}=<path>`;
    scope.note("MG119", place, message, hint);
  } else if (given !== undefined && given !== id) {
    const message = `the file declares the id "${id}", and "${given}" is given`;
    const hint = "leave the given id out, or correct one of the two";
    scope.error("MG119", place, message, hint);
  } else if (!isExtensionId(id)) {
    const message =
      own === undefined
        ? `the file has no ${extensionId}`
        : `"${id}" is not a valid extension id`;
    const hint = `write export const ${extensionId} = "com.example/name", or name the id: --extension com.example/name=<path>`;
    scope.error("MG119", place, message, hint);
  }
  return id;
}

/**
 * The id of a published schema that does not have its id, by a type that it
 * declares.
 */
function wellKnownId(declarations: readonly Declaration[]): string | undefined {
  const row = wellKnownExtensions.find(({ marker }) =>
    declarations.some(({ name }) => name === marker),
  );
  return row?.id;
}

/** What an extension imports from the revision's schema. */
interface Imports {
  readonly statements: ReadonlySet<ts.Statement>;
  /**
   * The imported names by their local names:
   * `import type { Error as RpcError }` maps RpcError to Error.
   */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The type imports of a file. Nothing is loaded: the path is only for editors.
 */
function importsOf(ts: Compiler, all: readonly ts.Statement[]): Imports {
  const statements = new Set<ts.Statement>();
  const names = new Map<string, string>();
  for (const statement of all) {
    if (!ts.isImportDeclaration(statement)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (
      bindings === undefined ||
      !ts.isNamedImports(bindings) ||
      statement.importClause?.name
    )
      continue;
    statements.add(statement);
    for (const { name, propertyName } of bindings.elements)
      names.set(name.text, (propertyName ?? name).text);
  }
  return { statements, names };
}
