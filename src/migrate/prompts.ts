import { ts } from "ts-morph";
import { handlerText, member } from "./handlers.js";
import { keyed, withComments, type Arguments, type Row } from "./row.js";
import { importOf, textOf, unwrapped, valueOf, type Program } from "./source.js";

export function promptRow(
  program: Program,
  name: ts.Expression,
  config: ts.Expression,
  handler: ts.Expression,
): Row | null {
  const plain = unwrapped(config);
  if (!ts.isObjectLiteralExpression(plain)) return null;
  const shape = member(plain, "argsSchema");
  const others = plain.properties.filter((one) => one.name?.getText() !== "argsSchema");
  return promptOf(
    program,
    name,
    others.map((one) => withComments(program, one)),
    shape,
    handler,
  );
}

/** `prompt(name, description?, shape?, handler)`. */
export function oldPrompt(program: Program, [name, ...rest]: Arguments): Row | null {
  const handler = rest.pop();
  if (name === undefined || handler === undefined) return null;
  const [first] = rest;
  const hasDescription = first !== undefined && ts.isStringLiteralLike(unwrapped(first));
  const description = hasDescription ? [keyed(program, "description", first)] : [];
  return promptOf(program, name, description, rest[hasDescription ? 1 : 0], handler);
}

function promptOf(
  program: Program,
  name: ts.Expression,
  others: readonly string[],
  shape: ts.Expression | undefined,
  handler: ts.Expression,
): Row | null {
  const list = shape === undefined ? [] : argumentsOf(program, shape);
  if (list === null) return null;
  const text = handlerText(
    program,
    handler,
    shape === undefined
      ? { from: ["context"], to: ["_", "context"] }
      : { from: ["args", "context"], to: ["args", "context"] },
  );
  const rows = list.length === 0 ? [] : [`arguments: [\n${list.map((one) => `  ${one},\n`).join("")}]`];
  return {
    kind: "prompts",
    members: [keyed(program, "name", name), ...others, ...rows, keyed(program, "get", handler, text)],
  };
}

/** The arguments of a prompt, from an object of schemas of zod that say no more than an argument can. */
function argumentsOf(program: Program, node: ts.Expression): string[] | null {
  let shape = valueOf(program, node);
  if (shape && ts.isCallExpression(shape) && /\bobject$/.test(shape.expression.getText()))
    shape = shape.arguments[0];
  if (shape === undefined || !ts.isObjectLiteralExpression(shape)) return null;
  const rows = shape.properties.map((property) => {
    if (!ts.isPropertyAssignment(property)) return null;
    let required = true;
    let description = "";
    let at: ts.Expression = unwrapped(property.initializer);
    let complete = "";
    while (ts.isCallExpression(at)) {
      const callee: ts.Expression = at.expression;
      const [argument, second] = at.arguments;
      if (ts.isIdentifier(callee) && callee.text === "completable" && argument && second) {
        complete = `, complete: ${textOf(program, second)}`;
        at = unwrapped(argument);
        continue;
      }
      if (!ts.isPropertyAccessExpression(callee)) return null;
      const { name, expression } = callee;
      if (name.text === "optional") required = false;
      else if (name.text === "describe" && argument)
        description ||= `, description: ${textOf(program, argument)}`;
      else if (name.text !== "string" || argument !== undefined) return null;
      at = expression;
    }
    if (!/^zod(\/|$)/.test(importOf(program, at)?.module ?? "")) return null;
    const key = ts.isIdentifier(property.name) ? JSON.stringify(property.name.text) : property.name.getText();
    return `{ name: ${key}${description}${required ? ", required: true" : ", required: false"}${complete} }`;
  });
  return rows.every((row) => row !== null) ? rows : null;
}
