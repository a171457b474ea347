import { ts } from "ts-morph";
import { Edits, indent } from "./edits.js";

export interface SourceText {
  /** With forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Something that a person has to change. */
export interface Place {
  readonly message: string;
  readonly hint: string;
}

/** One file that is being changed. */
export interface File {
  readonly path: string;
  readonly tree: ts.SourceFile;
  readonly edits: Edits;
  readonly places: Place[];
  /** Names to import, by module, each with its name here. */
  readonly imports: Map<string, Map<string, string>>;
  /** The number of rows that it got. */
  rows: number;
  readonly isCommonJs: boolean;
}

/** All files of a run, which may import each other. */
export interface Program {
  readonly checker: ts.TypeChecker;
  readonly files: ReadonlyMap<string, File>;
  /** Functions and objects that were converted, although several rows may use them. */
  readonly converted: Set<ts.Node>;
  /** The methods of requests and notifications by the names of their types. */
  readonly methods: ReadonlyMap<string, string>;
  /** The major version of zod that a file imports as "zod". */
  readonly zodOf: (path: string) => number;
}

export function createProgram(
  sources: readonly SourceText[],
  facts: Pick<Program, "methods" | "zodOf">,
): Program {
  const trees = new Map(
    sources.map(({ path, text }) => [path, ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)]),
  );
  const host: ts.CompilerHost = {
    getSourceFile: (path) => trees.get(path),
    fileExists: (path) => trees.has(path),
    readFile: (path) => trees.get(path)?.text,
    directoryExists: () => true,
    getDefaultLibFileName: () => "lib.d.ts",
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile: () => {},
  };
  const options: ts.CompilerOptions = {
    allowJs: true,
    noLib: true,
    types: [],
    target: ts.ScriptTarget.Latest,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const checker = ts.createProgram([...trees.keys()], options, host).getTypeChecker();
  const files = [...trees].map(([path, tree]): [string, File] => {
    const isCommonJs = !tree.statements.some(
      (one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one) || ts.isExportAssignment(one),
    );
    const edits = new Edits(tree.text);
    const commonJs = isCommonJs && /\brequire\(/.test(tree.text);
    visit(tree, (node) => {
      if (!ts.isTemplateLiteralToken(node) && !ts.isTemplateMiddleOrTemplateTail(node)) return;
      for (const { index } of node.getText().matchAll(/\n/g)) edits.keepLine(node.getStart() + index + 1);
    });
    return [path, { path, tree, edits, places: [], imports: new Map(), rows: 0, isCommonJs: commonJs }];
  });
  return { ...facts, checker, files: new Map(files), converted: new Set() };
}

/** Calls `act` for a node and all nodes inside. */
export function visit(node: ts.Node, act: (node: ts.Node) => void): void {
  act(node);
  ts.forEachChild(node, (child) => visit(child, act));
}

export const fileOf = ({ files }: Program, node: ts.Node): File => {
  const file = files.get(node.getSourceFile().fileName);
  if (file === undefined) throw new Error("a node of another program");
  return file;
};

/** The text of a node after its changes, indented as if it began a line at the margin. */
export const textOf = (program: Program, node: ts.Node, start = node.getStart()): string =>
  indent(fileOf(program, node).edits.slice(start, node.end), marginOf(node), "");

/** The indentation of the line where a node begins. */
export function marginOf(node: ts.Node): string {
  const { text } = node.getSourceFile();
  const line = text.lastIndexOf("\n", node.getStart() - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line))?.[0] ?? "";
}

export function replaceNode(program: Program, node: ts.Node, text: string): void {
  fileOf(program, node).edits.replace(node.getStart(), node.end, text);
}

/** Leaves a node as it is, and names it. */
export function leave(program: Program, node: ts.Node, message: string, hint: string): void {
  const { places, edits } = fileOf(program, node);
  edits.mark(node.getStart(), places.length);
  places.push({ message, hint });
}

/** Where the line of a statement's first comment begins. */
export function startOf(statement: ts.Node): number {
  const { text } = statement.getSourceFile();
  const line = text.slice(statement.pos, statement.getStart()).indexOf("\n");
  return line < 0 ? statement.pos : statement.pos + line;
}

export const remove = (program: Program, statement: ts.Node): void =>
  fileOf(program, statement).edits.replace(startOf(statement), statement.end, "");

/** What a name or a member stands for, through imports and exports. */
export function symbolOf({ checker }: Program, node: ts.Node): ts.Symbol | undefined {
  if (ts.isParenthesizedExpression(node)) return undefined;
  const name = ts.isPropertyAccessExpression(node) ? node.name : node;
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
  return symbol && resolved(checker, symbol);
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  if ((symbol.flags & ts.SymbolFlags.Alias) === 0) return symbol;
  const target = checker.getAliasedSymbol(symbol);
  return target.declarations === undefined ? symbol : target;
}

/** The value of a name: a function, or the initial value of a constant. */
export function valueOf(program: Program, node: ts.Expression): ts.Node | undefined {
  const plain = unwrapped(node);
  if (!ts.isIdentifier(plain) && !ts.isPropertyAccessExpression(plain)) return plain;
  const declaration = symbolOf(program, plain)?.declarations?.[0];
  if (declaration === undefined) return undefined;
  if (ts.isVariableDeclaration(declaration) || ts.isPropertyDeclaration(declaration))
    return declaration.initializer && unwrapped(declaration.initializer);
  if (ts.isPropertyAssignment(declaration)) return unwrapped(declaration.initializer);
  return declaration;
}

/** Without `as`, `satisfies`, parentheses, and the `(0, f)` of compilers. */
export function unwrapped(node: ts.Expression): ts.Expression {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return unwrapped(node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.CommaToken)
    return unwrapped(node.right);
  if (ts.isAwaitExpression(node) || ts.isVoidExpression(node)) return unwrapped(node.expression);
  return node;
}

/** The module that a name comes from, and its name there: "*" for the whole module. */
export function importOf(
  program: Program,
  node: ts.Node,
): { readonly module: string; readonly name: string } | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const whole = importOf(program, node.expression);
    return whole?.name === "*" ? { module: whole.module, name: node.name.text } : undefined;
  }
  if (!ts.isIdentifier(node)) return undefined;
  const declaration = program.checker.getSymbolAtLocation(node)?.declarations?.[0];
  if (declaration === undefined) return undefined;
  const from = moduleOf(declaration);
  if (from === undefined) return undefined;
  if (ts.isImportSpecifier(declaration) || ts.isBindingElement(declaration))
    return { module: from, name: (declaration.propertyName ?? declaration.name).getText() };
  return { module: from, name: ts.isImportClause(declaration) ? "default" : "*" };
}

