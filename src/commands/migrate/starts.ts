import { ts } from "ts-morph";
import { convertRoute, removeValue } from "./routes.js";
import { all, member, page, visit, type File, type Program } from "./source.js";

const http = "@mcpgen/runtime/http";
const stdio = "@mcpgen/runtime/stdio";

/**
 * What version 2 of the official SDK calls with a function that makes a server.
 */
const factories: ReadonlyMap<string, readonly [module: string, name: string]> =
  new Map([
    ["serveStdio", [stdio, "serveStdio"]],
    ["createMcpHandler", [http, "createHttpHandler"]],
  ]);

/** An app that the official SDK makes with the package of another project. */
interface App {
  readonly module: string;
  readonly name: string;
  /** The name in a file that does not use it. */
  readonly local: string;
  /** The same app, by the name in a file. */
  readonly made: (name: string) => string;
}

/**
 * These apps check hosts and origins, as the handler does itself here for its
 * own route.
 */
const apps: ReadonlyMap<string, App> = new Map([
  [
    "createMcpExpressApp",
    {
      module: "express",
      name: "default",
      local: "express",
      made: (name) => `${name}().use(${name}.json())`,
    },
  ],
  [
    "createMcpHonoApp",
    {
      module: "hono",
      name: "Hono",
      local: "Hono",
      made: (name) => `new ${name}()`,
    },
  ],
]);

/** The transports that a route of the program passes requests on to. */
const routeTransport = /^(?:(?:Node)?StreamableHTTP|SSE)ServerTransport$/;
const routeHint = `make the server once, outside of the route, and let the route call nodeListener(createHttpHandler(server)): ${page}`;

/**
 * Converts starts over stdio, `start` of FastMCP, and the handlers of version 2
 * of the official SDK. Names the routes that a program has itself.
 */
export function convertStarts(
  program: Program,
  file: File,
  done: Set<ts.Node | undefined>,
  isKept: (node: ts.Expression) => boolean,
): void {
  convertRoutes(program, file, done);
  for (const call of all(file.tree, ts.isCallExpression)) {
    const { expression: callee, parent, arguments: args } = call;
    const [argument] = args;
    const app = args.length === 0 && apps.get(program.sdkName(callee) ?? "");
    if (app) convertApp(program, file, call, app);
    if (done.has(call)) continue;
    if (argument === undefined || args.length > 1) continue;
    // A server that is not converted is started as before.
    if (isKept(call)) continue;
    const name = program.sdkName(callee) ?? "";
    const factory = factories.get(name);
    if (factory) {
      program.replace(callee, program.need(file, ...factory));
      convertFactory(program, argument);
    }
    if (name === "createMcpHandler" && ts.isVariableDeclaration(parent))
      convertUses(program, file, parent);
    if (name === "toNodeHandler")
      program.replace(callee, program.need(file, http, "nodeListener"));
    if (!ts.isPropertyAccessExpression(callee)) continue;
    const server = program.textOf(callee.expression);
    const value = program.valueOf(argument) ?? argument;
    const isOfSdk =
      ts.isNewExpression(value) &&
      program.sdkName(value.expression) === "StdioServerTransport";
    const isStdio = callee.name.text === "connect" && isOfSdk;
    const options =
      callee.name.text === "start" && ts.isObjectLiteralExpression(argument)
        ? argument
        : null;
    const type =
      options && member(options, "transportType")?.getText().slice(1, -1);
    if (isStdio || (type === "stdio" && options?.properties.length === 1)) {
      removeValue(program, argument);
      // It resolves when the client has closed: nothing waits for it.
      const text = `${program.need(file, stdio, "serveStdio")}(${server})`;
      program.replace(
        ts.isAwaitExpression(parent) ? parent : call,
        ts.isAwaitExpression(parent) ? `void ${text}` : text,
      );
    } else {
      const listening =
        type === "httpStream" ? listeningOf(program, options) : null;
      if (listening === null) continue;
      const handler = `${program.need(file, http, "createHttpHandler")}(${server}${listening.sessions})`;
      program.replace(
        call,
        `${program.need(file, http, "serveHttp")}(${handler}, { ${listening.options} })`,
      );
    }
    visit(callee, (node) => done.add(node));
  }
}

