import { ts } from "ts-morph";
import {
  isFunction,
  membersOf,
  readers,
  type FunctionNode,
  type Reader,
  type Row,
} from "./rows.js";
import {
  all,
  isAlone,
  marginOf,
  page,
  startOf,
  unwrapped,
  visit,
} from "./source.js";
import type { File, Program } from "./source.js";
import { convertNames } from "./names.js";
import { fastReaders } from "./fast.js";
import { convertHandlers } from "./handlers.js";
import { loopIn, rowsText, type Loop } from "./loops.js";
import { convertStarts } from "./starts.js";

/**
 * A block that makes a server, or a function that registers rows on a server of
 * another place.
 */
interface Scope {
  readonly server: ts.Symbol;
  readonly block: ts.Block | ts.SourceFile;
  /** Where the server is made; undefined in a function that gets it. */
  readonly made?: {
    readonly statement: ts.Statement;
    readonly node: ts.NewExpression;
  };
  /** The parameter of the function that is the server. */
  readonly parameter?: ts.ParameterDeclaration | undefined;
}

const known: Readonly<Record<string, Reader>> = { ...readers, ...fastReaders };

type Scopes = Map<ts.Node, Scope>;

/** Converts all servers of a program. */
export function convertServers(program: Program): void {
  const scopes: Scopes = new Map();
  const kept = new Set<ts.Node>();
  for (const { tree } of program.files.values())
    findServers(program, tree, scopes, kept);
  const isKept = keptServers(program, kept);
  findRegistrars(program, scopes, isKept);
  // The uses of servers that are converted, and the functions whose rows are
  // taken.
  const done = new Set<ts.Node | undefined>();
  for (const { server, block, made, parameter } of scopes.values()) {
    const own = made?.statement ?? parameter;
    for (const use of own ? program.usesOf(server, own) : []) done.add(use);
    for (const statement of block.statements) {
      const found = registrationIn(program, scopes, server, statement);
      done.add(found?.use).add(found?.registrar?.block);
      // Reading a row names its handler.
      found?.read?.(program, found.call.arguments);
    }
  }
  for (const file of program.files.values()) convertNames(program, file);
  const servers = [...new Set([...scopes.values()].map((one) => one.server))];
  convertHandlers(
    program,
    (node) => {
      for (const server of servers) {
        const use = receiver(program, server, node);
        if (use) return use;
      }
      return undefined;
    },
    done,
  );
  // A row takes the text of its handler, so what is inside is converted before.
  for (const file of program.files.values()) {
    convertStarts(program, file, done, isKept);
    leaveOthers(program, file, scopes, done);
  }
  for (const scope of scopes.values()) convertScope(program, scopes, scope);
}

/** Finds the blocks that make a server, and the servers that are kept. */
function findServers(
  program: Program,
  tree: ts.SourceFile,
  scopes: Scopes,
  kept: Set<ts.Node>,
): void {
  for (const node of all(tree, ts.isNewExpression)) {
    if (
      !/^(McpServer|Server|FastMCP)$/.test(
        program.sdkName(node.expression) ?? "",
      )
    )
      continue;
    const { parent } = node;
    const isConstant = ts.isVariableDeclaration(parent) && isAlone(parent);
    const statement = isConstant ? parent.parent.parent : parent.parent;
    const name = isConstant
      ? parent.name
      : ts.isBinaryExpression(parent) && parent.left;
    const server = name ? program.symbolOf(name) : undefined;
    const block = statement.parent;
    if (
      server &&
      ts.isStatement(statement) &&
      (ts.isBlock(block) || ts.isSourceFile(block))
    )
      scopes.set(block, { server, block, made: { statement, node } });
    else {
      const place = ts.isPropertyDeclaration(parent)
        ? " in the constructor"
        : "";
      program.leave(
        node,
        "no constant of a block is this server",
        `assign it${place}, and run again`,
      );
      kept.add(node);
    }
  }
}

/**
 * Tells whether an expression leads to a server that is kept: by a name that
 * has it, a function that makes it, or a parameter that gets it. What registers
 * rows on such a server, or starts it, is kept too.
 */
