import { readFile } from "node:fs/promises";
import type { ts } from "ts-morph";
import type { Location } from "../../diagnostics.js";
import type { Path } from "../../read/json/shape.js";
import { locationsIn } from "../../read/json/text/tree.js";

/** The text of a configuration module, for positions. It is parsed, never executed. */
export interface ModuleText {
  /** The position of a value or of a member's name, or of the nearest value around it. */
  locationOf(path: Path, isKey: boolean): Location | null;
  /** The first syntax error; null without one. */
  readonly syntaxError: { readonly location: Location; readonly message: string } | null;
}

/** Parses a module's text; null if the file cannot be read. Loads a compiler, so call it only after an error. */
export async function readModuleText(path: string, file: string): Promise<ModuleText | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return null;
  const { ts } = await import("ts-morph");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const at = locationsIn(text, file);
  const start = (node: ts.Node): Location => at(node.getStart(source));
  const [syntaxError] = syntaxErrorsOf(source);
  const finder = finderIn(source, ts);
  return {
    locationOf: (steps, isKey) => {
      const node = finder(steps, isKey);
      return node === null ? null : start(node);
    },
    syntaxError:
      syntaxError === undefined
        ? null
        : {
            location: at(syntaxError.start ?? 0),
            message: ts.flattenDiagnosticMessageText(syntaxError.messageText, " "),
          },
  };
}

/** The syntax errors of the file. The compiler's public types show them only for a whole program. */
function syntaxErrorsOf(source: ts.SourceFile): readonly ts.Diagnostic[] {
  const { parseDiagnostics = [] } = source as { readonly parseDiagnostics?: readonly ts.Diagnostic[] };
  return parseDiagnostics;
}

type Compiler = typeof ts;

/** Follows a path through the literals of a file: constants, spreads and calls such as `defineConfig(…)`. */
function finderIn(source: ts.SourceFile, ts: Compiler): (path: Path, isKey: boolean) => ts.Node | null {
  const constants = new Map<string, ts.Expression>();
  let root: ts.Expression | null = null;
  for (const statement of source.statements) {
    if (ts.isExportAssignment(statement)) root = statement.expression;
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer !== undefined) constants.set(name.text, initializer);
    }
  }

  /** The literal that an expression evaluates to, or the last expression that is not one. */
  const literalOf = (expression: ts.Expression): ts.Expression => {
    let current = expression;
    // A constant may refer to itself, so the number of steps is limited.
    for (let turns = 0; turns <= source.statements.length + 20; turns += 1) {
      const next = stepInto(current);
      if (next === null) return current;
      current = next;
    }
    return current;
  };
  const stepInto = (expression: ts.Expression): ts.Expression | null => {
    if (ts.isIdentifier(expression)) return constants.get(expression.text) ?? null;
    if (ts.isCallExpression(expression)) return expression.arguments[0] ?? null;
    const isWrapped =
      ts.isParenthesizedExpression(expression) ||
      ts.isAsExpression(expression) ||
      ts.isSatisfiesExpression(expression) ||
      ts.isNonNullExpression(expression) ||
      ts.isAwaitExpression(expression);
    if (isWrapped) return expression.expression;
    return ts.isArrowFunction(expression) && !ts.isBlock(expression.body) ? expression.body : null;
  };

  /** The member of a literal that takes effect: the last one of that name, including spreads. */
  const memberOf = (object: ts.ObjectLiteralExpression, name: string): Member | null => {
    for (const property of [...object.properties].reverse()) {
      if (ts.isSpreadAssignment(property)) {
        const inner = literalOf(property.expression);
        const member = ts.isObjectLiteralExpression(inner) ? memberOf(inner, name) : null;
        if (member !== null) return member;
      } else if (nameOf(property.name) === name) {
        const value = ts.isPropertyAssignment(property)
          ? property.initializer
          : ts.isShorthandPropertyAssignment(property)
            ? property.name
            : null;
        return { key: property.name, value };
      }
    }
    return null;
  };
  const nameOf = (name: ts.PropertyName): string | null => {
    return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)
      ? name.text
      : null;
  };

  /** The item at an index, if no item before it is a spread. */
  const itemOf = (list: ts.ArrayLiteralExpression, index: number): ts.Expression | null => {
    const front = list.elements.slice(0, index + 1);
    return front.some((element) => ts.isSpreadElement(element)) ? null : (front[index] ?? null);
  };

  return (path, isKey) => {
    if (root === null) return null;
    let node = literalOf(root);
    for (const [i, name] of path.entries()) {
      const member = ts.isObjectLiteralExpression(node) ? memberOf(node, name) : null;
      if (member !== null && isKey && i === path.length - 1) return member.key;
      const next = ts.isArrayLiteralExpression(node) ? itemOf(node, Number(name)) : member?.value;
      if (next === null || next === undefined) return member?.key ?? node;
      node = literalOf(next);
    }
    return node;
  };
}

interface Member {
  readonly key: ts.PropertyName;
  /** Null for a method and an accessor. */
  readonly value: ts.Expression | null;
}
