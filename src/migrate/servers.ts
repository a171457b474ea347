import { ts } from "ts-morph";
import { indent } from "./edits.js";
import { isFunction, pages, type FunctionNode } from "./handlers.js";
import { readers } from "./rows.js";
import type { Kind, Row } from "./row.js";
import { callOf, findScopes, methodOn, receiver, registrarOf, type Scope } from "./scopes.js";
import { settingsOf } from "./settings.js";
import { convertStarts, convertUse, type Work } from "./uses.js";
import {
  remove,
  startOf,
  fileOf,
  leave,
  marginOf,
  need,
  sdkName,
  textOf,
  usesOf,
  visit,
  type File,
  type Program,
} from "./source.js";

interface Found {
  readonly kind: Kind | "spread" | "onError";
  readonly members: readonly string[];
  /** The comments before it. */
  readonly comments: string;
}

/** Converts all servers of a program. */
export function convertServers(program: Program): void {
  const scopes = findScopes(program);
  const work: Work = { program, scopes, done: new Set() };
  for (const scope of scopes.values()) {
    const { made, server, block } = scope;
    if (made) for (const use of usesOf(program, server, made.statement)) work.done.add(use);
    for (const statement of block.statements) {
      const { use, called } = registrationIn(work, scope, statement) ?? {};
      for (const node of [use, called]) if (node) work.done.add(node);
    }
  }
  // A row takes the text of its handler, so what is inside is converted before.
  for (const file of program.files.values()) convertStarts(work, file);
  for (const { server, parameter, block } of scopes.values()) {
    for (const file of parameter === null ? program.files.values() : [fileOf(program, block)])
      for (const use of usesOf(program, server, file.tree)) {
        if (!work.done.has(use)) convertUse(work, use);
        work.done.add(use);
      }
  }
  nameOthers(work);
  for (const scope of scopes.values()) convertScope(work, scope);
}

/** Names the functions whose rows nothing takes, and what is registered on a server that is not known. */
function nameOthers({ program, scopes, done }: Work): void {
  const hint = `spread its result into the handlers of createServers: ${pages.sdk}#move-a-server`;
  for (const { block, made } of scopes.values())
    if (made === null && !done.has(block))
      leave(program, block.parent, "this function now returns its rows, which nothing takes", hint);
  for (const { tree } of program.files.values())
    visit(tree, (node) => {
      if (!ts.isPropertyAccessExpression(node) || !ts.isCallExpression(node.parent)) return;
      const { name, expression } = node;
      if (!/^(register(Tool|Resource|Prompt)|setRequestHandler)$/.test(name.text)) return;
      let isKnown = false;
      visit(expression, (one) => (isKnown ||= done.has(one)));
      if (!isKnown)
        leave(
          program,
          node,
          `${node.getText()} is not converted`,
          `write the rows by hand: ${pages.sdk}#move-a-server`,
        );
    });
}

/** Takes the rows out of a block, and writes them where the last one was. */
function convertScope(work: Work, scope: Scope): void {
  const { program } = work;
  const { block, made } = scope;
  const file = fileOf(program, block);
  const found: Found[] = [];
  const taken: ts.Statement[] = [];
  for (const statement of block.statements) {
    const row = registrationIn(work, scope, statement)?.read();
    if (!row) continue;
    found.push({ ...row, comments: commentsBefore(program, statement) });
    taken.push(statement);
    if (row.kind !== "spread" && row.kind !== "none") file.rows += 1;
  }
  for (const statement of taken) remove(program, statement);
  const last = taken.at(-1) ?? made?.statement;
  if (last === undefined) return;
  const margin = marginOf(last);
  const unit = /\n\t/.test(file.tree.text)
    ? "\t"
    : margin.length % 4 === 0 && /\n {4}\S/.test(file.tree.text) && !/\n {2}\S/.test(file.tree.text)
      ? "    "
      : "  ";
  const lists = found.length === 0 ? "{}" : listsOf(program, file, found, unit);
  let text: string;
  if (made === null) {
    text = `return ${lists};`;
    removeParameter(program, scope);
  } else {
    const name = made.statement.getText().slice(0, made.node.getStart() - made.statement.getStart());
    const after = made.statement.getText().slice(made.node.end - made.statement.getStart());
    const members = [
      ...settingsOf(program, made.node),
      ...found.filter(({ kind }) => kind === "onError").flatMap(({ members: own }) => own),
      `handlers: ${lists}`,
    ];
    const create = need(program, file, `gen`, "createServers");
    const comments = commentsBefore(program, made.statement);
    const body = members.map((one) => `${unit}${indent(one, "", unit)},\n`).join("");
    text = `${comments === "" ? "" : `${comments}\n`}${name.replace(/(\b\w+)\s*:\s*[\w.]+(\s*=\s*)$/, "$1$2")}${create}({\n${body}})${after}`;
    remove(program, made.statement);
    const factory = block.parent;
    const isTyped = isFunction(factory) && factory.type !== undefined && ts.isTypeReferenceNode(factory.type);
    if (isTyped && sdkName(program, (factory.type as ts.TypeReferenceNode).typeName) !== undefined)
      removeType(program, factory);
  }
  const end = made === null ? (block.statements.at(-1) ?? last) : last;
  const isEnd = ts.isReturnStatement(end);
  if (isEnd) leave(program, end, "the function returns something else", "return the rows together with it");
  const at = isEnd || taken.includes(end) || end === made?.statement ? startOf(end) : end.end;
  file.edits.insert(at, `${at === 0 ? "" : "\n"}${margin}${indent(text, "", margin)}`);
}

