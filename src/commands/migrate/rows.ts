import { ts } from "ts-morph";
import {
  all,
  type HandlerNode as FunctionNode,
  member,
  page,
  unwrapped,
  type Program,
} from "./source.js";

/** A row of one of the lists, or a member of the handlers. */
export interface Row {
  readonly kind: "tools" | "resources" | "prompts" | "handlers";
  /** The members of the row, each with its comma. */
  readonly members: readonly string[];
}

type Arguments = readonly (ts.Expression | undefined)[];
export type Reader = (program: Program, args: Arguments) => Row | null;
/**
 * The text of a member, or what makes it and changes the program: that is called
 * once the whole row can be read.
 */
type Convert = (value: ts.Expression) => string | (() => string) | null;

/** How each old call becomes a row; null if its arguments cannot be read. */
export const readers: Readonly<Record<string, Reader>> = {
  registerTool: (program, [name, config, handler]) => {
    const members = membersOf(program, config, {
      inputSchema: (value) => schemaOf(program, "input", value),
      outputSchema: (value) => schemaOf(program, "output", value),
    });
    return members === null
      ? null
      : toolRow(program, [name, handler], members, has(config, "inputSchema"));
  },
  tool: oldTool,
  addTool: (program, [tool]) => {
    const members = membersOf(program, tool, {
      parameters: (value) => `inputSchema: ${program.textOf(value)}`,
      execute: (value) => () =>
        `handler: ${handlerText(program, value, toolNames, toolNames)}`,
      canAccess: () => null,
      timeoutMs: () => null,
    });
    return (
      members && {
        kind: "tools",
        members: has(tool, "parameters") ? members : [...members, noInput],
      }
    );
  },
  registerResource: resourceRow,
  resource: resourceRow,
  registerPrompt: promptRow,
  setRequestHandler: requestRow,
  setNotificationHandler: requestRow,
};

const toolNames = ["args", "context"];
const noInput = `inputSchema: { type: "object", properties: {} },`;

const keyed = (
  program: Program,
  key: string,
  node: ts.Node | undefined,
): string => (node ? `${key}: ${program.textOf(node, node.pos).trim()},` : "");

const has = (node: ts.Expression | undefined, key: string): boolean =>
  node !== undefined &&
  member(unwrapped(node) as ts.ObjectLiteralExpression, key) !== undefined;

/**
 * The members of an object literal with their comments, some of them converted;
 * null if one cannot be read.
 */
export function membersOf(
  program: Program,
  node: ts.Expression | undefined,
  convert: Readonly<Record<string, Convert>> = {},
): readonly string[] | null {
  const object = node && unwrapped(node);
  if (object === undefined || !ts.isObjectLiteralExpression(object))
    return null;
  const read = object.properties.flatMap((property) => {
    const key = property.name?.getText() ?? "...";
    const value = member(object, key);
    const text = Object.hasOwn(convert, key)
      ? value && convert[key]?.(value)
      : program.textOf(property);
    const isRead = key !== "..." && text !== undefined && text !== null;
    return isRead ? [[property, text] as const] : [];
  });
  if (read.length < object.properties.length) return null;
  const texts = read.map(([property, made]) => {
    const text = typeof made === "string" ? made : made();
    const comments = program
      .textOf(property, property.pos, property.getStart())
      .trim();
    return text && `${comments}${comments && "\n"}${text},`;
  });
  texts.push(
    program
      .textOf(object, object.properties.end, object.end)
      .slice(0, -1)
      .trim(),
  );
  return texts;
}

function toolRow(
  program: Program,
  [name, handler]: Arguments,
  members: readonly string[],
  hasInput: boolean,
) {
  if (name === undefined || handler === undefined) return null;
  const from = hasInput ? toolNames : ["context"];
  const text = handlerText(
    program,
    handler,
    from,
    hasInput ? toolNames : ["_args", "context"],
  );
  const parts = [
    keyed(program, "name", name),
    ...members,
    hasInput ? "" : noInput,
    `handler: ${text},`,
  ];
  return { kind: "tools", members: parts } as const;
}

