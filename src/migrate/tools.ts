import { ts } from "ts-morph";
import { handlerText, member } from "./handlers.js";
import { commentsOf, keyed, withComments, type Arguments, type Row } from "./row.js";
import { schemaMember } from "./schemas.js";
import { replaceNode, textOf, unwrapped, valueOf, type Program } from "./source.js";

interface Config {
  readonly members: readonly string[];
  readonly hasInput: boolean;
}

/** The members of the configuration of a tool, with its schemas as they are here. */
export function configOf(program: Program, node: ts.Expression): Config | null {
  const plain = unwrapped(node);
  const value = valueOf(program, plain);
  if (value === undefined || !ts.isObjectLiteralExpression(value)) return null;
  const isOwn = value === plain;
  let hasInput = false;
  const members: string[] = [];
  for (const property of value.properties) {
    const name = property.name?.getText() ?? "";
    const direction = /^(input|output)Schema$/.exec(name)?.[1] as "input" | "output" | undefined;
    if (ts.isSpreadAssignment(property)) {
      const spread = configOf(program, property.expression);
      if (spread === null) return null;
      hasInput ||= spread.hasInput;
    }
    const found = direction && member(value, name);
    if (direction === undefined || found === undefined) {
      members.push(withComments(program, property));
      continue;
    }
    if (found.getText() === "undefined") continue;
    hasInput ||= direction === "input";
    const text = program.converted.has(property)
      ? property.getText()
      : schemaMember(program, direction, found);
    if (text === null) return null;
    members.push(commentsOf(property) + text);
    if (isOwn || program.converted.has(property)) continue;
    program.converted.add(property);
    replaceNode(program, property, text);
  }
  return { members: isOwn ? members : [`...${textOf(program, plain)}`], hasInput };
}

export function toolRow(
  program: Program,
  name: ts.Expression,
  config: Config | null,
  handler: ts.Expression,
): Row | null {
  if (config === null) return null;
  const from = config.hasInput ? ["args", "context"] : ["context"];
  const to = config.hasInput ? ["args", "context"] : ["_", "context"];
  const text = handlerText(program, handler, { from, to });
  const none = config.hasInput ? [] : [`inputSchema: { type: "object", properties: {} }`];
  return {
    kind: "tools",
    members: [
      keyed(program, "name", name),
      ...config.members,
      ...none,
      keyed(program, "handler", handler, text),
    ],
  };
}

/** `tool(name, description?, shape or annotations?, annotations?, handler)`. */
export function oldTool(program: Program, [name, ...rest]: Arguments): Row | null {
  const handler = rest.pop();
  if (name === undefined || handler === undefined) return null;
  const members: string[] = [];
  let hasInput = false;
  for (const node of rest) {
    const value = valueOf(program, node);
    if (value === undefined) return null;
    if (ts.isObjectLiteralExpression(value)) {
      const isShape = value.properties.every(
        (one) => !ts.isPropertyAssignment(one) || !isPlain(unwrapped(one.initializer)),
      );
      const text =
        isShape && !hasInput ? schemaMember(program, "input", node) : keyed(program, "annotations", node);
      if (text === null) return null;
      hasInput ||= isShape;
      members.push(text);
    } else if (ts.isCallExpression(value) || ts.isPropertyAccessExpression(value)) {
      const text = schemaMember(program, "input", node);
      if (text === null) return null;
      hasInput = true;
      members.push(text);
    } else members.push(keyed(program, "description", node));
  }
  return toolRow(program, name, { members, hasInput }, handler);
}

/** A value of an annotation, and no schema. */
const isPlain = (node: ts.Expression): boolean =>
  ts.isStringLiteralLike(node) || [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(node.kind);
