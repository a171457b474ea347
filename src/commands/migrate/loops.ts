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
  { kind, members }: Row,
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
  const { constant, type, rest } = isTyped
    ? typeOf(kind, members)
    : { constant: "", type: "", rest: members };
  if (constant) before.push(constant);
  const [name] = type.split("<");
  if (name) program.need(file, "@mcpgen/runtime/features", `type ${name}`);
  const row = `{\n${lines(rest)}}${type && ` satisfies ${type}`}`;
  if (before.length === 0) return `${head} (${row})),`;
  return `${head} {\n${[...before, `return ${row};`].join("\n")}\n}),`;
}

/**
 * The type of a row. That of a tool has the type of its schema, which becomes a
 * constant if it is no literal.
 */
function typeOf(
  kind: Row["kind"],
  members: readonly string[],
): {
  readonly constant: string;
  readonly type: string;
  readonly rest: readonly string[];
} {
  const isTemplate = members.some((one) => one.startsWith("uriTemplate:"));
  const type = {
    tools: "AnyTool",
    resources: isTemplate ? "TemplateResource" : "FixedResource",
    prompts: "Prompt",
    handlers: "",
  }[kind];
  let constant = "";
  const rest = members.map((text) => {
    const [comments, schema, json] = partsOf(text);
    if (kind !== "tools" || !/^[^{]/.test(schema)) return text;
    constant = `const inputSchema = ${schema};`;
    return `${comments}inputSchema${json},`;
  });
  return {
    constant,
    type: constant ? "Tool<typeof inputSchema>" : type,
    rest,
  };
}

/** The comments, the schema and the JSON Schema of a member `inputSchema`. */
function partsOf(member: string): readonly [string, string, string] {
  const key = "inputSchema: ";
  const start = member.startsWith(key) ? 0 : member.indexOf(`\n${key}`) + 1;
  if (!member.startsWith(key, start)) return ["", "", ""];
  const text = member.slice(start + key.length, -1);
  const json = text.indexOf(",\ninputJsonSchema: ");
  const end = json < 0 ? text.length : json;
  return [member.slice(0, start), text.slice(0, end), text.slice(end)];
}
