import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { source } from "./modules.js";

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