function keptServers(
  program: Program,
  kept: ReadonlySet<ts.Node>,
): (node: ts.Expression) => boolean {
  const names = new Set<ts.Symbol | undefined>();
  const isKept = (node: ts.Expression): boolean => {
    const plain = unwrapped(node);
    if (ts.isCallExpression(plain))
      return [plain.expression, ...plain.arguments].some(isKept);
    const symbol = program.symbolOf(plain);
    if (symbol && names.has(symbol)) return true;
    if (ts.isPropertyAccessExpression(plain)) return isKept(plain.expression);
    return all(plain, ts.isNewExpression).some((one) => kept.has(one));
  };
  const learn = (node: ts.Node): void => {
    // A variable, or a member of a class.
    if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node))
      if (node.initializer && isKept(node.initializer))
        names.add(program.symbolOf(node.name));
    // A function that returns it.
    if (
      ts.isReturnStatement(node) &&
      node.expression &&
      isKept(node.expression)
    ) {
      const made = ts.findAncestor(node, isFunction);
      if (made?.name) names.add(program.symbolOf(made.name));
    }
    // A function that gets it.
    if (!ts.isCallExpression(node)) return;
    const called = program.valueOf(node.expression);
    if (!isFunction(called)) return;
    for (const [index, given] of node.arguments.entries()) {
      const parameter = called.parameters[index];
      if (parameter && isKept(given))
        names.add(program.symbolOf(parameter.name));
    }
  };
  for (let size = -1; kept.size > 0 && size < names.size;) {
    size = names.size;
    for (const { tree } of program.files.values()) visit(tree, learn);
  }
  return isKept;
}

/**
 * Finds the functions that register something on a server: one that they get,
 * or one of another place.
 */
