import { ts } from "ts-morph";
import type { Row } from "./rows.js";
import type { File, Program } from "./source.js";

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

/**
 * A row for each entry of the list of a loop. `tools` gives its types to the
 * parameters of a row that stands in its list, and none to those of a row that
 * a function returns: such a row names its type itself.
 */
export function rowsText(
  program: Program,
  file: File,
  { list, parameter, statements }: Loop,
  row: Row,
  lines: (texts: readonly string[]) => string,
): string {
  const text = program.textOf(list);
  // `await list()` needs parentheses before a member.
  const isPlain = ts.isLeftHandSideExpression(list);
  const source = isPlain ? text : `(${text})`;
  const head = `...${source}.map((${program.textOf(parameter)}) =>`;

  // The constants of each round stay before the row.
  const before = statements.slice(0, -1).map((one) => program.textOf(one));
  const isTyped = /\.[cm]?tsx?$/.test(list.getSourceFile().fileName);
  const { constant, members, type } = isTyped
    ? typed(program, file, row)
    : { constant: "", type: "", ...row };
  if (constant) before.push(constant);
  const literal = `{\n${lines(members)}}${type}`;
  if (before.length === 0) return `${head} (${literal})),`;
  return `${head} {\n${[...before, `return ${literal};`].join("\n")}\n}),`;
}

interface TypedRow {
  /** The statement before the row, if it needs one. */
  readonly constant: string;
  readonly members: readonly string[];
  /** What stands behind the literal of the row. */
  readonly type: string;
}

/** What comes before a schema that is no literal, after its comments. */
const schemaKey = /(?:^|\n)inputSchema: (?!\{)/;

/** What comes after it, if the schema has no JSON Schema of its own. */
const beforeJson = /(?=,\ninputJsonSchema: )/;

/**
 * A row with its type. That of a tool has the type of its schema, which becomes
 * a constant if it is no literal. A file may have things of its own with the
 * names that this needs.
 */
function typed(program: Program, file: File, row: Row): TypedRow {
  const { kind, members } = row;
  const name = program.nameIn(file, "inputSchema");
  let constant = "";
  const rest = members.map((text) => {
    const [key] = schemaKey.exec(text) ?? [];
    if (kind !== "tools" || key === undefined) return text;
    const start = text.indexOf(key) + key.length;
    const [schema, json = ""] = text.slice(start, -1).split(beforeJson);
    constant = `const ${name} = ${schema};`;
    return `${text.slice(0, start)}${name}${json},`;
  });
  const type = typeOf(row, constant !== "");
  const module = "@mcpgen/runtime/features";
  const local = program.need(file, module, `type ${type}`);
  const given = constant ? `<typeof ${name}>` : "";
  return { constant, members: rest, type: ` satisfies ${local}${given}` };
}

function typeOf({ kind, members }: Row, hasSchema: boolean): string {
  if (kind === "tools") return hasSchema ? "Tool" : "AnyTool";
  if (kind === "prompts") return "Prompt";
  const isTemplate = members.some((one) => one.startsWith("uriTemplate:"));
  return isTemplate ? "TemplateResource" : "FixedResource";
}
