import { ts } from "ts-morph";
import { isFunction, type FunctionNode } from "./handlers.js";
import { readers } from "./rows.js";
import { leave, sdkName, symbolOf, unwrapped, valueOf, visit, type File, type Program } from "./source.js";

/** A block that makes a server, or a function that registers rows on a server of another place. */
export interface Scope {
  readonly server: ts.Symbol;
  readonly block: ts.Block | ts.SourceFile;
  /** Where the server is made; null in a function that gets it. */
  readonly made: { readonly statement: ts.Statement; readonly node: ts.NewExpression } | null;
  /** The parameter of the function that is the server. */
  readonly parameter: ts.ParameterDeclaration | null;
}

const classes = new Set(["McpServer", "Server", "FastMCP"]);

/** Finds the blocks that make a server, and the functions that register something on one. */
export function findScopes(program: Program): ReadonlyMap<ts.Node, Scope> {
  const made = [...program.files.values()].flatMap((file) => madeIn(program, file));
  const scopes = new Map<ts.Node, Scope>(made.map((scope) => [scope.block, scope]));
  findRegistrars(program, made, scopes);
  return scopes;
}

/** True for the only variable of a statement. */
export const isAlone = ({ parent }: ts.VariableDeclaration): boolean =>
  ts.isVariableDeclarationList(parent) && parent.declarations.length === 1;

/** The servers that a file makes. */
function madeIn(program: Program, file: File): Scope[] {
  const scopes: Scope[] = [];
  visit(file.tree, (node) => {
    if (!ts.isNewExpression(node) || !classes.has(sdkName(program, node.expression) ?? "")) return;
    const { parent } = node;
    const isAssigned = ts.isBinaryExpression(parent) && ts.isExpressionStatement(parent.parent);
    const isConstant = ts.isVariableDeclaration(parent) && isAlone(parent);
    const statement = isAssigned ? parent.parent : isConstant ? parent.parent.parent : undefined;
    const server = isAssigned
      ? symbolOf(program, parent.left)
      : isConstant
        ? symbolOf(program, parent.name)
        : undefined;
    const block = statement?.parent;
    if (
      server &&
      statement &&
      ts.isStatement(statement) &&
      block &&
      (ts.isBlock(block) || ts.isSourceFile(block))
    )
      scopes.push({ server, block, made: { statement, node }, parameter: null });
    else
      leave(
        program,
        node,
        "this server is not assigned to a constant of a block",
        "assign it, and run again",
      );
  });
  return scopes;
}

/** Finds the functions that register something on a server: one that they get, or one of another place. */
function findRegistrars(program: Program, made: readonly Scope[], scopes: Map<ts.Node, Scope>): void {
  const functions: (FunctionNode & { readonly body: ts.Block })[] = [];
  for (const { tree } of program.files.values())
    visit(tree, (node) => {
      if (isFunction(node) && node.body && ts.isBlock(node.body))
        functions.push(node as (typeof functions)[number]);
    });
  const servers = new Set(made.map(({ server }) => server));
  let size = -1;
  // A function that passes its server on to such a function is one too.
  while (size < scopes.size) {
    size = scopes.size;
    for (const { body: block, parameters } of functions) {
      if (scopes.has(block)) continue;
      const isRegistered = (server: ts.Symbol | undefined): boolean =>
        server !== undefined && block.statements.some((one) => registers(program, scopes, server, one));
      const parameter = parameters.find(({ name }) => isRegistered(symbolOf(program, name))) ?? null;
      const isStart = /\.(connect|start)\(/.test(block.getText());
      const outer = isStart ? undefined : [...servers].find(isRegistered);
      const server = parameter === null ? outer : symbolOf(program, parameter.name);
      if (server) scopes.set(block, { server, block, made: null, parameter });
    }
  }
}

/** Tests whether a statement registers something on this server, itself or by a function. */
function registers(
  program: Program,
  scopes: ReadonlyMap<ts.Node, Scope>,
  server: ts.Symbol,
  statement: ts.Statement,
): boolean {
  const call = callOf(statement);
  if (call === undefined) return false;
  if (methodOn(program, server, call) !== undefined) return true;
  const registrar = registrarOf(program, scopes, call);
  if (registrar === undefined) return false;
  const passed = call.arguments[registrar.index];
  return passed === undefined ? registrar.server === server : receiver(program, server, passed) !== undefined;
}

/** The function that a call calls, if it registers something, and the index of its server; -1 without a parameter. */
export function registrarOf(
  program: Program,
  scopes: ReadonlyMap<ts.Node, Scope>,
  call: ts.CallExpression,
): { readonly index: number; readonly block: ts.Node; readonly server: ts.Symbol } | undefined {
  const called = valueOf(program, call.expression);
  const scope = isFunction(called) && called.body ? scopes.get(called.body) : undefined;
  if (!isFunction(called) || scope === undefined || scope.made !== null) return undefined;
  const index = scope.parameter === null ? -1 : called.parameters.indexOf(scope.parameter);
  return { index, block: scope.block, server: scope.server };
}

/** The call that a statement consists of. */
export function callOf(statement: ts.Node): ts.CallExpression | undefined {
  const call = ts.isExpressionStatement(statement) ? unwrapped(statement.expression) : undefined;
  return call !== undefined && ts.isCallExpression(call) ? call : undefined;
}

/** The method of a server, or of its `server`, that a call calls. */
export function methodOn(program: Program, server: ts.Symbol, call: ts.CallExpression): string | undefined {
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || !Object.hasOwn(readers, callee.name.text)) return undefined;
  if (/^(tool|resource|prompt)$/.test(callee.name.text) && call.arguments.length < 2) return undefined;
  return receiver(program, server, callee.expression) === undefined ? undefined : callee.name.text;
}

/** The use of the server that an expression is, or whose `server` it is. */
export function receiver(
  program: Program,
  server: ts.Symbol,
  node: ts.Expression,
): ts.Identifier | undefined {
  if (ts.isIdentifier(node) && symbolOf(program, node) === server) return node;
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  if (symbolOf(program, node) === server) return node.name as ts.Identifier;
  return node.name.text === "server" ? receiver(program, server, node.expression) : undefined;
}