/** The module of an import or of a `require`. */
function moduleOf(node: ts.Node): string | undefined {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isImportDeclaration(at)) return (at.moduleSpecifier as ts.StringLiteral).text;
    if (ts.isVariableDeclaration(at))
      return /\brequire\(\s*["']([^"']+)["']\s*\)\)?$/.exec(at.initializer?.getText() ?? "")?.[1];
    if (ts.isStatement(at) || ts.isFunctionLike(at)) return undefined;
  }
  return undefined;
}

/** The packages whose servers are converted. */
export const isSdk = (module: string): boolean =>
  /^(@modelcontextprotocol\/(sdk|server|core|node|express|hono|fastify)(\/|$)|fastmcp$)/.test(module);

/** The name of something of these packages; undefined for all else. */
export function sdkName(program: Program, node: ts.Node): string | undefined {
  const found = importOf(program, node);
  return found !== undefined && isSdk(found.module) ? found.name : undefined;
}

/** Finds all uses of a symbol in a node. */
export function usesOf(program: Program, symbol: ts.Symbol, inside: ts.Node): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  visit(inside, (node) => {
    if (ts.isIdentifier(node) && node.text === symbol.name && symbolOf(program, node) === symbol)
      found.push(node);
  });
  return found;
}

/** Adds an import, and returns the name to use: another one if the file has its own thing of this name. */
export function need(program: Program, file: File, module: string, name: string): string {
  const names = file.imports.get(module) ?? new Map<string, string>();
  file.imports.set(module, names);
  let local = names.get(name);
  if (local === undefined) {
    let isTaken = false;
    visit(file.tree, (node) => {
      if (!ts.isIdentifier(node) || node.text !== name) return;
      const { parent } = node;
      const isMember =
        (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node;
      isTaken ||= !isMember && sdkName(program, node) === undefined;
    });
    local = isTaken ? `mcp${name[0]?.toUpperCase() ?? ""}${name.slice(1)}` : name;
    names.set(name, local);
  }
  return local;
}
