import { ts } from "ts-morph";
import type { Diagnostics, Location } from "../diagnostics.js";
import { Edits, finish } from "./edits.js";
import { pages } from "./handlers.js";
import { convertServers } from "./servers.js";
import { createProgram, isSdk, visit, type File, type Program, type SourceText } from "./source.js";

export interface MigrateOptions extends Pick<Program, "methods" | "zodOf"> {
  /** How a file imports the generated protocol. */
  readonly protocolOf: (path: string) => string;
}

export interface MigratedFile extends SourceText {
  /** The number of rows and handlers that were converted. */
  readonly rows: number;
  /** The number of places that are left. */
  readonly places: number;
}

/** Converts servers of the official SDK and of FastMCP, as far as it knows them. The files may import each other. */
export function migrate(
  sources: readonly SourceText[],
  options: MigrateOptions,
  diagnostics: Diagnostics,
): readonly MigratedFile[] {
  const program = createProgram(sources, options);
  for (const { tree, path } of program.files.values()) {
    const { parseDiagnostics = [] } = tree as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] };
    const [first] = parseDiagnostics;
    if (first === undefined) continue;
    const words = ts.flattenDiagnosticMessageText(first.messageText, " ");
    diagnostics.root.error(
      "MG952",
      locationIn(path, tree.text, first.start),
      `syntax error: ${words}`,
      "correct it, and run again",
    );
  }
  if (diagnostics.hasErrors) return [];
  convertServers(program);
  return [...program.files.values()].map((file) => finished(file, options, diagnostics));
}

function finished(file: File, { protocolOf }: MigrateOptions, diagnostics: Diagnostics): MigratedFile {
  const { path, rows, places } = file;
  const first = finish(file.edits.slice(0, file.tree.text.length));
  const edits = new Edits(first.text);
  for (const [number, at] of first.places) edits.mark(at, number);
  convertImports(file, edits, protocolOf(path));
  const { text, places: positions } = finish(edits.slice(0, first.text.length));
  const all = places.map((place, number) => ({ ...place, at: positions.get(number) ?? 0 }));
  for (const { at, message, hint } of all.sort((a, b) => a.at - b.at))
    diagnostics.root.warn("MG953", locationIn(path, text, at), message, hint);
  return { path, text, rows, places: places.length };
}

function locationIn(file: string, text: string, at: number): Location {
  const before = text.slice(0, at);
  return { file, line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}

/** Removes what nothing uses any more of the old packages, and adds what the new text needs. */
function convertImports(file: File, edits: Edits, protocol: string): void {
  const { text } = edits;
  const tree = ts.createSourceFile(file.path, text, ts.ScriptTarget.Latest, true);
  const uses = new Map<string, number>();
  visit(tree, (node) => {
    if (ts.isIdentifier(node)) uses.set(node.text, (uses.get(node.text) ?? 0) + 1);
  });
  // A name that the new text imports from elsewhere is used as that.
  const imported = new Set([...file.imports.values()].flatMap((names) => [...names.values()]));
  const isUsed = ({ text: name }: ts.Identifier): boolean => (uses.get(name) ?? 0) > 1 && !imported.has(name);
  let at: number | undefined;
  for (const statement of tree.statements) {
    const module = /(?:from\s*|require\()["']([^"']+)["']\)*;?$/.exec(statement.getText())?.[1];
    if (module === undefined || !isSdk(module)) continue;
    const names: ts.Identifier[] = [];
    visit(statement, (node) => {
      const isName =
        ts.isImportSpecifier(node) ||
        ts.isImportClause(node) ||
        ts.isNamespaceImport(node) ||
        ts.isBindingElement(node) ||
        ts.isVariableDeclaration(node);
      if (isName && node.name !== undefined && ts.isIdentifier(node.name)) names.push(node.name);
    });
    const kept = names.filter(isUsed);
    at ??= statement.getStart();
    if (kept.length === names.length && names.length > 0)
      leaveImport(file, edits, statement.getStart(), module);
    else if (kept.length === 0)
      edits.replace(statement.getStart(), statement.end + (text[statement.end] === "\n" ? 1 : 0), "");
    else {
      const parts = names.filter(isUsed).map(({ parent }) => parent.getText());
      const [start, end] = [names[0]?.parent.getStart() ?? 0, names.at(-1)?.parent.end ?? 0];
      edits.replace(start, end, parts.join(", "));
      leaveImport(file, edits, statement.getStart(), module);
    }
  }
  const lines = [...file.imports].sort().map(([module, names]) => {
    const from = JSON.stringify(module === "gen" ? protocol : module);
    const colon = file.isCommonJs ? ":" : " as";
    const list = [...names]
      .map(([name, local]) => (name === local ? name : `${name}${colon} ${local}`))
      .join(", ");
    return file.isCommonJs ? `const { ${list} } = require(${from});\n` : `import { ${list} } from ${from};\n`;
  });
  const start = at ?? tree.statements[0]?.getStart() ?? 0;
  edits.insert(start, lines.join(""));
}

function leaveImport({ places }: File, edits: Edits, at: number, module: string): void {
  edits.mark(at, places.length);
  const isHttp = /http|sse|express|hono|fastify|node$/i.test(module);
  const hint = isHttp ? `serve with createHttpHandler: ${pages.http}` : `replace what uses it: ${pages.sdk}`;
  places.push({ message: `${module} is still used`, hint });
}
