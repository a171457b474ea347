import { ts } from "ts-morph";
import { pages } from "./handlers.js";
import { isAlone, registrarOf, type Scope } from "./scopes.js";
import {
  remove,
  startOf,
  fileOf,
  leave,
  marginOf,
  need,
  replaceNode,
  sdkName,
  symbolOf,
  textOf,
  usesOf,
  valueOf,
  visit,
  type File,
  type Program,
} from "./source.js";

export interface Work {
  readonly program: Program;
  readonly scopes: ReadonlyMap<ts.Node, Scope>;
  /** The uses of servers that are converted, and the functions whose rows are taken. */
  readonly done: Set<ts.Node>;
}

/** `connect` with a transport of stdio, and `start` of FastMCP. */
export function convertStarts({ program, done }: Work, file: File): void {
  visit(file.tree, (call) => {
    if (!ts.isCallExpression(call)) return;
    if (sdkName(program, call.expression) === "serveStdio") convertFactory(program, file, call);
    if (!ts.isPropertyAccessExpression(call.expression)) return;
    const { expression, name } = call.expression;
    const [argument] = call.arguments;
    const value = argument && valueOf(program, argument);
    const isStdio =
      value && ts.isNewExpression(value) && sdkName(program, value.expression) === "StdioServerTransport";
    const isStart =
      name.text === "start" &&
      argument &&
      /^\{\s*transportType:\s*["']stdio["'],?\s*\}$/.test(argument.getText());
    if (!(name.text === "connect" && isStdio) && !isStart) return;
    visit(expression, (node) => void done.add(node));
    const text = `${need(program, file, "@mcpgen/runtime/stdio", "serveStdio")}(${textOf(program, expression)})`;
    if (isStdio) removeTransport(program, argument);
    let statement: ts.Node = call.parent;
    if (ts.isAwaitExpression(statement)) statement = statement.parent;
    const block = statement.parent;
    if (!ts.isExpressionStatement(statement) || (!ts.isBlock(block) && !ts.isSourceFile(block))) {
      replaceNode(program, call, text);
      return;
    }
    const after = block.statements.slice(block.statements.indexOf(statement) + 1);
    if (after.every((one) => ts.isFunctionDeclaration(one))) {
      replaceNode(program, call, text);
      return;
    }
    // It resolves when the client has closed: what came after the start comes first.
    const margin = marginOf(statement);
    const last = after.at(-1) as ts.Statement;
    remove(program, statement);
    if (ts.isReturnStatement(last)) file.edits.insert(startOf(last), `\n${margin}void ${text};`);
    else
      file.edits.insert(
        last.end,
        `\n${margin}${ts.isAwaitExpression(call.parent) ? "await " : "void "}${text};`,
      );
  });
}

/** `serveStdio` of version 2, which takes a function that makes a server. */
function convertFactory(program: Program, file: File, call: ts.CallExpression): void {
  const [factory, ...others] = call.arguments;
  if (factory === undefined || others.length > 0) return;
  const isShort = ts.isArrowFunction(factory) && !ts.isBlock(factory.body);
  const made = isShort ? textOf(program, factory.body) : `(${textOf(program, factory)})()`;
  const server = ts.isIdentifier(factory) ? `${factory.text}()` : made;
  replaceNode(program, call, `${need(program, file, "@mcpgen/runtime/stdio", "serveStdio")}(${server})`);
}

/** Removes the constant of a transport that nothing else uses. */
function removeTransport(program: Program, argument: ts.Expression): void {
  const symbol = symbolOf(program, argument);
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined || !ts.isVariableDeclaration(declaration)) return;
  if (isAlone(declaration) && usesOf(program, symbol, declaration.getSourceFile()).length === 2)
    remove(program, declaration.parent.parent);
}

const notifications: Readonly<Record<string, string>> = {
  sendToolListChanged: "toolsListChanged",
  sendResourceListChanged: "resourcesListChanged",
  sendPromptListChanged: "promptsListChanged",
  sendResourceUpdated: "resourceUpdated",
};

/** A use of a server that is neither a registration nor its start. */
export function convertUse({ program, scopes, done }: Work, use: ts.Identifier): void {
  let node: ts.Node = use;
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) node = node.parent;
  const { parent } = node;
  if (!ts.isPropertyAccessExpression(parent) && !ts.isCallExpression(parent)) return;
  if (!ts.isPropertyAccessExpression(parent)) {
    const registrar = registrarOf(program, scopes, parent);
    const isCall = registrar !== undefined;
    if (isCall) done.add(registrar.block);
    const hint = isCall
      ? "spread its result into the handlers of createServers"
      : "the value is now that of createServers: check what is done with it";
    leave(
      program,
      node,
      isCall ? "this registers rows after the server is made" : "the server is used here",
      `${hint}: ${pages.sdk}#move-a-server`,
    );
    return;
  }
  const whole =
    parent.name.text === "server" && ts.isPropertyAccessExpression(parent.parent) ? parent.parent : parent;
  const notification = notifications[whole.name.text];
  if (notification === undefined)
    leave(program, node, `${whole.getText()} is not converted`, `see ${pages.sdk}#move-a-server`);
  else fileOf(program, use).edits.replace(node.end, whole.end, `.notify.${notification}`);
}
