import { ts } from "ts-morph";
import type { Program } from "./source.js";

/** A loop that registers a row for each entry of a list. */
export interface Loop {
  readonly list: ts.Expression;
  readonly parameter: ts.Node;
  /** The constants of each round, and the call at its end. */
  readonly statements: readonly ts.Statement[];
}

/** Reads `for (const one of list)` and `list.forEach((one) => …)`. */
export function loopIn(statement: ts.Node): Loop | undefined {
  if (ts.isForOfStatement(statement)) return forOf(statement);
  if (!ts.isExpressionStatement(statement)) return undefined;
  const { expression } = statement;
  return ts.isCallExpression(expression) ? forEach(expression) : undefined;
}

function forOf(loop: ts.ForOfStatement): Loop | undefined {
  const { initializer, statement: body } = loop;
  if (loop.awaitModifier || !ts.isVariableDeclarationList(initializer))
    return undefined;
  const [made] = initializer.declarations;
  if (made === undefined) return undefined;
  return {
    list: loop.expression,
    parameter: made.name,
    statements: ts.isBlock(body) ? body.statements : [body],
  };
}

function forEach(call: ts.CallExpression): Loop | undefined {
  const { expression: callee } = call;
  const [act] = call.arguments;
  if (
    !ts.isPropertyAccessExpression(callee) ||
    callee.name.text !== "forEach" ||
    act === undefined ||
    !ts.isArrowFunction(act) ||
    !ts.isBlock(act.body)
  )
    return undefined;
  const [parameter, ...others] = act.parameters;
  if (parameter === undefined || others.length > 0) return undefined;
  return {
    list: callee.expression,
    parameter,
    statements: act.body.statements,
  };
}

/** A row for each entry of the list of a loop. */
export function rowsText(
  program: Program,
  { list, parameter, statements }: Loop,
  row: string,
): string {
  const text = program.textOf(list);
  // `await list()` needs parentheses before a member.
  const isPlain = ts.isLeftHandSideExpression(list);
  const source = isPlain ? text : `(${text})`;
  const head = `...${source}.map((${program.textOf(parameter)}) =>`;

  // The constants of each round stay before the row.
  const before = statements.slice(0, -1).map((one) => program.textOf(one));
  if (before.length === 0) return `${head} (${row})),`;
  const lines = [...before, `return ${row};`];
  return `${head} {\n${lines.join("\n")}\n}),`;
}