const commentsBefore = (program: Program, statement: ts.Statement): string =>
  textOf(program, statement, startOf(statement)).slice(0, -textOf(program, statement).length).trim();

/** A statement that registers something on the server of a scope. */
interface Registration {
  readonly use: ts.Identifier | undefined;
  /** The block of the function that it calls. */
  readonly called?: ts.Node;
  read(): Omit<Found, "comments"> | null;
}

function registrationIn(
  { program, scopes }: Work,
  scope: Scope,
  statement: ts.Statement,
): Registration | null {
  const { server, made } = scope;
  if (ts.isExpressionStatement(statement) && ts.isBinaryExpression(statement.expression) && made !== null) {
    const { left, right } = statement.expression;
    if (!ts.isPropertyAccessExpression(left) || left.name.text !== "onerror") return null;
    const use = receiver(program, server, left.expression);
    const read = (): Omit<Found, "comments"> => ({
      kind: "onError",
      members: [`onError: ${textOf(program, right)}`],
    });
    return use ? { use, read } : null;
  }
  const call = callOf(statement);
  if (call === undefined) return null;
  const method = methodOn(program, server, call);
  if (method !== undefined) {
    const { expression } = call.expression as ts.PropertyAccessExpression;
    const read = (): Row | null => {
      const row = readers[method]?.(program, call.arguments) ?? null;
      if (row === null)
        leave(
          program,
          statement,
          `${method} has arguments that cannot be read`,
          `write the row by hand: ${pages.sdk}#move-a-server`,
        );
      return row;
    };
    return { use: receiver(program, server, expression), read };
  }
  const registrar = registrarOf(program, scopes, call);
  if (registrar === undefined) return null;
  const passed = call.arguments[registrar.index];
  const use = passed && receiver(program, server, passed);
  if (registrar.index >= 0 && use === undefined) return null;
  const isAwaited = ts.isExpressionStatement(statement) && ts.isAwaitExpression(statement.expression);
  const read = (): Omit<Found, "comments"> => {
    const others = call.arguments.filter((one) => one !== passed).map((one) => textOf(program, one));
    const text = `${textOf(program, call.expression)}(${others.join(", ")})`;
    return { kind: "spread", members: [isAwaited ? `...(await ${text})` : `...${text}`] };
  };
  return { use, called: registrar.block, read };
}

/** The handlers: each list with its rows, then handlers of messages and what functions return. */
function listsOf(program: Program, file: File, found: readonly Found[], unit: string): string {
  const parts: string[] = [];
  const commented = ({ comments }: Found, text: string): string =>
    comments === "" ? text : `${comments}\n${text}`;
  for (const kind of ["tools", "resources", "prompts"] as const) {
    const rows = found.filter((one) => one.kind === kind);
    if (rows.length === 0) continue;
    const list = need(program, file, "@mcpgen/runtime/features", kind);
    const texts = rows.map((row) =>
      commented(row, `{\n${row.members.map((one) => `${unit}${indent(one, "", unit)},\n`).join("")}},`),
    );
    parts.push(`...${list}([\n${texts.map((text) => `${unit}${indent(text, "", unit)}\n`).join("")}])`);
  }
  for (const one of found)
    if (one.kind === "handlers" || one.kind === "spread") parts.push(commented(one, one.members.join("")));
  return `{\n${parts.map((part) => `${unit}${indent(part, "", unit)},\n`).join("")}}`;
}

/** A function that returned nothing now returns the rows. */
function removeParameter(program: Program, { block, parameter }: Scope): void {
  const node = block.parent as FunctionNode;
  const { edits } = fileOf(program, node);
  removeType(program, node);
  if (parameter === null) return;
  const index = node.parameters.indexOf(parameter);
  const next = node.parameters[index + 1];
  const before = node.parameters[index - 1];
  const isBare = !/^[\s,]*\)/.test(edits.text.slice(parameter.end)) && node.parameters.length === 1;
  if (next) edits.replace(parameter.getStart(), next.getStart(), "");
  else edits.replace(before?.end ?? parameter.getStart(), parameter.end, isBare ? "()" : "");
}

/** Removes the type of a result, which is another one now. */
function removeType(program: Program, { type }: FunctionNode): void {
  if (type === undefined) return;
  const { edits } = fileOf(program, type);
  edits.replace(edits.text.lastIndexOf(":", type.getStart()), type.end, "");
}
