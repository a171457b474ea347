import { ts } from "ts-morph";
import {
  fileOf,
  leave,
  replaceNode,
  sdkName,
  symbolOf,
  textOf,
  unwrapped,
  usesOf,
  valueOf,
  type Program,
} from "./source.js";

export const pages = {
  sdk: "https://github.com/mcpgen/mcpgen/blob/main/test/examples/official-sdk/README.md",
  http: "https://github.com/mcpgen/mcpgen/blob/main/test/examples/http/README.md",
  move: "https://github.com/mcpgen/mcpgen/blob/main/test/examples/move/README.md",
} as const;

export type FunctionNode =
  ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration | ts.MethodDeclaration;

export const isFunction = (node: ts.Node | undefined): node is FunctionNode =>
  node !== undefined &&
  (ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node));

/** What the context of a handler is called here, by its name in the official SDK (both versions) and in FastMCP. */
const contextMembers: Readonly<Record<string, string>> = {
  signal: "signal",
  requestId: "requestId",
  authInfo: "auth",
  _meta: "meta",
  session: "auth",
  "mcpReq.signal": "signal",
  "mcpReq.id": "requestId",
  "mcpReq._meta": "meta",
  "mcpReq.log": "log",
  "http.authInfo": "auth",
};

const contextHint = `write it with the context of mcpgen: ${pages.sdk}#move-a-server`;

/** Converts the uses of the context in a handler. A function that several rows share is converted once. */
function convertContext(program: Program, handler: FunctionNode, parameter: ts.ParameterDeclaration): void {
  if (parameter.type !== undefined && handlesSdkType(program, parameter.type)) {
    const isContextual = ts.isArrowFunction(handler) || ts.isFunctionExpression(handler);
    if (isContextual && !ts.isVariableDeclaration(handler.parent))
      fileOf(program, parameter).edits.replace(parameter.name.end, parameter.type.end, "");
    else
      leave(
        program,
        parameter,
        "the context has the type of the old SDK",
        "use FeatureContext of @mcpgen/runtime/features",
      );
  }
  if (ts.isObjectBindingPattern(parameter.name)) {
    for (const element of parameter.name.elements) {
      const old = (element.propertyName ?? element.name).getText();
      const name = contextMembers[old];
      if (name === undefined) leave(program, element, `the context has no ${old}`, contextHint);
      else if (name !== old) replaceNode(program, element, `${name}: ${element.name.getText()}`);
    }
    return;
  }
  const symbol = symbolOf(program, parameter.name);
  if (symbol === undefined || handler.body === undefined) return;
  for (const use of usesOf(program, symbol, handler.body)) convertUse(program, use);
}

const handlesSdkType = (program: Program, type: ts.TypeNode): boolean =>
  ts.isTypeReferenceNode(type) && sdkName(program, type.typeName) !== undefined;

function convertUse(program: Program, use: ts.Identifier): void {
  const first = use.parent;
  if (!ts.isPropertyAccessExpression(first) || first.expression !== use) {
    leave(program, use, "the context is passed on as a whole", "check what is read from it there");
    return;
  }
  const second = first.parent;
  const isDeep = ts.isPropertyAccessExpression(second) && second.expression === first;
  const deep = isDeep ? contextMembers[`${first.name.text}.${second.name.text}`] : undefined;
  const name = deep ?? contextMembers[first.name.text];
  if (name !== undefined) {
    const end = isDeep && deep !== undefined ? second.end : first.end;
    fileOf(program, use).edits.replace(first.name.getStart(), end, name);
  } else if (
    !ts.isCallExpression(second) ||
    second.expression !== first ||
    !convertProgress(program, use, second)
  ) {
    leave(program, first, `the context has no ${first.name.text}`, contextHint);
  }
}

/** `sendNotification` of progress, and `reportProgress` of FastMCP. */
function convertProgress(program: Program, use: ts.Identifier, call: ts.CallExpression): boolean {
  const method = (call.expression as ts.PropertyAccessExpression).name.text;
  const [argument] = call.arguments;
  if (argument === undefined || !ts.isObjectLiteralExpression(argument)) return false;
  const isProgress =
    member(argument, "method")?.getText().slice(1, -1) === program.methods.get("ProgressNotification");
  if (method !== "reportProgress" && !(method === "sendNotification" && isProgress)) return false;
  const params = method === "reportProgress" ? argument : member(argument, "params");
  if (params === undefined || !ts.isObjectLiteralExpression(params)) return false;
  const values = ["progress", "total", "message"].map((name) => {
    const value = member(params, name);
    return value === undefined ? "undefined" : textOf(program, value);
  });
  while (values.at(-1) === "undefined") values.pop();
  if (values.length === 0) return false;
  replaceNode(program, call, `${use.text}.progress(${values.join(", ")})`);
  return true;
}

/** The value of a member of an object literal. */
export function member(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of object.properties) {
    if (property.name?.getText() !== name) continue;
    if (ts.isPropertyAssignment(property)) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property)) return property.name;
  }
  return undefined;
}

/** How a handler is called: what it gets in the old program, as names, and the parameters that it gets here. */
export interface Signature {
  /** The old parameters, such as ["args", "context"]. */
  readonly from: readonly string[];
  /** The new ones: an old name, or "_" for one that the old handler did not get. */
  readonly to: readonly string[];
  /** The values of old parameters that are not among the new ones. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The text of a handler for its place here. */
export function handlerText(
  program: Program,
  node: ts.Expression,
  { from, to, values = {} }: Signature,
): string {
  const plain = unwrapped(node);
  const value = valueOf(program, plain);
  const contextAt = from.indexOf("context");
  const context = isFunction(value) ? value.parameters[contextAt] : undefined;
  if (isFunction(value) && context !== undefined && !program.converted.has(value)) {
    program.converted.add(value);
    convertContext(program, value, context);
  }
  const count = isFunction(value) ? value.parameters.length : from.length;
  const isSame = from.slice(0, count).every((name, index) => to[index] === name);
  if (isSame) return textOf(program, plain);
  if (!isFunction(plain) || plain.parameters.some((one) => one.dotDotDotToken !== undefined)) {
    const names = to.map((name) => (name === "_" ? "_args" : name));
    const given = from.slice(0, count).map((name) => values[name] ?? name);
    const text = ts.isArrowFunction(plain) ? `(${textOf(program, plain)})` : textOf(program, plain);
    return `(${names.join(", ")}) => ${text}(${given.join(", ")})`;
  }
  const old = new Map(plain.parameters.map((parameter, index) => [from[index], textOf(program, parameter)]));
  // A default value gives the handler what is no parameter here.
  const added = [...old].filter(([name = ""]) => !to.includes(name) && values[name] !== undefined);
  const isRead = (name: string): boolean => added.some(([key = ""]) => values[key]?.endsWith(` ${name} }`));
  const given = to.map((name) => old.get(name) ?? (isRead(name) ? name : `_${name === "_" ? "args" : name}`));
  while (added.length === 0 && given.length > 0 && !old.has(to[given.length - 1])) given.pop();
  const text = [...given, ...added.map(([name = "", parameter]) => `${parameter} = ${values[name]}`)].join(
    ", ",
  );
  const first = plain.parameters[0];
  const last = plain.parameters.at(-1);
  if (first === undefined || last === undefined) return textOf(program, plain);
  const { edits } = fileOf(program, plain);
  const hasParentheses = /^[\s,]*\)/.test(edits.text.slice(last.end));
  edits.replace(first.getStart(), last.end, hasParentheses ? text : `(${text})`);
  return textOf(program, plain);
}
