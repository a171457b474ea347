import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { codeLines, source } from "./modules.js";

const { SyntaxKind } = ts;
const closing: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.CloseBraceToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseParenToken,
]);

/**
 * The positions of the tokens of a text. Comments and white space are none, nor
 * is a comma before a closing bracket: how a file is formatted changes nothing.
 */
export function tokensIn(text: string): number[] {
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    true,
    ts.LanguageVariant.Standard,
    text,
  );
  const positions: number[] = [];
  /** The open braces in each template literal that is not closed yet. */
  const braces: number[] = [];
  let isAfterComma = false;
  for (
    let kind = scanner.scan();
    kind !== SyntaxKind.EndOfFileToken;
    kind = scanner.scan()
  ) {
    if (isAfterComma && closing.has(kind)) positions.pop();
    isAfterComma = kind === SyntaxKind.CommaToken;
    positions.push(scanner.getTokenStart());
    const open = braces.length - 1;
    if (kind === SyntaxKind.TemplateHead) braces.push(0);
    else if (open >= 0 && kind === SyntaxKind.OpenBraceToken)
      braces[open] = (braces[open] ?? 0) + 1;
    else if (open >= 0 && kind === SyntaxKind.CloseBraceToken) {
      if (braces[open] !== 0) braces[open] = (braces[open] ?? 0) - 1;
      else if (scanner.reScanTemplateToken(false) === SyntaxKind.TemplateTail)
        braces.pop();
    } else if (
      kind === SyntaxKind.SlashToken ||
      kind === SyntaxKind.SlashEqualsToken
    ) {
      const before = text.slice(0, scanner.getTokenStart()).trimEnd().at(-1);
      if (!/[\w)\]]/.test(before ?? "(")) scanner.reScanSlashToken();
    }
  }
  return positions;
}

/** The tokens of files of `src/`. */
export const tokensOf = (paths: Iterable<string>): number =>
  [...paths].reduce(
    (sum, path) =>
      sum + tokensIn(readFileSync(join(source, path), "utf8")).length,
    0,
  );

/** What is hard to read in one file. */
export interface Air {
  /** For a file of at least 20 lines; 0 for a shorter one. */
  readonly tokensPerLine: number;
  /** The functions with more than 600 tokens, nested ones included. */
  readonly longFunctions: readonly string[];
  /**
   * The statements with more than 100 tokens, without the blocks in them, by
   * what they declare. A table that other files import is none.
   */
  readonly longStatements: readonly string[];
}

export function airOf(path: string): Air {
  const text = readFileSync(join(source, path), "utf8");
  const positions = tokensIn(text);
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = codeLines(text);
  const longFunctions: string[] = [];
  const longStatements: string[] = [];
  const count = (node: ts.Node): number =>
    firstFrom(positions, node.end) - firstFrom(positions, node.getStart(file));
  const countBlocks = (node: ts.Node): number => {
    let sum = 0;
    ts.forEachChild(node, (child) => {
      sum += isBlock(child) ? count(child) : countBlocks(child);
    });
    return sum;
  };
  const visit = (node: ts.Node): void => {
    if (isLong(node, 600) && ts.isFunctionLike(node) && "body" in node)
      if (count(node) > 600) longFunctions.push(nameOf(node));
    if (isLong(node, 100) && isStatement(node) && !isTable(node))
      if (count(node) - countBlocks(node) > 100)
        longStatements.push(declaredBy(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  const tokensPerLine = lines < 20 ? 0 : positions.length / lines;
  return { tokensPerLine, longFunctions, longStatements };
}

/** The index of the first position that is not before another one. */
function firstFrom(positions: readonly number[], other: number): number {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? other) < other) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** False if a text is too short for so many tokens, which are not counted then. */
const isLong = (node: ts.Node, tokens: number): boolean =>
  node.end - node.pos > tokens;

const isBlock = (node: ts.Node): boolean =>
  ts.isBlock(node) || ts.isCaseBlock(node) || ts.isModuleBlock(node);

const isStatement = (node: ts.Node): boolean =>
  ts.isVariableStatement(node) ||
  ts.isExpressionStatement(node) ||
  ts.isReturnStatement(node) ||
  ts.isIfStatement(node) ||
  ts.isForOfStatement(node) ||
  ts.isThrowStatement(node);

const isTable = (node: ts.Node): boolean =>
  ts.isSourceFile(node.parent) &&
  /^export const \w+(: [^=]+)? = [[{]/.test(node.getText());

/** What a statement declares, or its first words. */
const declaredBy = (node: ts.Node): string =>
  /^(?:const )?([\w.]+(?: \w+)*)/.exec(node.getText())?.[1] ?? "";

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText();
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name.getText()
    : "a function without a name";
}
