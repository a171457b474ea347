import { ts } from "ts-morph";
import { isFunction, type FunctionNode } from "./rows.js";
import {
  all,
  isAlone,
  marginOf,
  member,
  unwrapped,
  visit,
  type File,
  type Program,
} from "./source.js";

/** A route of a program: `app.post(path, ...middleware, handler)`. */
interface Route {
  readonly statement: ts.ExpressionStatement;
  readonly method: ts.Identifier;
  /** The program and the path, which several routes have. */
  readonly key: string;
  readonly middleware: string;
  readonly argument: ts.Expression;
  readonly handler: FunctionNode;
}

const http = "@mcpgen/runtime/http";

/** What the transport of a usual route is made with. */
const usualOptions: ReadonlySet<string> = new Set([
  "sessionIdGenerator",
  "onsessioninitialized",
  "onsessionclosed",
  "enableJsonResponse",
  "eventStore",
]);

/**
 * Converts a route that makes a transport for a server: one listener, made
 * before it, then answers all methods of its path, with sessions of its own.
 * False for a route that reads more of a request than its session and its body,
 * because that may decide who is let in.
 */
export function convertRoute(
  program: Program,
  file: File,
  transport: ts.NewExpression,
  done: Set<ts.Node | undefined>,
): boolean {
  const routes = all(file.tree, ts.isExpressionStatement).flatMap(
    (statement) => routeOf(program, statement) ?? [],
  );
  const main = routes.find(({ handler }) =>
    ts.findAncestor(transport, (one) => one === handler),
  );
  if (main === undefined) return false;
  const same = routes.filter(({ key }) => key === main.key);
  const server = serverIn(program, main.handler);
  const sessions = sessionsOf(transport);
  if (
    server === null ||
    sessions === null ||
    !same.every(
      (route) =>
        ["", main.middleware].includes(route.middleware) &&
        isUsual(program, route),
    )
  )
    return false;
  const listener = program.nameIn(file, "listener");
  const made = `${program.need(file, http, "nodeListener")}(${program.need(file, http, "createHttpHandler")}(${server}${sessions}))`;
  const start = main.statement.getStart();
  program.replace(
    main.statement,
    `const ${listener} = ${made};\n${marginOf(main.statement)}`,
    start,
    start,
  );
  for (const route of same) {
    visit(route.statement, (one) => done.add(one));
    visit(route.handler, (one) => done.add(one));
    if (route !== main) program.remove(route.statement);
    if (route.argument !== route.handler) removeValue(program, route.argument);
  }
  program.replace(main.method, "all");
  program.replace(main.argument, listener);
  removeUnused(program, file, done);
  return true;
}

function routeOf(
  program: Program,
  statement: ts.ExpressionStatement,
): Route | undefined {
  const call = statement.expression;
  if (
    !ts.isCallExpression(call) ||
    !ts.isPropertyAccessExpression(call.expression) ||
    !/^(all|delete|get|post)$/.test(call.expression.name.text)
  )
    return undefined;
  const { name: method, expression: app } = call.expression;
  const [path, ...rest] = call.arguments;
  const argument = rest.pop();
  const handler = argument && program.valueOf(argument);
  if (path === undefined || argument === undefined || !isFunction(handler))
    return undefined;
  return {
    statement,
    method: method as ts.Identifier,
    key: `${app.getText()} ${path.getText()}`,
    middleware: rest.map((one) => one.getText()).join(),
    argument,
    handler,
  };
}

/**
 * What a route connects to its transport, as it is written outside of the
 * route; null if it depends on the request.
 */
function serverIn(program: Program, handler: FunctionNode): string | null {
  const texts = all(handler, ts.isCallExpression).flatMap(({ expression }) => {
    if (
      !ts.isPropertyAccessExpression(expression) ||
      expression.name.text !== "connect"
    )
      return [];
    const { expression: named } = expression;
    const isInside = isLocal(program, named, handler);
    const value = isInside ? program.valueOf(named) : unwrapped(named);
    const isKnown =
      value !== undefined &&
      (ts.isIdentifier(value) || ts.isCallExpression(value)) &&
      !all(value, ts.isIdentifier).some((one) =>
        isLocal(program, one, handler),
      );
    return [isKnown ? program.textOf(value) : null];
  });
  const [first = null, ...others] = texts;
  return others.every((one) => one === first) ? first : null;
}

