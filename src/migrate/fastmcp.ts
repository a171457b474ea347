import { ts } from "ts-morph";
import { handlerText, member, pages } from "./handlers.js";
import { keyed, withComments, type Row } from "./row.js";
import { leave, replaceNode, textOf, unwrapped, type Program } from "./source.js";

/** The members of FastMCP that have another name here. */
function fastMembers(
  program: Program,
  node: ts.Expression | undefined,
  convert: (key: string, value: ts.Expression) => string | null,
): string[] | null {
  const plain = node && unwrapped(node);
  if (plain === undefined || !ts.isObjectLiteralExpression(plain)) return null;
  const members = plain.properties.map((property) => {
    const key = property.name?.getText() ?? "";
    if (ts.isMethodDeclaration(property)) return null;
    const value = member(plain, key);
    return (value && convert(key, value)) ?? withComments(program, property);
  });
  return members.every((one) => one !== null) ? members : null;
}

export function fastTool(program: Program, node: ts.Expression | undefined): Row | null {
  const members = fastMembers(program, node, (key, value) => {
    if (key === "parameters") return `inputSchema: ${textOf(program, value)}`;
    if (["canAccess", "timeoutMs"].includes(key))
      leave(program, value, `a tool has no ${key}`, `see ${pages.move}#from-fastmcp`);
    if (key !== "execute") return null;
    const text = handlerText(program, value, { from: ["args", "context"], to: ["args", "context"] });
    return keyed(program, "handler", value, text);
  });
  return members && { kind: "tools", members };
}

/** A function that returns an object with one member returns this member; null for any other function. */
function unpacked(program: Program, node: ts.Expression, name: string): ts.Expression | null {
  if (!ts.isArrowFunction(node)) return null;
  const { body } = node;
  const statement = ts.isBlock(body) ? body.statements.at(-1) : undefined;
  const result = ts.isBlock(body)
    ? statement && ts.isReturnStatement(statement) && statement.expression
    : body;
  const object = result && unwrapped(result);
  if (!object || !ts.isObjectLiteralExpression(object) || object.properties.length !== 1) return null;
  const value = member(object, name);
  if (value === undefined) return null;
  replaceNode(program, result, textOf(program, value));
  return node;
}

export function fastResource(program: Program, node: ts.Expression | undefined): Row | null {
  let isKnown = false;
  const members = fastMembers(program, node, (key, value) => {
    if (key !== "load") return null;
    const load = unpacked(program, value, "text");
    isKnown = load !== null;
    return load && `read: ${handlerText(program, load, { from: ["auth"], to: [] })}`;
  });
  return members && isKnown ? { kind: "resources", members } : null;
}

export function fastPrompt(program: Program, node: ts.Expression | undefined): Row | null {
  const members = fastMembers(program, node, (key, value) =>
    key === "load" ? keyed(program, "get", value) : null,
  );
  return members && { kind: "prompts", members };
}