/** `tool(name, description?, shape or annotations?, annotations?, handler)`. */
function oldTool(program: Program, [name, ...rest]: Arguments): Row | null {
  const handler = rest.pop();
  const members: string[] = [];
  let hasInput = false;
  for (const node of rest as readonly ts.Expression[]) {
    const value = program.valueOf(node);
    const isHints = /^\{\s*\w+:\s*(true|false|["'`])/.test(
      value?.getText() ?? "",
    );
    const isText =
      value && (ts.isStringLiteralLike(value) || ts.isBinaryExpression(value));
    const schema = isHints || isText ? "" : schemaOf(program, "input", node);
    if (schema === null) return null;
    hasInput ||= schema !== "";
    members.push(
      schema
        ? `${schema},`
        : keyed(program, isText ? "description" : "annotations", node),
    );
  }
  return toolRow(program, [name, handler], members, hasInput);
}

/**
 * The text of a schema of a tool; null if it cannot be known whether it is a
 * schema or an object of schemas.
 */
function schemaOf(
  program: Program,
  direction: "input" | "output",
  node: ts.Expression,
): string | null {
  const plain = unwrapped(node);
  const value = program.valueOf(plain) ?? plain;
  const isShape =
    ts.isObjectLiteralExpression(value) ||
    (ts.isPropertyAccessExpression(value) && value.name.text === "shape");
  if (!isShape && !ts.isCallExpression(value)) return null;
  const source = node.getSourceFile();
  const file = program.fileOf(node);
  const zod = zodIn(program, value) ?? zodIn(program, source);
  const here = value.getSourceFile() === source ? zod : zodIn(program, source);
  const module = zod?.module ?? "zod";
  const text = program.textOf(plain);
  const schema = isShape
    ? `${here?.name ?? program.need(file, module, "z")}.object(${text})`
    : text;
  const isOld =
    module.startsWith("zod/v3") ||
    (module === "zod" && program.options.zodOf(source.fileName) < 4);
  if (!isOld) return `${direction}Schema: ${schema}`;
  const convert = program.need(file, "zod-to-json-schema", "zodToJsonSchema");
  return `${direction}Schema: ${schema},\n${direction}JsonSchema: ${convert}(${schema}, { strictUnions: true })`;
}

/** How zod is named inside a node, and the module that it comes from. */
function zodIn(
  program: Program,
  inside: ts.Node,
): { readonly name: string; readonly module: string } | null {
  for (const node of all(inside, ts.isIdentifier)) {
    const from = program.importOf(node);
    if (from === undefined || !/^zod(\/|$)/.test(from.module)) continue;
    const isInside =
      from.name === "*" && /^\w+\.(z|default)$/.test(node.parent.getText());
    return {
      name: (isInside ? node.parent : node).getText(),
      module: from.module,
    };
  }
  return null;
}

/**
 * `registerResource(name, uri or template, config, handler)`, also without a
 * config.
 */
function resourceRow(
  program: Program,
  [name, uri, ...rest]: Arguments,
): Row | null {
  const handler = rest.pop();
  const config = rest[0] ? membersOf(program, rest[0]) : [];
  const value = uri && program.valueOf(uri);
  if (config === null || value === undefined || handler === undefined)
    return null;
  // A template has no list of its own here.
  const isTemplate = ts.isNewExpression(value);
  const [template, options] = isTemplate ? (value.arguments ?? []) : [];
  const completion = isTemplate ? completionOf(program, options) : "";
  if (completion === null || (isTemplate && value !== uri)) return null;
  const text = isTemplate
    ? handlerText(
        program,
        handler,
        ["uri", ...toolNames],
        ["args", "uri", "context"],
        {
          uri: "new URL(uri)",
        },
      )
    : handlerText(program, handler, ["uri", "context"], ["context"], {
        uri: `new URL(${program.textOf(uri as ts.Node)})`,
      });
  const key = isTemplate
    ? keyed(program, "uriTemplate", template)
    : keyed(program, "uri", uri);
  return {
    kind: "resources",
    members: [
      key,
      keyed(program, "name", name),
      ...config,
      completion,
      `read: ${text},`,
    ],
  };
}

/**
 * The completion of a template without a list; null if it has one, or if a
 * function reads more than what is typed.
 */
function completionOf(
  program: Program,
  options: ts.Expression | undefined,
): string | null {
  const members = membersOf(program, options, {
    list: (value) => (value.getText() === "undefined" ? "" : null),
    complete: (value) => {
      const functions = all(value, isFunction);
      const isPlain = functions.every(
        ({ parameters }) => parameters.length < 2,
      );
      return ts.isObjectLiteralExpression(value) && isPlain
        ? `complete: ${program.textOf(value)}`
        : null;
    },
  });
  return members && members.filter(Boolean).join("\n");
}

function promptRow(
  program: Program,
  [name, config, handler]: Arguments,
): Row | null {
  const members = membersOf(program, config, {
    argsSchema: (value) => argumentsOf(program, value),
  });
  if (members === null || handler === undefined) return null;
  const text = handlerText(
    program,
    handler,
    has(config, "argsSchema") ? toolNames : ["context"],
    toolNames,
  );
  return {
    kind: "prompts",
    members: [keyed(program, "name", name), ...members, `get: ${text},`],
  };
}

/** What an argument of a prompt may be: a text, with a description or none. */
const argument =
  /^["']?([^"':]+)["']?:\s*[\w.]+\.string\(\)(\s*\.optional\(\))?(?:\s*\.describe\(((["'`])(?:(?!\4)[^\\]|\\[^])*\4)\))?(\s*\.optional\(\))?$/;

/**
 * The arguments of a prompt, from an object of schemas of zod that say no more
 * than an argument can.
 */
function argumentsOf(program: Program, node: ts.Expression): string | null {
  const value = program.valueOf(node);
  const shape =
    value && ts.isCallExpression(value) ? value.arguments[0] : value;
  if (shape === undefined || !ts.isObjectLiteralExpression(shape)) return null;
  const rows = shape.properties.map((property) => {
    const { text, complete } = suggestedBy(program, property);
    const [, name, isEarly, words, , isLate] = argument.exec(text) ?? [];
    const description = words ? ` description: ${words},` : "";
    return (
      name &&
      `  { name: ${JSON.stringify(name)},${description} required: ${!(isEarly ?? isLate)}${complete} },\n`
    );
  });
  return rows.every(Boolean) ? `arguments: [\n${rows.join("")}]` : null;
}

/**
 * The text of an argument without `completable`, and its completion; no text if
 * a function reads more than what is typed.
 */
function suggestedBy(
  program: Program,
  property: ts.ObjectLiteralElementLike,
): { readonly text: string; readonly complete: string } {
  const value = ts.isPropertyAssignment(property) && property.initializer;
  if (
    !value ||
    !ts.isCallExpression(value) ||
    program.sdkName(value.expression) !== "completable"
  )
    return { text: property.getText(), complete: "" };
  const [schema, complete] = value.arguments;
  const made = complete && program.valueOf(complete);
  const isPlain = isFunction(made) && made.parameters.length < 2;
  const name = property.name?.getText() ?? "";
  return {
    text: isPlain ? `${name}: ${schema?.getText()}` : "",
    complete: complete ? `, complete: ${program.textOf(complete)}` : "",
  };
}

/**
 * `setRequestHandler(schema, handler)`; since version 2 with the method in
 * place of the schema.
 */
function requestRow(
  program: Program,
  [schema, handler]: Arguments,
): Row | null {
  if (schema === undefined || handler === undefined) return null;
  const name = program.importOf(schema)?.name.replace(/Schema$/, "") ?? "";
  const method = ts.isStringLiteralLike(schema)
    ? schema.text
    : program.options.methods.get(name);
  if (method === undefined) return null;
  const key = JSON.stringify(method);
  const first = takeParams(program, unwrapped(handler)) ? "params" : "request";
  const values = { request: `{ method: ${key}, params }` };
  const text = handlerText(
    program,
    handler,
    [first, "context"],
    ["params", "context"],
    values,
  );
  return { kind: "handlers", members: [`${key}: ${text},`] };
}

export type { HandlerNode as FunctionNode } from "./source.js";

export const isFunction = (node: ts.Node | undefined): node is FunctionNode =>
  ts.isFunctionLike(node) &&
  "body" in node &&
  !ts.isConstructorDeclaration(node);

/**
 * What the context of a handler is called here, by its name in the official SDK
 * (both versions) and in FastMCP.
 */
const contextMembers: ReadonlyMap<string, string> = new Map([
  ["signal", "signal"],
  ["requestId", "requestId"],
  ["authInfo", "auth"],
  ["_meta", "meta"],
  ["session", "auth"],
  ["closeSSEStream", "release"],
  ["mcpReq.signal", "signal"],
  ["mcpReq.id", "requestId"],
  ["mcpReq._meta", "meta"],
  ["mcpReq.log", "log"],
  ["http.authInfo", "auth"],
]);

const contextHint = `write it with the context of mcpgen: ${page}`;

/**
 * The text of a handler for its place here. Its parameters are names, in the
 * old order and in the new one.
 */
export function handlerText(
  program: Program,
  node: ts.Expression,
  from: readonly string[],
  to: readonly string[],
  values: Readonly<Record<string, string>> = {},
): string {
  const plain = unwrapped(node);
  const value = program.valueOf(plain);
  const parameters = isFunction(value) ? value.parameters : [];
  if (isFunction(value)) program.handlers.set(value, from);
  const isListed =
    isFunction(value) && !parameters.some((one) => one.dotDotDotToken);
  const count = isListed
    ? (program.added.get(value) ?? parameters.length)
    : from.length;
  const given = from.slice(0, count);
  const text = program.textOf(plain, plain.pos).trim();
  if (given.every((name, index) => to[index] === name)) return text;
  const called = plain === value ? `(${text})` : text;
  return `(${to.join(", ")}) => ${called}(${given.map((name) => values[name] ?? name).join(", ")})`;
}

/**
 * Converts the uses of the context in a handler, and names those that have no
 * counterpart. A pattern becomes a name.
 */
export function convertContext(
  program: Program,
  { body }: FunctionNode,
  { name }: ts.ParameterDeclaration,
  done: Set<ts.Node | undefined>,
): void {
  if (body === undefined) return;
  if (ts.isObjectBindingPattern(name))
    return convertPattern(program, body, name, done);
  const symbol = program.symbolOf(name);
  for (const use of symbol ? program.usesOf(symbol, body) : []) {
    if (done.has(use)) continue;
    const first = memberAfter(use);
    const second = first && memberAfter(first);
    const deep = contextMembers.get(`${first?.name.text}.${second?.name.text}`);
    const key = deep ?? contextMembers.get(first?.name.text ?? "");
    if (first && key)
      program.replace(
        first.name,
        key,
        undefined,
        ((deep && second) || first).end,
      );
    else if (first)
      program.leave(
        first,
        `the context has no ${first.name.text}`,
        contextHint,
      );
    else
      program.leave(
        use,
        "the context is passed on as a whole",
        "check what is read from it there",
      );
  }
}

const memberAfter = (node: ts.Node): ts.PropertyAccessExpression | undefined =>
  ts.isPropertyAccessExpression(node.parent) && node.parent.name !== node
    ? node.parent
    : undefined;

/** Writes `context`, and its members where the names of a pattern are used. */
function convertPattern(
  program: Program,
  body: ts.Node,
  pattern: ts.ObjectBindingPattern,
  done: Set<ts.Node | undefined>,
): void {
  const isTaken = all(body, ts.isIdentifier).some(
    ({ text }) => text === "context",
  );
  const isPlain = pattern.elements.every(
    ({ name, dotDotDotToken, initializer }) =>
      ts.isIdentifier(name) && !dotDotDotToken && !initializer,
  );
  if (isTaken || !isPlain)
    return program.leave(
      pattern,
      "the context is read by a pattern",
      contextHint,
    );
  program.replace(pattern, "context");
  for (const { name, propertyName } of pattern.elements) {
    const old = (propertyName ?? name).getText();
    const symbol = program.symbolOf(name);
    for (const use of symbol ? program.usesOf(symbol, body) : []) {
      if (done.has(use)) continue;
      const second = memberAfter(use);
      const deep = contextMembers.get(`${old}.${second?.name.text}`);
      const key = deep ?? contextMembers.get(old);
      const isShort = ts.isShorthandPropertyAssignment(use.parent);
      const text = `${isShort ? `${use.text}: ` : ""}context.${key ?? old}`;
      program.replace(use, text, use.getStart(), ((deep && second) || use).end);
      if (key === undefined)
        program.leave(use, `the context has no ${old}`, contextHint);
    }
  }
}

/** Makes a handler of a message take the params, if it reads nothing else. */
function takeParams(program: Program, handler: ts.Expression): boolean {
  const parameter = isFunction(handler) ? handler.parameters[0] : undefined;
  const symbol = parameter && program.symbolOf(parameter.name);
  if (symbol === undefined) return false;
  const uses = program.usesOf(symbol, handler).map(({ parent }) => parent);
  // Each use has this name once: one more is something else.
  const names = handler.getText().match(/\bparams\b/g) ?? [];
  const isParams = (use: ts.Node): boolean =>
    ts.isPropertyAccessExpression(use) && use.name.text === "params";
  if (
    names.length !== uses.length - 1 ||
    !uses.every((use) => use === parameter || isParams(use))
  )
    return false;
  for (const use of uses) program.replace(use, "params");
  return true;
}
