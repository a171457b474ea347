import { ts } from "ts-morph";
import { handlerText, isFunction, type FunctionNode } from "./handlers.js";
import { type Arguments, type Row } from "./row.js";
import { importOf, replaceNode, symbolOf, textOf, unwrapped, usesOf, visit, type Program } from "./source.js";

/** `setRequestHandler(schema, handler)`; since version 2 with the method in place of the schema. */
export function requestRow(program: Program, [schema, handler]: Arguments): Row | null {
  if (schema === undefined || handler === undefined) return null;
  const name = importOf(program, schema)?.name.replace(/Schema$/, "") ?? "";
  const method = ts.isStringLiteralLike(schema) ? schema.text : program.methods.get(name);
  if (method === undefined) return null;
  const isParams = takeParams(program, unwrapped(handler));
  const text = handlerText(program, handler, {
    from: [isParams ? "params" : "request", "context"],
    to: ["params", "context"],
    values: { request: `{ method: ${JSON.stringify(method)}, params }` },
  });
  return { kind: "handlers", members: [`${JSON.stringify(method)}: ${text}`] };
}

/** Makes a handler of a message take the params, if it reads nothing else. */
function takeParams(program: Program, handler: ts.Expression): boolean {
  const parameter = isFunction(handler) ? handler.parameters[0] : undefined;
  if (!isFunction(handler) || parameter === undefined || handler.body === undefined) return false;
  if (ts.isObjectBindingPattern(parameter.name)) {
    const [element, ...others] = parameter.name.elements;
    const name = element && (element.propertyName ?? element.name).getText();
    if (element === undefined || name !== "params" || others.length > 0 || element.initializer) return false;
    replaceNode(program, parameter, textOf(program, element.name));
    return true;
  }
  const symbol = symbolOf(program, parameter.name);
  if (symbol === undefined) return false;
  const uses = usesOf(program, symbol, handler.body).map(({ parent }) => parent);
  const isAll = uses.every((use) => ts.isPropertyAccessExpression(use) && use.name.text === "params");
  if (!isAll || declares(handler, "params")) return false;
  for (const use of uses) replaceNode(program, use, "params");
  replaceNode(program, parameter, "params");
  return true;
}

function declares(handler: FunctionNode, name: string): boolean {
  let found = false;
  visit(handler, (node) => {
    const isOwn =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isShorthandPropertyAssignment(node);
    found ||= isOwn && node.name.getText() === name;
  });
  return found;
}
