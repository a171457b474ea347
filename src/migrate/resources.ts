import { ts } from "ts-morph";
import { handlerText, isFunction, member, pages } from "./handlers.js";
import { keyed, withComments, type Row } from "./row.js";
import {
  fileOf,
  leave,
  replaceNode,
  symbolOf,
  textOf,
  unwrapped,
  usesOf,
  valueOf,
  type Program,
} from "./source.js";

const resourceHint = `see ${pages.sdk}#move-a-server`;

export function resourceRow(
  program: Program,
  name: ts.Expression,
  uri: ts.Expression,
  config: ts.Expression | undefined,
  handler: ts.Expression,
): Row | null {
  const others = config === undefined ? [] : spreadOf(program, config);
  const value = valueOf(program, uri);
  if (value === undefined) return null;
  if (!ts.isNewExpression(value)) {
    const text = handlerText(program, handler, {
      from: ["uri", "context"],
      to: ["context"],
      values: { uri: `new URL(${textOf(program, uri)})` },
    });
    return {
      kind: "resources",
      members: [
        keyed(program, "uri", uri),
        keyed(program, "name", name),
        ...others,
        keyed(program, "read", handler, text),
      ],
    };
  }
  const [template, options] = value.arguments ?? [];
  if (template === undefined || value !== unwrapped(uri)) return null;
  const found = options && unwrapped(options);
  if (found !== undefined && !ts.isObjectLiteralExpression(found)) return null;
  const list = found && member(found, "list");
  if (list !== undefined && list.getText() !== "undefined")
    leave(program, list, "a template has no list of its own", `add a row for each resource: ${resourceHint}`);
  const complete = found && member(found, "complete");
  const isString = convertUri(program, valueOf(program, handler));
  const text = handlerText(program, handler, {
    from: ["uri", "args", "context"],
    to: ["args", "uri", "context"],
    values: isString ? {} : { uri: "new URL(uri)" },
  });
  return {
    kind: "resources",
    members: [
      keyed(program, "uriTemplate", template),
      keyed(program, "name", name),
      ...others,
      ...(complete ? [keyed(program, "complete", complete)] : []),
      keyed(program, "read", handler, text),
    ],
  };
}

/** Makes a handler take its URI as text. */
function convertUri(program: Program, handler: ts.Node | undefined): boolean {
  const parameter = isFunction(handler) ? handler.parameters[0] : undefined;
  const symbol = parameter && symbolOf(program, parameter.name);
  if (!isFunction(handler) || parameter === undefined || symbol === undefined || handler.body === undefined)
    return false;
  if (parameter.type !== undefined)
    fileOf(program, handler).edits.replace(parameter.name.end, parameter.type.end, "");
  for (const use of usesOf(program, symbol, handler.body)) {
    const { parent } = use;
    const isHref = ts.isPropertyAccessExpression(parent) && parent.name.text === "href";
    const isText = ts.isPropertyAccessExpression(parent) && parent.name.text === "toString";
    if (isHref) replaceNode(program, parent, use.text);
    else if (isText) replaceNode(program, parent.parent, use.text);
    else if (!ts.isTemplateSpan(parent)) replaceNode(program, use, `new URL(${use.text})`);
  }
  return true;
}

/** The members of an object, or a spread of it. */
function spreadOf(program: Program, node: ts.Expression): string[] {
  const plain = unwrapped(node);
  if (!ts.isObjectLiteralExpression(plain)) return [`...${textOf(program, plain)}`];
  return plain.properties.map((property) => withComments(program, property));
}
