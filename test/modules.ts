import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The folder of the files that people write by hand. */
export const source: string = fileURLToPath(new URL("../src", import.meta.url));

/**
 * What a generated client or server needs over stdio and HTTP, on both sides.
 */
export const coreEntries: readonly string[] = [
  "index",
  "legacy",
  "modern",
  "stdio",
  "http",
].map((name) => `runtime/${name}.ts`);

/** An import or a re-export of a file. */
export interface Import {
  readonly from: string;
  readonly isType: boolean;
}

/** A TypeScript file of `src/`, by its path from there. */
export interface File {
  readonly path: string;
  readonly imports: readonly Import[];
  /**
   * Identifiers that name a value, and not a member or a declaration of that
   * name.
   */
  readonly names: ReadonlySet<string>;
  readonly literals: readonly string[];
  /**
   * Members that a function is assigned to, or that get one behind a spread, as
   * it is written.
   */
  readonly closures: readonly string[];
}

/** All of them. */
export const files: readonly File[] = readdirSync(source, { recursive: true })
  .map((path) => String(path).replaceAll("\\", "/"))
  .filter(
    (path) => path.endsWith(".ts") && !/(^|\/)(dist|node_modules)\//.test(path),
  )
  .sort()
  .map(readFile);

function readFile(path: string): File {
  const text = readFileSync(join(source, path), "utf8");
  const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const names = new Set<string>();
  const literals: string[] = [];
  const closures: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier !== undefined
    ) {
      if (ts.isStringLiteral(node.moduleSpecifier)) {
        imports.push({
          from: node.moduleSpecifier.text,
          isType: isTypeOnly(node),
        });
      }
      return;
    }
    if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword
    ) {
      const [argument] = node.arguments;
      if (argument !== undefined && ts.isStringLiteral(argument))
        imports.push({ from: argument.text, isType: false });
    }
    if (ts.isIdentifier(node) && isValueName(node)) names.add(node.text);
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
      literals.push(node.text);
    if (node.parent && isClosureInMember(node))
      closures.push(node.getText().slice(0, 40));
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return { path, imports, names, literals, closures };
}

function isTypeOnly(
  node: ts.ImportDeclaration | ts.ExportDeclaration,
): boolean {
  if (ts.isExportDeclaration(node)) {
    if (node.isTypeOnly) return true;
    const clause = node.exportClause;
    return (
      clause !== undefined &&
      ts.isNamedExports(clause) &&
      clause.elements.every((entry) => entry.isTypeOnly)
    );
  }
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const bindings = clause.namedBindings;
  return (
    clause.name === undefined &&
    bindings !== undefined &&
    ts.isNamedImports(bindings) &&
    bindings.elements.every((entry) => entry.isTypeOnly)
  );
}

function isValueName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isTypeReferenceNode(parent) || ts.isQualifiedName(parent))
    return false;
  if ("name" in parent && parent.name === node) return false;
  return !(ts.isPropertyAssignment(parent) && parent.name === node);
}

function isClosureInMember(node: ts.Node): boolean {
  const isFunction = (value: ts.Node): boolean =>
    ts.isArrowFunction(value) || ts.isFunctionExpression(value);
  if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken
  )
    return ts.isElementAccessExpression(node.left) ||
      ts.isPropertyAccessExpression(node.left)
      ? isFunction(node.right)
      : false;
  if (!ts.isObjectLiteralExpression(node.parent)) return false;
  const { properties } = node.parent;
  const before = properties.slice(
    0,
    properties.indexOf(node as ts.ObjectLiteralElementLike),
  );
  if (!before.some(ts.isSpreadAssignment)) return false;
  return (
    ts.isMethodDeclaration(node) ||
    (ts.isPropertyAssignment(node) && isFunction(node.initializer))
  );
}

/** The files of the runtime, each with those that it imports. */
export function importsOf(
  some: readonly File[],
  isCounted: (one: Import) => boolean = () => true,
): Map<string, readonly string[]> {
  const paths = new Map(some.map((file) => [file.path, file]));
  return new Map(
    [...paths].map(([path, { imports }]) => [
      path,
      imports
        .filter(isCounted)
        .map(({ from }) =>
          posix.join(dirname(path), from).replace(/\.js$/, ".ts"),
        )
        .filter((target) => paths.has(target)),
    ]),
  );
}

/** These files, and all that they import, directly or not. */
export function reachable(
  imports: ReadonlyMap<string, readonly string[]>,
  from: readonly string[],
): Set<string> {
  const paths = new Set(from);
  for (const path of paths)
    for (const target of imports.get(path) ?? []) paths.add(target);
  return paths;
}

/** The lines of a text that are neither blank nor only a comment. */
export function codeLines(text: string): number {
  const code = text.replace(/^\s*\/\*(?:(?!\*\/)[^])*\*\/\s*$/gm, "");
  return code
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trim().startsWith("//"))
    .length;
}

/** The code lines of files of `src/`. */
export const linesOf = (paths: Iterable<string>): number =>
  [...paths].reduce(
    (sum, path) => sum + codeLines(readFileSync(join(source, path), "utf8")),
    0,
  );
