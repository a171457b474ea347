import { ts } from "ts-morph";
import {
  handlerText,
  isFunction,
  membersOf,
  type FunctionNode,
  type Reader,
} from "./rows.js";
import { all, member, unwrapped, type Program } from "./source.js";

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
      load: (load) => readOf(program, load, ["args"]),
      // The template has the names of its variables.
      arguments: (list) => (isPlain(list) ? "" : null),
    });
    return members && { kind: "resources", members };
  },
  addPrompt: (program, [prompt]) => {
    const members = membersOf(program, prompt, {
      load: (load) => loadText(program, "get", load, ["args"]),
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

/** A `load` that takes no more than is given here; null for another. */
function loadText(
  program: Program,
  key: string,
  load: ts.Expression,
  given: readonly string[],
): string | null {
  const value = program.valueOf(load);
  if (!isFunction(value) || value.parameters.length > given.length) return null;
  return `${key}: ${handlerText(program, load, given, given)}`;
}

/** A `load` of a resource, which returns `{ text }`: the text itself here. */
function readOf(
  program: Program,
  load: ts.Expression,
  given: readonly string[],
): string | null {
  // One that takes more is left as it is.
  const isTaken = loadText(program, "read", load, given) !== null;
  const value = program.valueOf(load);
  const results = isTaken && isFunction(value) ? resultsOf(value) : [];
  const texts = results.flatMap((result) => {
    const object = unwrapped(result);
    const isText =
      ts.isObjectLiteralExpression(object) && object.properties.length === 1;
    const text = isText ? member(object, "text") : undefined;
    return text ? [[result, text] as const] : [];
  });
  if (results.length === 0 || texts.length !== results.length) return null;
  for (const [result, text] of texts)
    program.replace(result, program.textOf(text));
  return loadText(program, "read", load, given);
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