/** Converts the usual routes, and names the others. */
function convertRoutes(
  program: Program,
  file: File,
  done: Set<ts.Node | undefined>,
): void {
  for (const made of all(file.tree, ts.isNewExpression))
    if (
      routeTransport.test(program.sdkName(made.expression) ?? "") &&
      !convertRoute(program, file, made, done)
    )
      program.leave(made, "this route over HTTP is not converted", routeHint);
}

/** Writes what an app of the official SDK is made of. */
function convertApp(
  program: Program,
  file: File,
  call: ts.CallExpression,
  { module, name, local, made }: App,
): void {
  if (!/^import\b/m.test(file.tree.text)) return;
  if (pathsOf(program, file, call.parent).size > 1)
    return program.leave(
      call,
      "this app checks the hosts and origins of other routes, too",
      `make it with the package ${module}, and check them there: ${page}`,
    );
  const app = program.nameIn(file, local);
  file.imports.set(module, new Map([[name, app]]));
  program.replace(call, made(app));
}

/** The paths that an app answers, as they are written. */
function pathsOf(
  program: Program,
  { tree }: File,
  made: ts.Node,
): ReadonlySet<string> {
  const symbol = ts.isVariableDeclaration(made)
    ? program.symbolOf(made.name)
    : undefined;
  const paths = all(tree, ts.isCallExpression).flatMap(
    ({ expression: callee, arguments: [path] }) =>
      path &&
      ts.isPropertyAccessExpression(callee) &&
      program.symbolOf(callee.expression) === symbol &&
      (routeMethod.test(callee.name.text) || ts.isStringLiteralLike(path))
        ? [path.getText()]
        : [],
  );
  return new Set(paths);
}

const routeMethod = /^(all|delete|get|on|patch|post|put|route)$/;

/** Calls a function where it was passed. */
function convertFactory(program: Program, value: ts.Expression): void {
  const start = value.getStart();
  if (
    ts.isArrowFunction(value) &&
    value.parameters.length === 0 &&
    !ts.isBlock(value.body)
  )
    return program.replace(value, "", start, value.body.getStart());
  if (!ts.isIdentifier(value)) program.replace(value, "(", start, start);
  program.replace(
    value,
    ts.isIdentifier(value) ? "()" : ")()",
    value.end,
    value.end,
  );
}

/** A handler is a function here, without a member `fetch`. */
function convertUses(
  program: Program,
  { tree }: File,
  variable: ts.VariableDeclaration,
): void {
  const symbol = program.symbolOf(variable.name);
  for (const use of symbol ? program.usesOf(symbol, tree) : []) {
    const { parent } = use;
    const key = ts.isPropertyAccessExpression(parent) ? parent.name.text : "";
    const isPassed =
      ts.isCallExpression(parent) &&
      program.sdkName(parent.expression) === "toNodeHandler";
    if (key === "fetch") program.replace(parent, use.text);
    else if (parent !== variable && key !== "close" && !isPassed)
      program.leave(
        use,
        `this use of ${use.text} is not converted`,
        `it is a function from Request to Response now: ${page}`,
      );
  }
}

/**
 * How a server of FastMCP listens, in the options of mcpgen; null if it says
 * more than these have.
 */
function listeningOf(
  program: Program,
  start: ts.ObjectLiteralExpression | null,
): { readonly sessions: string; readonly options: string } | null {
  const options = start && member(start, "httpStream");
  if (
    !options ||
    !ts.isObjectLiteralExpression(options) ||
    start.properties.length > 2
  )
    return null;
  const members = options.properties.map((property) => {
    const key = property.name?.getText() ?? "";
    const value = member(options, key);
    if (key === "port" || key === "host") return program.textOf(property);
    if (key === "endpoint" && value) return `path: ${program.textOf(value)}`;
    const isPlain =
      key === "enableJsonResponse" ||
      (key === "stateless" && /^(true|false)$/.test(value?.getText() ?? ""));
    return isPlain ? "" : null;
  });
  if (members.includes(null)) return null;
  const isStateless = member(options, "stateless")?.getText() === "true";
  return {
    sessions: isStateless ? ", { sessions: false }" : "",
    options: members.filter(Boolean).join(", "),
  };
}
