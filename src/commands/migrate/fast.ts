import { ts } from "ts-morph";
import {
  handlerText,
  isFunction,
  membersOf,
  type FunctionNode,
  type Reader,
} from "./rows.js";
import { all, member, unwrapped, type Program } from "./source.js";

const args = ["args"];

/** The rows of FastMCP that are no tools. */
export const fastReaders: Readonly<Record<string, Reader>> = {
  addResource: (program, [resource]) => {
    const members = membersOf(program, resource, {
      load: (load) => readOf(program, load, []),
    });
    return members && { kind: "resources", members };
  },
  addResourceTemplate: (program, [template]) => {
    const members = membersOf(program, template, {
      load: (load) => readOf(program, load, args),
      // The template has the names of its variables.
      arguments: (list) => (isPlain(list) ? "" : null),
    });
    return members && { kind: "resources", members };
  },
  addPrompt: (program, [prompt]) => {
    const members = membersOf(program, prompt, {
      load: (load) => getOf(program, load),
      arguments: (list) =>
        isPlain(list) ? `arguments: ${program.textOf(list)}` : null,
    });
    return members && { kind: "prompts", members };
  },
};

/** True for arguments that have no completion and no list of values. */
const isPlain = (list: ts.Expression): boolean =>
  ts.isArrayLiteralExpression(list) &&
  list.elements.every(
    (one) =>
      ts.isObjectLiteralExpression(one) &&
      one.properties.every(({ name }) =>
        /^(name|description|required)$/.test(name?.getText() ?? ""),
      ),
  );

/** The function of a `load`, if it takes no more than is given here. */
function loaderOf(
  program: Program,
  load: ts.Expression,
  given: readonly string[],
): FunctionNode | null {
  const value = program.valueOf(load);
  return isFunction(value) && value.parameters.length <= given.length
    ? value
    : null;
}

const getOf = (program: Program, load: ts.Expression) =>
  loaderOf(program, load, args) &&
  (() => `get: ${handlerText(program, load, args, args)}`);

/** A `load` of a resource, which returns `{ text }`: the text itself here. */
function readOf(
  program: Program,
  load: ts.Expression,
  given: readonly string[],
): (() => string) | null {
  const loader = loaderOf(program, load, given);
  const results = loader ? resultsOf(loader) : [];
  const texts = results.flatMap((result) => {
    const object = unwrapped(result);
    const isText =
      ts.isObjectLiteralExpression(object) && object.properties.length === 1;
    const text = isText ? member(object, "text") : undefined;
    return text ? [[result, text] as const] : [];
  });
  if (results.length === 0 || texts.length !== results.length) return null;
  return () => {
    for (const [result, text] of texts)
      program.replace(result, program.textOf(text));
    return `read: ${handlerText(program, load, given, given)}`;
  };
}

/** What a function returns. */
function resultsOf(made: FunctionNode): readonly ts.Expression[] {
  const { body } = made;
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body];
  return all(body, ts.isReturnStatement)
    .filter((one) => ts.findAncestor(one, isFunction) === made)
    .flatMap(({ expression }) => expression ?? []);
}