function findRegistrars(
  program: Program,
  scopes: Scopes,
  isKept: (node: ts.Expression) => boolean,
): void {
  // The callback of a loop is left out: its rows belong to the loop.
  const functions = [...program.files.values()].flatMap(({ tree }) =>
    all(tree, isFunction).filter(
      ({ parent }) => !ts.isCallExpression(parent) || !loopIn(parent.parent),
    ),
  );
  const servers = [...scopes.values()].map(({ server }) => server);
  // A function that passes its server on to such a function is one too.
  for (let size = -1; size < scopes.size;) {
    size = scopes.size;
    for (const { body: block, parameters } of functions) {
      if (block === undefined || !ts.isBlock(block) || scopes.has(block))
        continue;
      const isRegistered = (server: ts.Symbol | undefined): boolean =>
        server !== undefined &&
        block.statements.some(
          (one) => registrationIn(program, scopes, server, one) !== null,
        );
      const parameter = parameters.find(
        ({ name }) =>
          isRegistered(program.symbolOf(name)) &&
          !isKept(name as ts.Identifier),
      );
      const isStart = /\.(connect|start)\(/.test(block.getText());
      const outer = isStart ? undefined : servers.find(isRegistered);
      const server = parameter ? program.symbolOf(parameter.name) : outer;
      if (server) scopes.set(block, { server, block, parameter });
    }
  }
}

/** What a statement registers: a row, or the rows of a function. */
interface Registration {
  readonly call: ts.CallExpression;
  readonly use: ts.Identifier | undefined;
  readonly read: Reader | undefined;
  readonly registrar: Scope | undefined;
  readonly loop?: Loop;
}

/**
 * A statement that registers something on a server: by a method, or by a
 * function.
 */
function registrationIn(
  program: Program,
  scopes: Scopes,
  server: ts.Symbol,
  statement: ts.Statement,
): Registration | null {
  const loop = loopIn(statement);
  const last = loop?.statements.at(-1);
  if (loop && last) {
    const isPlain = loop.statements
      .slice(0, -1)
      .every((one) => ts.isVariableStatement(one));
    const found =
      isPlain && !loopIn(last)
        ? registrationIn(program, scopes, server, last)
        : null;
    return found?.read ? { ...found, loop } : null;
  }
  const call = ts.isExpressionStatement(statement)
    ? unwrapped(statement.expression)
    : statement;
  if (!ts.isCallExpression(call)) return null;
  const name = ts.isPropertyAccessExpression(call.expression)
    ? call.expression.name.text
    : "";
  const read = Object.hasOwn(known, name) ? known[name] : undefined;
  const use =
    read &&
    receiver(
      program,
      server,
      (call.expression as ts.PropertyAccessExpression).expression,
    );
  if (read && use) return { call, use, read, registrar: undefined };
  const called = program.valueOf(call.expression);
  const registrar =
    isFunction(called) && called.body ? scopes.get(called.body) : undefined;
  if (!isFunction(called) || registrar === undefined || registrar.made)
    return null;
  const passed =
    call.arguments[
      called.parameters.indexOf(registrar.parameter as ts.ParameterDeclaration)
    ];
  const given = passed && receiver(program, server, passed);
  const isTaken = registrar.parameter
    ? given !== undefined
    : registrar.server === server;
  return isTaken ? { call, use: given, read: undefined, registrar } : null;
}

/** The use of the server that an expression is, or whose `server` it is. */
function receiver(
  program: Program,
  server: ts.Symbol,
  node: ts.Expression,
): ts.Identifier | undefined {
  if (ts.isIdentifier(node))
    return program.symbolOf(node) === server ? node : undefined;
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  if (program.symbolOf(node) === server) return node.name as ts.Identifier;
  return node.name.text === "server"
    ? receiver(program, server, node.expression)
    : undefined;
}

/**
 * Names the other uses of servers, and the functions whose rows nothing takes.
 */
function leaveOthers(
  program: Program,
  file: File,
  scopes: Scopes,
  done: Set<ts.Node | undefined>,
): void {
  const servers = new Set([...scopes.values()].map(({ server }) => server));
  const isServer = (node: ts.Node): boolean =>
    servers.has(program.symbolOf(node) as ts.Symbol);
  const hint = `write the rows by hand into the handlers of createServers: ${page}`;
  visit(file.tree, (node) => {
    if (scopes.has(node) && !scopes.get(node)?.made && !done.has(node))
      program.leave(
        node.parent,
        "this function now returns its rows, which nothing takes",
        hint,
      );
    if (
      ts.isPropertyAccessExpression(node) &&
      /^(register(Tool|Resource|Prompt)|setRequestHandler)$/.test(
        node.name.text,
      ) &&
      !all(node, ts.isIdentifier).some((one) => done.has(one) || isServer(one))
    )
      program.leave(node, `${node.getText()} is not converted`, hint);
    if (!ts.isIdentifier(node) || done.has(node) || !isServer(node)) return;
    let use: ts.Node =
      ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
        ? node.parent
        : node;
    if (ts.isCallExpression(use.parent))
      program.leave(use, "the server is passed on here", hint);
    if (!ts.isPropertyAccessExpression(use.parent)) return;
    while (ts.isPropertyAccessExpression(use.parent)) use = use.parent;
    program.leave(use, `${use.getText()} is not converted`, hint);
  });
}

/** Takes the rows out of a block, and writes them where the last one was. */
function convertScope(program: Program, scopes: Scopes, scope: Scope): void {
  const { block, made } = scope;
  const file = program.fileOf(block);
  const lines = linesIn(file);
  const { found, taken } = rowsIn(program, scopes, scope, lines);
  for (const statement of taken) program.remove(statement);
  const handlers = handlersOf(program, file, found, lines);
  if (made === undefined) removeParameter(program, scope);
  removeType(program, scope);
  const { text, end, isBefore } = made
    ? serverIn(program, scope, made, { handlers, taken, lines })
    : {
        text: `return ${handlers};`,
        end: block.statements.at(-1) as ts.Statement,
        isBefore: false,
      };
  const isEnd = ts.isReturnStatement(end);
  if (isEnd)
    program.leave(
      end,
      "the function returns something else",
      "return the rows together with it",
    );
  const at = isEnd || isBefore || taken.includes(end) ? startOf(end) : end.end;
  const margin = marginOf(end);
  file.replace(
    at,
    at,
    `${at === 0 ? "" : "\n"}${margin}${file.indent(text, "", margin)}`,
  );
}

/** Writes texts on lines of their own, one step inside. */
type Lines = (texts: readonly string[]) => string;

function linesIn(file: File): Lines {
  const unit = /^(?:\t| {2,4})(?=\S)/m.exec(file.tree.text)?.[0] ?? "  ";
  return (texts) =>
    texts
      .map((one) => one && `${unit}${file.indent(one, "", unit)}\n`)
      .join("");
}

/** A row of the new server, or handlers of it, as text. */
interface Found {
  readonly kind: Row["kind"];
  readonly text: string;
}

/** The rows that a scope registers, and the statements that they replace. */
function rowsIn(
  program: Program,
  scopes: Scopes,
  { server, block }: Scope,
  lines: Lines,
): { readonly found: readonly Found[]; readonly taken: ts.Statement[] } {
  const found: Found[] = [];
  const taken: ts.Statement[] = [];
  for (const statement of block.statements) {
    const { call, use, read, registrar, loop } =
      registrationIn(program, scopes, server, statement) ?? {};
    if (call === undefined) continue;
    const spread: Row = {
      kind: "handlers",
      members: [`...${spreadOf(program, call, use)},`],
    };
    const one = read ? read(program, call.arguments) : spread;
    const row = loop && one?.kind === "handlers" ? null : one;
    if (row === null) {
      const words = `${call.expression.getText()} has arguments that cannot be read`;
      program.leave(statement, words, `write the row by hand: ${page}`);
      continue;
    }
    const { kind, members } = row;
    const comments = commentsBefore(program, statement);
    found.push({
      kind,
      text:
        comments +
        (kind === "handlers"
          ? members[0]
          : loop
            ? rowsText(program, program.fileOf(block), loop, row, lines)
            : `{\n${lines(members)}},`),
    });
    taken.push(statement);
    if (registrar === undefined) program.fileOf(block).rows += 1;
  }
  return { found, taken };
}

/** The literal of the handlers: rows by their kind, and the others. */
function handlersOf(
  program: Program,
  file: File,
  found: readonly Found[],
  lines: Lines,
): string {
  const textsOf = (kind: Row["kind"]): string[] =>
    found.filter((one) => one.kind === kind).map(({ text }) => text);
  const parts = (["tools", "resources", "prompts"] as const).flatMap((kind) => {
    const rows = textsOf(kind);
    if (rows.length === 0) return [];
    return `...${program.need(file, "@mcpgen/runtime/features", kind)}([\n${lines(rows)}]),`;
  });
  parts.push(...textsOf("handlers"));
  return parts.length === 0 ? "{}" : `{\n${lines(parts)}}`;
}

/**
 * The statement that makes the new server, and where it goes: behind the last
 * row, or before a statement that needs the server earlier.
 */
function serverIn(
  program: Program,
  { server, block }: Scope,
  { statement, node }: NonNullable<Scope["made"]>,
  {
    handlers,
    taken,
    lines,
  }: {
    readonly handlers: string;
    readonly taken: readonly ts.Statement[];
    readonly lines: Lines;
  },
): {
  readonly text: string;
  readonly end: ts.Statement;
  readonly isBefore: boolean;
} {
  const file = program.fileOf(block);
  const { parent } = node;
  const typed =
    ts.isVariableDeclaration(parent) && parent.type
      ? parent.name.end
      : undefined;
  const name =
    file.tree.text.slice(statement.getStart(), typed ?? node.getStart()) +
    (typed ? " = " : "");
  const members = lines([
    ...settingsOf(program, node),
    program.isAsking
      ? `questions: ${program.need(file, "gen", "serverQuestions")},`
      : "",
    `handlers: ${handlers},`,
  ]);
  const call = `${program.need(file, "gen", "createServers")}({\n${members}})`;
  const comments = commentsBefore(program, statement);
  const rest = statement.getText().slice(node.end - statement.getStart());
  program.remove(statement);
  const last = taken.at(-1) ?? statement;
  const early = block.statements.find(
    (one) =>
      one.pos > statement.pos &&
      one.pos < last.pos &&
      !taken.includes(one) &&
      usesNow(program, server, one),
  );
  const end = early ?? last;
  return {
    text: `${comments}${name}${call}${rest}`,
    end,
    isBefore: end === early || end === statement,
  };
}

/** Removes the type of a function that returned a server, or nothing. */
function removeType(program: Program, { block, made }: Scope): void {
  const type = isFunction(block.parent) ? block.parent.type : undefined;
  if (type === undefined) return;
  const isServer =
    ts.isTypeReferenceNode(type) &&
    program.sdkName(type.typeName) !== undefined;
  if (made !== undefined && !isServer) return;
  const { tree } = program.fileOf(block);
  program.replace(type, "", tree.text.lastIndexOf(":", type.getStart()));
}

/** True if a statement uses a server when it is reached, not in a function. */
const usesNow = (
  program: Program,
  server: ts.Symbol,
  statement: ts.Statement,
): boolean =>
  program
    .usesOf(server, statement)
    .some(
      (use) =>
        ts.findAncestor(use, (one) => one === statement || isFunction(one)) ===
        statement,
    );

/** The comments of a statement, and a line break. */
function commentsBefore(program: Program, statement: ts.Statement): string {
  const text = program
    .textOf(statement, startOf(statement), statement.getStart())
    .trim();
  return text && `${text}\n`;
}

/** A call without the server among its arguments. */
function spreadOf(
  program: Program,
  call: ts.CallExpression,
  use: ts.Node | undefined,
): string {
  const others = call.arguments.filter(
    (one) => use === undefined || one.end !== use.end,
  );
  const list = others.map((one) => program.textOf(one)).join(", ");
  const text = `${program.textOf(call.expression)}(${list})`;
  return ts.isAwaitExpression(call.parent) ? `(await ${text})` : text;
}

function removeParameter(program: Program, { block, parameter }: Scope): void {
  if (parameter === undefined) return;
  const { parameters } = block.parent as FunctionNode;
  const others = parameters
    .filter((one) => one !== parameter)
    .map((one) => program.textOf(one));
  const hasParentheses = block.getSourceFile().text[parameters.pos - 1] === "(";
  program.replace(
    parameter,
    hasParentheses ? others.join(", ") : "()",
    parameters.pos,
    parameters.end,
  );
}

/**
 * The information and settings of a server; those of FastMCP are only its
 * information.
 */
function settingsOf(
  program: Program,
  { expression, arguments: args }: ts.NewExpression,
): string[] {
  const [info, options] = args ?? [];
  const isFast = program.sdkName(expression) === "FastMCP";
  const object = isFast ? info && program.valueOf(info) : options;
  const known = isFast ? ["name", "version"] : ["instructions", "capabilities"];
  const isLiteral =
    object !== undefined && ts.isObjectLiteralExpression(object);
  if (isFast && info && !isLiteral) refuse(program, info, "options");
  for (const property of isLiteral ? object.properties : []) {
    const { name } = property;
    const isText = name && ts.isStringLiteral(name);
    const key = isText ? name.text : (name ?? property).getText();
    // What decides who is let in is never left out with a warning.
    if (isFast && /^(authenticate|auth)$|^(\.\.\.|\[)/.test(key))
      refuse(program, property, key);
    else if (!known.includes(key))
      program.leave(property, `a server has no setting ${key}`, `see ${page}`);
  }
  // The rows declare their own capabilities.
  const own =
    /^\{\s*((tools|resources|prompts|completions): \{[^{}]*\},?\s*)*\}$/;
  const members = membersOf(program, options, {
    capabilities: (value) =>
      own.test(value.getText()) ? "" : `capabilities: ${program.textOf(value)}`,
  });
  const others = members ?? (options ? [`...${program.textOf(options)},`] : []);
  return [`info: ${info ? program.textOf(info) : "{}"},`, ...others];
}

/** Ends the run: without this the new server may be open to all. */
function refuse(program: Program, node: ts.Node, key: string): void {
  program.fileOf(node).refused.push({
    at: node.getStart(),
    message: `${key} of FastMCP may say who is let in, and is not converted`,
    hint: `remove it, run again, and write what it checks into createHttpHandler(server, { authenticate }): ${page}`,
  });
}