const isLocal = (
  program: Program,
  node: ts.Node,
  handler: FunctionNode,
): boolean =>
  program
    .symbolOf(node)
    ?.declarations?.some((made) =>
      ts.findAncestor(made, (one) => one === handler),
    ) ?? false;

/** The option of a handler without sessions; null for other transports. */
function sessionsOf({ arguments: args }: ts.NewExpression): string | null {
  const options = args?.[0];
  if (options === undefined) return ", { sessions: false }";
  if (!ts.isObjectLiteralExpression(options)) return null;
  const names = options.properties.map(({ name }) => name?.getText() ?? "...");
  if (!names.every((name) => usualOptions.has(name))) return null;
  const isNone =
    !names.includes("sessionIdGenerator") ||
    member(options, "sessionIdGenerator")?.getText() === "undefined";
  return isNone ? ", { sessions: false }" : "";
}

/**
 * True if a route reads nothing of a request that tells who sends it: its body
 * goes to the transport, and of its headers it reads those of sessions.
 */
function isUsual(program: Program, { handler }: Route): boolean {
  const [request, response, ...others] = handler.parameters;
  const usesOf = (parameter: ts.ParameterDeclaration | undefined) => {
    const symbol = parameter && program.symbolOf(parameter.name);
    return symbol && handler.body ? program.usesOf(symbol, handler.body) : [];
  };
  const isName = [request, response].every(
    (one) => one === undefined || ts.isIdentifier(one.name),
  );
  return (
    isName &&
    others.length === 0 &&
    usesOf(request).every(isUsualRead) &&
    usesOf(response).every(
      ({ parent }) =>
        !ts.isPropertyAccessExpression(parent) ||
        !/^(locals|req|app)$/.test(parent.name.text),
    )
  );
}

/** A use of a request in `handleRequest`, in a log, or of its session. */
function isUsualRead(use: ts.Identifier): boolean {
  const { parent } = use;
  const isBody =
    ts.isPropertyAccessExpression(parent) && parent.name.text === "body";
  const given = isBody ? parent : use;
  if (ts.isCallExpression(given.parent))
    return /(^isInitializeRequest|\.handleRequest|^console\.\w+)$/.test(
      given.parent.expression.getText(),
    );
  const header = parent.parent;
  return (
    ts.isPropertyAccessExpression(parent) &&
    parent.name.text === "headers" &&
    ts.isElementAccessExpression(header) &&
    /^["'](mcp-session-id|last-event-id)["']$/.test(
      header.argumentExpression.getText(),
    )
  );
}

/** True for what files that are not converted may use, too. */
const isExported = (statement: ts.Node): boolean =>
  /^export\b/.test(statement.getText());

/** Removes the constant that an argument names, if nothing else uses it. */
export function removeValue(program: Program, argument: ts.Expression): void {
  const symbol = program.symbolOf(argument);
  const made = symbol?.valueDeclaration;
  if (symbol === undefined || made === undefined) return;
  const uses = program.usesOf(symbol, made.getSourceFile());
  if (uses.length > 2) return;
  const isConstant = ts.isVariableDeclaration(made) && isAlone(made);
  const statement = isConstant ? made.parent.parent : made;
  if (isConstant || ts.isFunctionDeclaration(made))
    if (!isExported(statement)) program.remove(statement);
}

/** Removes the empty collections that only the removed routes used. */
function removeUnused(
  program: Program,
  file: File,
  done: ReadonlySet<ts.Node | undefined>,
): void {
  for (const made of all(file.tree, ts.isVariableDeclaration)) {
    const symbol = program.symbolOf(made.name);
    const isEmpty = /^(\{\}|new Map(<[^()]*>)?\(\))$/.test(
      made.initializer?.getText() ?? "",
    );
    if (symbol === undefined || !isEmpty || !isAlone(made)) continue;
    const statement = made.parent.parent;
    const uses = program.usesOf(symbol, file.tree);
    if (uses.every((use) => use.parent === made || done.has(use)))
      if (!isExported(statement)) program.remove(statement);
  }
}
