import { ts } from "ts-morph";
import { callTransforms, type CallTransform, type OldCall } from "./calls.js";
import { convertContext, isFunction, type FunctionNode } from "./rows.js";
import { all, visit, type Program } from "./source.js";

/** A call in a handler that has a counterpart here. */
interface Found {
  readonly node: ts.CallExpression;
  /** Undefined outside of the handlers. */
  readonly handler: FunctionNode | undefined;
  readonly convert: (context: string) => string | null;
}

/**
 * Converts what the handlers of all rows do with the context and the server. A
 * row takes the text of its handler, so this comes before the rows.
 *
 * @param serverOf The use of a server that is converted, in an expression.
 * @param done The uses that are converted.
 */
export function convertHandlers(
  program: Program,
  serverOf: (node: ts.Expression) => ts.Identifier | undefined,
  done: Set<ts.Node | undefined>,
): void {
  const { handlers } = program;
  const found = [...program.files.values()].flatMap(({ tree }) =>
    all(tree, ts.isCallExpression).flatMap(
      (node) => readCall(program, node, serverOf, done) ?? [],
    ),
  );
  // What a handler asks, it asks with its context.
  for (const { handler } of found) {
    if (handler) addContext(program, handler);
  }
  // All other uses of the context: members with another name, and what is left.
  for (const handler of handlers.keys()) {
    const context = contextOf(program, handler);
    if (context) convertContext(program, handler, context, done);
  }
  // Calls inside a call come first.
  for (const { node, handler, convert } of found.reverse()) {
    const text = convert(handler ? contextName(program, handler) : "");
    if (text !== null) program.replace(node, text);
  }
}

/** Reads a call; undefined if it has no counterpart. */
function readCall(
  program: Program,
  node: ts.CallExpression,
  serverOf: (node: ts.Expression) => ts.Identifier | undefined,
  done: Set<ts.Node | undefined>,
): Found | undefined {
  const { expression: callee, arguments: args } = node;
  const handler = handlerAround(program, node);
  const server = ts.isPropertyAccessExpression(callee)
    ? serverOf(callee.expression)
    : undefined;
  const key =
    server && ts.isPropertyAccessExpression(callee)
      ? `server.${callee.name.text}`
      : handler && contextMember(program, handler, callee);

  // The first transform that can read the arguments is used.
  const transforms = callTransforms.filter(({ calls }) =>
    calls.includes(key ?? ""),
  );
  const old = {
    program,
    args,
    server: server ? nameOf(server) : "",
    isFeature: handler !== undefined && isFeature(program, handler),
  };
  const convert = (context: string): string | null =>
    firstText(transforms, { ...old, context });
  // Without a handler there is no context.
  const text = convert(noContext);
  const isInContext = text?.includes(noContext) === true;
  if (text === null || (isInContext && handler === undefined)) return undefined;
  for (const one of goneIn(node)) done.add(one);
  return {
    node,
    handler: isInContext ? handler : undefined,
    convert,
  };
}

/** A placeholder for the name of the context, before it is known. */
const noContext = "\0";

function firstText(
  transforms: readonly CallTransform[],
  call: OldCall,
): string | null {
  for (const { convert } of transforms) {
    const text = convert(call);
    if (text !== null) return text;
  }
  return null;
}

/**
 * What only the old call needs: what is called, and behind its params the id of
 * a session or the schema of a result.
 */
function goneIn({
  expression,
  arguments: [, second],
}: ts.CallExpression): readonly ts.Node[] {
  const isOptions = second && ts.isObjectLiteralExpression(second);
  const gone: ts.Node[] = [];
  visit(expression, (one) => gone.push(one));
  if (second && !isOptions) visit(second, (one) => gone.push(one));
  return gone;
}

/** A server as it is written: a name, or a member of a class. */
const nameOf = ({ parent, text, end }: ts.Identifier): string =>
  ts.isPropertyAccessExpression(parent) && parent.end === end
    ? parent.getText()
    : text;

/** The handler that an expression is inside of. */
const handlerAround = (
  program: Program,
  node: ts.Node,
): FunctionNode | undefined =>
  ts.findAncestor(
    node,
    (one): one is FunctionNode => isFunction(one) && program.handlers.has(one),
  );

/** The parameters of a handler in the old library, in their order. */
const fromOf = (program: Program, handler: FunctionNode): readonly string[] =>
  program.handlers.get(handler) ?? [];

/** The parameter of a handler that gets the old context. */
const contextOf = (
  program: Program,
  handler: FunctionNode,
): ts.ParameterDeclaration | undefined =>
  handler.parameters[fromOf(program, handler).indexOf("context")];

/** False for the handler of a request that has no list of rows. */
const isFeature = (program: Program, handler: FunctionNode): boolean =>
  !/^(params|request)$/.test(fromOf(program, handler)[0] ?? "");

/**
 * What a callee is in the old context of a handler, which may be taken apart by
 * a pattern: "context.sendRequest".
 */
function contextMember(
  program: Program,
  handler: FunctionNode,
  callee: ts.Expression,
): string | undefined {
  // The members from the left to the right, and what they begin with.
  const names: string[] = [];
  let node = callee;
  while (ts.isPropertyAccessExpression(node)) {
    names.unshift(node.name.text);
    node = node.expression;
  }
  const parameter = contextOf(program, handler);
  if (parameter === undefined) return undefined;
  const symbol = program.symbolOf(node);

  // A parameter with a name: its members are read.
  if (ts.isIdentifier(parameter.name))
    return symbol && symbol === program.symbolOf(parameter.name)
      ? ["context", ...names].join(".")
      : undefined;

  // A pattern: a member is a name of its own.
  const [made] = symbol?.declarations ?? [];
  if (made?.parent !== parameter.name || !ts.isBindingElement(made))
    return undefined;
  // The name of the member, which may have another name in the handler.
  const first = (made.propertyName ?? made.name).getText();
  return ["context", first, ...names].join(".");
}

/** Gives a handler the parameters up to the context, if it has fewer. */
function addContext(program: Program, handler: FunctionNode): void {
  const from = fromOf(program, handler);
  const { parameters } = handler;
  const count = from.indexOf("context") + 1;
  if (parameters.length >= count || program.added.has(handler)) return;
  program.added.set(handler, count);
  const added = from
    .slice(parameters.length)
    .map((name) => (name === "context" ? name : `_${name}`));
  // An arrow function with one parameter may have no parentheses.
  const [one] = parameters;
  const isBare =
    one && handler.getSourceFile().text[parameters.pos - 1] !== "(";

  if (isBare) program.replace(one, "(", one.getStart(), one.getStart());
  const text = [...(one ? [""] : []), ...added].join(", ");
  const end = one ? (parameters.at(-1)?.end ?? 0) : parameters.pos;
  program.replace(handler, isBare ? `${text})` : text, end, end);
}

/** The name of the new context in a handler. */
function contextName(program: Program, handler: FunctionNode): string {
  const parameter = contextOf(program, handler);
  return parameter && ts.isIdentifier(parameter.name)
    ? parameter.name.text
    : "context";
}
