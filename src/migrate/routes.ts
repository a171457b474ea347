import { ts } from "ts-morph";
import { isFunction, type FunctionNode } from "./rows.js";
import { all, marginOf, member, page, startOf, unwrapped, visit, type File, type Program } from "./source.js";

/** What a route reads of its request, and what it calls of its response, if it only passes the request on. */
const ofRequest =
  /^\??\.(?:body\??\.id|(?:on|once)\(.*|(?:headers\[|headers?\(|get\()["'](?:mcp-session-id|last-event-id)["'][\])])$/is;
const ofResponse = /^\.(?:on|once|status|sendStatus|json|send|writeHead|end|headersSent)\b/;
/** The options of a transport that mcpgen needs no counterpart of. */
const plainOption = /^(?:sessionIdGenerator|enableJsonResponse|eventStore|onsession(?:initialized|closed))$/;
const globals = /^(?:undefined|Error|JSON|String|Array|Boolean)$/;
/** True for a call that writes a log line, also as a statement. */
function isLog(node: ts.Node): boolean {
  const call = ts.isExpressionStatement(node) ? node.expression : node;
  const name = ts.isCallExpression(call) ? call.expression.getText() : "";
  return /^[\w.]*\b(?:log|debug|info|warn|error|success)$/.test(name);
}

/**
 * Makes the routes of a file that pass requests on to transports of Streamable HTTP pass them on to one handler of mcpgen. The paths, the
 * middleware and the port stay. If one of the routes does anything else, all of them stay.
 */
export function convertRoutes(program: Program, file: File, done: Set<ts.Node | undefined>): void {
  const routes = new Routes(program, file.tree);
  const { passes, connects, handlers, server } = routes;
  if (passes.length === 0) return;
  for (const call of connects) visit(call, (node) => done.add(node));
  const parts = handlers.map((handler) => handler && routes.partOf(handler));
  const place = server && routes.placeFor(server);
  if (!server || !place || parts.includes(undefined) || routes.hasSessions === null) {
    const hint = `make the server outside of it, and pass requests on to nodeListener(createHttpHandler(…)): ${page}`;
    for (const pass of passes) program.leave(pass, "this route does more than pass requests on", hint);
    return;
  }
  const use = (name: string): string => program.need(file, "@mcpgen/runtime/http", name);
  const options = routes.hasSessions ? "" : ", { sessions: false }";
  const name = program.nameIn(file, "listener");
  const made = `${use("nodeListener")}(${use("createHttpHandler")}(${program.textOf(server)}${options}))`;
  for (const [i, part] of parts.entries()) {
    const [first = server, last = first] = [part?.[0], part?.at(-1)];
    const [request, response] = handlers[i]?.parameters.map((one) => one.name.getText()) ?? [];
    const { parent, pos } = first;
    const [isBody, line] = [parent === handlers[i]?.body, `\n${marginOf(first)}`];
    // Where the rest of the function did not run, it does not run now.
    const isEnd = !isBody && part?.some((one) => /\breturn\b/.test(one.getText()));
    const call = `${name}(${request}, ${response})`;
    const text = ts.isBlock(parent) ? `${line}${call};${isEnd ? `${line}return;` : ""}` : ` ${call}`;
    program.replace(first, text, ts.isBlock(parent) ? startOf(first) : pos, last.end);
    for (const one of part ?? []) visit(one, (node) => done.add(node));
  }
  for (const { parent } of connects)
    if (!done.has(parent)) program.remove(ts.isAwaitExpression(parent) ? parent.parent : parent);
  for (const symbol of routes.variables) {
    const owner = ts.findAncestor(
      symbol.declarations?.[0],
      (one) => ts.isVariableStatement(one) || ts.isPropertyDeclaration(one),
    );
    if (owner === undefined || done.has(owner)) continue;
    const uses = program.usesOf(symbol, file.tree).filter((one) => !done.has(one) && !isInside(one, owner));
    if (uses.length === 0) program.remove(owner);
    else program.leave(owner, `nothing fills ${symbol.name} any more`, `remove what reads it: ${page}`);
  }
  if (/\b(?:authInfo|requireBearerAuth)\b/.test(file.tree.text)) {
    const hint = `give createHttpHandler the option authenticate or protect: ${page}`;
    program.leave(place, "the routes no longer pass req.auth on to the handlers", hint);
  }
  const at = startOf(place);
  file.replace(at, at, `\n${marginOf(place)}const ${name} = ${made};`);
}

const isInside = (node: ts.Node, outer: ts.Node): boolean => outer.pos <= node.pos && node.end <= outer.end;

/** True for a name that is read of a value, or given to one. */
const isMemberName = (node: ts.Node): boolean =>
  (ts.isPropertyAccessExpression(node.parent) || ts.isPropertyAssignment(node.parent)) &&
  node.parent.name === node;

const isBlock = (node: ts.Node): node is ts.Block | ts.SourceFile =>
  ts.isBlock(node) || ts.isSourceFile(node);

/** What a file does with transports of Streamable HTTP. */
class Routes {
  /** The calls that pass requests on to transports, and those that connect a server to one. */
  readonly passes: readonly ts.CallExpression[];
  readonly connects: readonly ts.CallExpression[];
  /** The variables of the transports, and tables of them. */
  readonly variables: Set<ts.Symbol>;
  readonly #program: Program;
  readonly #made: readonly ts.NewExpression[];
  /** The functions that get the requests; undefined for one that is not known. */
  readonly handlers: readonly (FunctionNode | undefined)[];
  /** The server of each connection: its name, or the call that makes it for one request. */
  readonly #servers: readonly ts.Expression[];

  constructor(program: Program, tree: ts.SourceFile) {
    const calls = (name: string): ts.CallExpression[] =>
      all(tree, ts.isCallExpression).filter(
        ({ expression }) => ts.isPropertyAccessExpression(expression) && expression.name.text === name,
      );
    this.#program = program;
    this.#made = all(tree, ts.isNewExpression).filter(({ expression }) =>
      /^(?:Node)?StreamableHTTPServerTransport$/.test(program.sdkName(expression) ?? ""),
    );
    const symbols = this.#made.flatMap(({ parent }) => {
      const name = ts.isBinaryExpression(parent)
        ? parent.left
        : ts.isVariableDeclaration(parent) && parent.name;
      return (name && program.symbolOf(name)) || [];
    });
    this.variables = new Set(symbols);
    const isTransport = (node: ts.Expression | undefined): boolean =>
      node !== undefined && symbols.includes(program.symbolOf(unwrapped(node)) as ts.Symbol);
    this.connects = calls("connect").filter((call) => isTransport(call.arguments[0]));
    this.passes = symbols.length === 0 ? [] : calls("handleRequest");
    const requests = this.passes.map(({ arguments: [request] }) => request && program.symbolOf(request));
    this.handlers = [...new Set(requests.map((one) => ts.findAncestor(one?.declarations?.[0], isFunction)))];
    this.#servers = this.connects.map(({ expression }) => {
      const { expression: receiver } = expression as ts.PropertyAccessExpression;
      const [declared] = program.symbolOf(receiver)?.declarations ?? [];
      const isOwn = declared && this.handlers.some((one) => one && isInside(declared, one));
      return isOwn && ts.isVariableDeclaration(declared) ? (declared.initializer ?? receiver) : receiver;
    });
  }

  /** The server, if all routes have the same one. */
  get server(): ts.Expression | undefined {
    const texts = new Set(this.#servers.map((one) => one.getText()));
    const [server] = this.#servers;
    return texts.size === 1 && server && !ts.isNewExpression(server) ? server : undefined;
  }

  /** True if each transport has sessions, false if none has; null if some have, or if they have other options. */
  get hasSessions(): boolean | null {
    const kinds = this.#made.map(({ arguments: [options] = [] }) => {
      if (options === undefined) return false;
      if (!ts.isObjectLiteralExpression(options)) return null;
      const isPlain = options.properties.every(({ name }) => plainOption.test(name?.getText() ?? ""));
      return isPlain
        ? (member(options, "sessionIdGenerator")?.getText() ?? "undefined") !== "undefined"
        : null;
    });
    return new Set(kinds).size === 1 ? (kinds[0] ?? null) : null;
  }

  /** The last statements of a block, or an expression, which only pass requests on; undefined if there is no such part. */
  partOf(handler: FunctionNode): readonly ts.Node[] | undefined {
    const { body } = handler;
    const lists = all(handler, ts.isBlock).map(({ statements }): readonly ts.Node[] => {
      const others = statements.filter((one) => !this.#isPlain(one, handler));
      const start = statements.indexOf(others.at(-1) as ts.Statement) + 1;
      const first = statements.findIndex((one, i) => i >= start && !isLog(one));
      return first === -1 ? [] : statements.slice(first);
    });
    if (body && !ts.isBlock(body) && this.#isPlain(body, handler)) lists.push([body]);
    const uses = [...this.variables].flatMap((symbol) => this.#program.usesOf(symbol, handler));
    const about = [...this.passes.filter((one) => isInside(one, handler)), ...uses];
    return lists.find((list) => about.every((node) => list.some((one) => isInside(node, one))));
  }

  /** True for what only looks up, makes, connects or closes transports, or passes a request on to one. */
  #isPlain(node: ts.Node, handler: FunctionNode): boolean {
    if (ts.isTypeNode(node) || isLog(node) || this.#servers.includes(node as ts.Expression)) return true;
    if (ts.isPropertyAssignment(node) && node.name.getText() === "sessionIdGenerator") return true;
    if (node.kind === ts.SyntaxKind.ThisKeyword) return this.#isPlainName(node.parent, handler);
    if (ts.isIdentifier(node)) return this.#isPlainName(node, handler);
    return !ts.forEachChild(node, (child) => !this.#isPlain(child, handler));
  }

  #isPlainName(node: ts.Node, handler: FunctionNode): boolean {
    if (isMemberName(node)) return true;
    const symbol = this.#program.symbolOf(node);
    const [declared] = symbol?.declarations ?? [];
    if (symbol === undefined || declared === undefined) return globals.test(node.getText());
    const which = handler.parameters.findIndex((one) => one === declared);
    if (which === 0 || which === 1) {
      const chain = chainOf(node);
      const text = chain.getText().slice(node.getText().length);
      if (!/^(\??\.body)?$/.test(text)) return (which === 0 ? ofRequest : ofResponse).test(text);
      const { parent: call } = chain;
      if (!ts.isCallExpression(call)) return false;
      return this.passes.includes(call) || this.#program.sdkName(call.expression) !== undefined;
    }
    const module = this.#program.importOf(node)?.module ?? "";
    if (/^(?:node:)?crypto$/.test(module) || this.#program.sdkName(node) !== undefined) return true;
    const names = this.#servers.flatMap((one) => [one, ...all(one, ts.isIdentifier)]);
    if (isInside(declared, handler) || this.variables.has(symbol)) return true;
    if (names.some((one) => this.#program.symbolOf(one) === symbol)) return true;
    // A table of transports by session, which the routes fill.
    const { initializer } = declared as Partial<ts.VariableDeclaration>;
    const isTable = /^(?:\{\}|new Map(?:<[^]*>)?\(\))$/.test(initializer?.getText() ?? "");
    if (isTable) this.variables.add(symbol);
    return isTable;
  }

  /** The statement before which a listener for all routes is made; undefined if the server is not known there. */
  placeFor(server: ts.Expression): ts.Statement | undefined {
    const [first] = this.handlers;
    const block = ts.findAncestor(
      first?.parent,
      (node): node is ts.Block | ts.SourceFile =>
        isBlock(node) && this.handlers.every((one) => one && isInside(one, node)),
    );
    if (first === undefined || block === undefined) return undefined;
    const names = all(server, ts.isIdentifier).filter((one) => !isMemberName(one));
    const isSeen = names.every((name) => {
      const [declared] = this.#program.symbolOf(name)?.declarations ?? [];
      const scope = ts.findAncestor(declared?.parent, (one) => isBlock(one) || isFunction(one));
      return scope === undefined || isInside(block, scope);
    });
    // A server is made after its last row, which may be behind the routes. A listener is used later.
    const rows = block.statements.filter((one) => one.getText().startsWith(`${server.getText()}.`));
    const start = Math.max(first.pos, rows.at(-1)?.end ?? 0);
    const around = ts.findAncestor(block, isFunction);
    const isAsync = around?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? !around;
    const isOwn =
      /\bthis\b/.test(server.getText()) && !this.handlers.every((one) => one && ts.isArrowFunction(one));
    const isKnown = isSeen && !isOwn && (isAsync || !ts.isAwaitExpression(server));
    return isKnown ? block.statements.find((one) => one.end > start) : undefined;
  }
}

/** The whole chain of members and calls that begins with a name. */
function chainOf(node: ts.Node): ts.Node {
  const { parent } = node;
  const isLink =
    ts.isPropertyAccessExpression(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isCallExpression(parent);
  return isLink && parent.expression === node ? chainOf(parent) : node;
}
